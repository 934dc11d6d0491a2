"""Tests of `ttt_runtime.cli.pictures`: the drawings say what the oracle says."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import oracle
from ttt_runtime import load
from ttt_runtime.cli.pictures import board_picture, map_picture
from ttt_runtime.cli.words import note, verdict

HERE = Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
MAPS = [(variant, turn) for variant in oracle.VARIANTS for turn in (0, 1)]


def kind(value: int, turn: int) -> str:
    """Say what a value is for a side: O wants much, X wants little."""
    mine = value * (-1, 1)[turn]
    return "win" if mine > 0 else "loss" if mine < 0 else "draw"


class Sheet(NamedTuple):
    """A board of the map as the rules have it."""

    board: str
    """With the answer, and with the last mark if there is no choice."""
    answer: int | None
    fresh: set[int]
    """The reply, and that last mark."""
    after: "dict[int, Sheet]"


def expected_map(
    variant: str, side: int, board: str, turn: int, reply: int | None = None
) -> Sheet:
    """Walk through all games of a perfect side, its smallest best cell each time."""
    answer = None
    if turn == side and not oracle.ended(variant, board):
        answer = oracle.best(variant, board, turn)[0]
        board = oracle.play(board, turn, answer)
    fresh = set() if reply is None else {reply}
    after = {}
    if not oracle.ended(variant, board):
        free = [cell for cell in range(9) if board[cell] == "."]
        if len(free) == 1:
            board = oracle.play(board, 1 - side, free[0])
            fresh.add(free[0])
        else:
            for cell in free:
                following = oracle.play(board, 1 - side, cell)
                after[cell] = expected_map(variant, side, following, side, cell)
    return Sheet(board, answer, fresh, after)


def marks(group: ET.Element, *names: str) -> dict[int, str]:
    """Return the marks that a board's own paths of these names draw: cell -> mark."""
    found = {}
    for path in group.findall(f"{SVG}path"):
        if path.get("class") in names:
            for x, y, rest in re.findall(r"M(\S+) (\d\.\d+)([^M]*)", path.get("d", "")):
                cell = int(float(x)) + 3 * int(float(y))
                assert cell not in found
                found[cell] = "O" if "a" in rest else "X"
    return found


def struck(group: ET.Element) -> list[str]:
    """Return the lines that are struck through, as their cells."""
    found = []
    for path in group.findall(f"{SVG}path[@class='line']"):
        pieces = re.findall(r"M(\S+) (\S+)l(\S+) ([^M]+)", path.get("d", ""))
        for x, y, dx, dy in [map(float, piece) for piece in pieces]:
            points = [(x + dx * part, y + dy * part) for part in (1 / 8, 1 / 2, 7 / 8)]
            cells = [int(left) + 3 * int(top) for left, top in points]
            found.append("".join(map(str, sorted(cells))))
    return sorted(found)


def transform(group: ET.Element) -> tuple[float, float, float]:
    """Return where a group is placed, and its scale."""
    numbers = re.fullmatch(
        r"translate\((\S+) (\S+)\) scale\((\S+)\)", group.get("transform", "")
    )
    assert numbers is not None
    x, y, scale = map(float, numbers.groups())
    return x, y, scale


def assert_drawn(
    group: ET.Element, sheet: Sheet, variant: str, side: int, scales: list[float]
) -> int:
    """Compare a drawn board and all boards in it with the walk; return their number."""
    answer = {} if sheet.answer is None else {sheet.answer: "XO"[side]}
    drawn = marks(group, "old", "reply", "answer")
    assert drawn == {c: mark for c, mark in enumerate(sheet.board) if mark != "."}
    assert marks(group, "answer") == answer, sheet.board
    assert set(marks(group, "reply")) == sheet.fresh

    tiles = [tile.get("class") for tile in group.findall(f"{SVG}rect")]
    if oracle.ended(variant, sheet.board):
        assert tiles == [kind(oracle.score(variant, sheet.board), side)]
        ways = [way for way in oracle.WAYS if way_is_full(sheet.board, way)]
        assert struck(group) == sorted(ways)
    else:
        assert tiles == struck(group) == []

    title = group.findtext(f"{SVG}title", "")
    assert ("plays" in title) == bool(answer)
    assert not answer or f" {'XO'[side]} plays cell {sheet.answer}." in title

    inner = {}
    for child in group.findall(f"{SVG}g"):
        x, y, scale = transform(child)
        cell = int(x) + 3 * int(y)
        assert x % 1 > 0
        assert y % 1 > 0
        assert x % 1 + 3 * scale < 1, "a board sticks out of its cell"
        assert y % 1 + 3 * scale < 1
        inner[cell] = child
    assert set(inner) == set(sheet.after)
    return 1 + sum(
        assert_drawn(
            inner[cell],
            sheet.after[cell],
            variant,
            side,
            [*scales, transform(child)[2]],
        )
        for cell, child in inner.items()
    )


def way_is_full(board: str, way: str) -> bool:
    """Tell whether one side has this line."""
    return {board[int(cell)] for cell in way} in ({"X"}, {"O"})


@pytest.mark.parametrize(("variant", "side"), MAPS)
def test_the_map_shows_every_game_of_a_perfect_side(variant: str, side: int) -> None:
    """Each board, answer, reply, ending and line is that of a walk with the oracle."""
    page = ET.fromstring(map_picture(load(variant), side))
    board = page.find(f"{SVG}g")
    assert board is not None
    sheet = expected_map(variant, side, "." * 9, 0)
    count = assert_drawn(board, sheet, variant, side, [])
    assert len(page.findall(f".//{SVG}g/{SVG}title")) == count
    assert (
        count
        == {
            ("standard", 0): 133,
            ("standard", 1): 937,
            ("fill", 0): 633,
            ("fill", 1): 1333,
            ("misere", 0): 585,
            ("misere", 1): 1207,
            ("fastest", 0): 91,
            ("fastest", 1): 769,
        }[variant, side]
    )


@pytest.mark.parametrize(("variant", "side"), MAPS)
def test_the_legend_counts_the_endings(variant: str, side: int) -> None:
    """As many games won and drawn as there are tiles; a perfect side loses none."""

    def endings(sheet: Sheet) -> Counter[str]:
        if not sheet.after:
            return Counter([kind(oracle.score(variant, sheet.board), side)])
        return sum(map(endings, sheet.after.values()), Counter())

    counts = endings(expected_map(variant, side, "." * 9, 0))
    page = ET.fromstring(map_picture(load(variant), side))
    words = [text.text or "" for text in page.findall(f"{SVG}text")]
    for ending, label in ("win", f"{'XO'[side]} wins"), ("draw", "draw"):
        shown = [word for word in words if word.startswith(f"{label}: ")]
        number = counts[ending]
        assert shown == [f"{label}: {number} board{'' if number == 1 else 's'}"]
    assert counts["loss"] == 0
    assert not [word for word in words if word.startswith(f"{'OX'[side]} wins")]
    if (variant, side) == ("standard", 1):
        assert counts == {"win": 498, "draw": 183}


def test_the_smallest_mark_of_a_map_can_be_read_in_print() -> None:
    """On A4, within the margins; half a millimetre wide, its stroke 0.08 mm."""
    for variant, side in MAPS:
        page = ET.fromstring(map_picture(load(variant), side))
        assert (page.get("width"), page.get("height")) == ("210mm", "297mm")
        assert page.get("viewBox") == "0 0 210 297"
        outer = page.find(f"{SVG}g")
        assert outer is not None
        x, y, cell = transform(outer)
        assert x >= 5
        assert x + 3 * cell <= 205
        assert y + 3 * cell <= 250
        level, depth = [(outer, cell)], 0
        while level:
            for group, size in level:
                widths = [
                    float(path.get("stroke-width", "")) * size
                    for path in group.findall(f"{SVG}path")
                ]
                assert min(widths) > 0.08, depth
                assert (0.64 + 0.13) * size > 0.49, depth
                bold = [
                    float(path.get("stroke-width", ""))
                    for path in group.findall(f"{SVG}path[@class='answer']")
                ]
                thin = [
                    float(path.get("stroke-width", ""))
                    for path in group.findall(f"{SVG}path[@class='old']")
                ]
                assert not bold or not thin or bold[0] > 1.6 * thin[0], depth
            level = [
                (child, size * transform(child)[2])
                for group, size in level
                for child in group.findall(f"{SVG}g")
            ]
            depth += 1
        assert depth == 5


def drawn_cells(page: ET.Element) -> dict[int, str]:
    """Return the tiles of a drawn board: cell -> win, draw or loss."""
    found = {}
    for group in page.findall(f"{SVG}g[@class]"):
        x, y, scale = transform(group)
        assert scale == 32
        found[round((x - 6) / 32) + 3 * round((y - 6) / 32)] = group.get("class", "")
    return found


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_a_board_is_drawn_with_its_values(variant: str) -> None:
    """Marks, a tile for each legal move, `best` where it is: each seventh board.

    And boards that no game has, with a turn that the counts do not tell.
    """
    table = load(variant)
    unreached = [("X...O...X", 0), ("OO.......", 1)]
    for board, turn in [*sorted(oracle.reached(variant))[::7], *unreached]:
        page = ET.fromstring(board_picture(table, board, turn))
        (group,) = [g for g in page.findall(f"{SVG}g") if g.get("class") is None]
        assert marks(group, "marks") == {
            cell: mark for cell, mark in enumerate(board) if mark != "."
        }
        ended = oracle.ended(variant, board)
        values = {} if ended else oracle.after(variant, board, turn)
        kinds = {cell: kind(value, turn) for cell, value in values.items()}
        assert drawn_cells(page) == kinds, board
        texts = [text.text or "" for text in page.findall(f"{SVG}text")]
        assert texts.count("best") == len(oracle.best(variant, board, turn))
        for word in ("win", "draw", "loss"):
            labels = [text for text in texts if re.fullmatch(rf"{word}( .. \d)?", text)]
            assert len(labels) == list(kinds.values()).count(word), board
        lines = [way for way in oracle.WAYS if ended and way_is_full(board, way)]
        assert struck(group) == sorted(lines)


def test_each_kind_of_tile_has_a_sign_of_its_own() -> None:
    """What a move leads to can be told without colours."""
    signs: dict[str, set[str | None]] = {}
    for board in ("XX.O.....", "XX.OO....", "X...O...X"):
        page = ET.fromstring(board_picture(load(), board, 1))
        for group in page.findall(f"{SVG}g[@class]"):
            (path,) = group.findall(f"{SVG}path")
            signs.setdefault(group.get("class", ""), set()).add(path.get("d"))
    assert set(signs) == {"win", "draw", "loss"}
    assert len(set().union(*signs.values())) == 3


BOARDS = [
    ("fastest", "X...O...X", 1),
    ("fill", "XXXOO....", 0),
    ("misere", "XXXOO....", 1),
]
PICTURES = [
    *[partial(map_picture, load(variant), side) for variant, side in MAPS],
    *[partial(board_picture, load(name), board, turn) for name, board, turn in BOARDS],
]


def test_the_pictures_of_the_readme_are_up_to_date() -> None:
    """`make pictures` would write what is there, to the byte."""
    board = (HERE / "pictures" / "board.svg").read_text()
    assert board == board_picture(load("fastest"), "X...O...X", 1)
    sheet = (HERE / "pictures" / "map-x.svg").read_text()
    assert sheet == map_picture(load("fastest"), 0)


def test_a_finished_board_to_the_byte() -> None:
    """The line is struck through, and there is no tile and nobody to move."""
    expected = (HERE / "tests" / "data" / "board-over.svg").read_text()
    assert board_picture(load("misere"), "XXXOO....", 1) == expected


def test_a_won_board_to_the_byte() -> None:
    """Moves that win and moves that lose, each with its sign."""
    expected = (HERE / "tests" / "data" / "board-won.svg").read_text()
    assert board_picture(load("fastest"), "XX.OO....", 1) == expected


def words(page: ET.Element) -> list[tuple[str, ...]]:
    """Return the texts of a page: where, how large, and what they say."""
    names = ("x", "y", "font-size", "text-anchor", "fill")
    return [
        (*[text.get(name, "") for name in names], text.text or "")
        for text in page.findall(f"{SVG}text")
    ]


@pytest.mark.parametrize(("variant", "side"), MAPS)
def test_a_map_explains_itself(variant: str, side: int) -> None:
    """Title, rule, how to read it, its signs, and why a win may come late."""
    page = ET.fromstring(map_picture(load(variant), side))
    rule = {
        "standard": "three in a row wins",
        "fill": "every cell gets filled",
        "misere": "three in a row loses",
        "fastest": "win soonest, lose latest",
    }[variant]
    mine, other = "XO"[side], "OX"[side]
    start = ["X begins with the bold X. ", ""][side]
    left, ink = "start", "#222"
    top = [
        ("8", "20", "11", left, ink, f"Perfect play for {mine}"),
        ("202", "20", "5", "end", ink, f"{variant}: {rule}"),
        ("8", "31", "4.6", left, ink, f"{start}Look into the cell where {other} sets "
         "its mark:"),
        ("8", "37.5", "4.6", left, ink, f"there is the next board, with {mine}'s "
         "answer in bold. Go on from there."),
        ("20", "256", "4.4", left, ink, f"{mine}'s answer"),
        ("86", "256", "4.4", left, ink, f"{other}'s last mark"),
        ("152", "256", "4.4", left, ink, "earlier mark"),
    ]  # fmt: skip
    end = [
        ("8", "283", "4", left, ink, "Of several best cells the smallest is played.")
    ]
    if variant == "standard":
        late = "A win may come late here: it is worth as much as a win at once. In "
        late += "fastest it is worth less."
        end.append(("8", "289", "4", left, ink, late))
    found = words(page)
    assert found[:7] == top
    assert [text[:5] for text in found[7:9]] == [
        ("20", "268", "4.4", left, ink),
        ("86", "268", "4.4", left, ink),
    ]
    assert found[9:] == end
    title = f"Perfect play for {mine}, {variant}"
    assert page.findtext(f"{SVG}title") == title


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_a_drawn_board_explains_itself(variant: str) -> None:
    """Its title and the words below it are those of `ttt show`."""
    table = load(variant)
    for board, turn in (("XX.OO....", 1), ("X...O...X", 1), ("XXXOO....", 1)):
        page = ET.fromstring(board_picture(table, board, turn))
        sentence = verdict(table, board, turn)
        measure = note(table, board, turn).splitlines()
        mover = [] if table.move(board, turn) is None else ["O to move:"]
        below = [text for text in words(page) if float(text[1]) > 106]
        assert below == [
            *[("54", "108.5", "4.6", "middle", "#222", text) for text in mover],
            ("54", "114.5", "4.6", "middle", "#222", sentence),
            *[("54", "121", "3.6", "middle", "#222", text) for text in measure],
        ]
        assert page.findtext(f"{SVG}title") == " ".join(
            [f"{board}, {variant}.", *mover, sentence]
        )


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_has_a_page_of_its_own(picture: Callable[[], str]) -> None:
    """White all over, drawn first, so that the ground it lies on does not matter."""
    text = picture()
    page = ET.fromstring(text)
    drawn = [child for child in page if child.tag != f"{SVG}title"]
    _, _, width, height = page.get("viewBox", "").split()
    assert drawn[0].tag == f"{SVG}rect"
    assert drawn[0].attrib == {"width": width, "height": height, "fill": "#fff"}
    assert "currentColor" not in text
    assert "prefers-color-scheme" not in text
    assert page.findtext(f"{SVG}title")
    assert text.isascii()


@pytest.mark.process
@pytest.mark.parametrize("seed", ["1", "2"])
def test_pictures_are_deterministic(seed: str) -> None:
    """Another process draws the same, to the byte."""
    for (variant, side), picture in zip(MAPS[:2], PICTURES, strict=False):
        command = ["map", "--player", "XO"[side], "--variant", variant, "-o", "-"]
        done = subprocess.run(
            [sys.executable, "-m", "ttt_runtime", *command],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode() == picture()
    assert len({picture() for picture in PICTURES}) == len(PICTURES)
