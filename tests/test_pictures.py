"""The drawings say what the oracle says."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import oracle
from tests.files import ROOT
from tests.sessions import Run
from tests.test_words import SMALL, UNREACHED, result
from ttt_runtime import load
from ttt_runtime.boards import THREE
from ttt_runtime.builder.variants import build
from ttt_runtime.cli.pictures import board_picture, map_picture, review_picture
from ttt_runtime.cli.words import conclusions, note, verdict
from ttt_runtime.review import review
from ttt_runtime.variants import Rules, Variant, named

SVG = "{http://www.w3.org/2000/svg}"
MAPS = [(variant, turn) for variant in oracle.VARIANTS for turn in (0, 1)]


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


def marks(group: ET.Element, *names: str, columns: int = 3) -> dict[int, str]:
    """Return the marks that a board's own paths of these names draw: cell -> mark."""
    found = {}
    for path in group.findall(f"{SVG}path"):
        if path.get("class") in names:
            for x, y, rest in re.findall(r"M(\S+) (\d\.\d+)([^M]*)", path.get("d", "")):
                cell = int(float(x)) + columns * int(float(y))
                assert cell not in found
                found[cell] = "O" if "a" in rest else "X"
    return found


def struck(group: ET.Element, columns: int = 3) -> list[tuple[int, ...]]:
    """Return the lines that are struck through, as their cells."""
    found = []
    for path in group.findall(f"{SVG}path[@class='line']"):
        pieces = re.findall(r"M(\S+) (\S+)l(\S+) ([^M]+)", path.get("d", ""))
        for x, y, dx, dy in [map(float, piece) for piece in pieces]:
            parts = [part / 16 for part in range(1, 16, 2)]
            points = [(x + dx * part, y + dy * part) for part in parts]
            cells = {int(left) + columns * int(top) for left, top in points}
            found.append(tuple(sorted(cells)))
    return sorted(found)


def transform(group: ET.Element) -> tuple[float, float, float]:
    """Return where a group is placed, and its scale."""
    numbers = re.fullmatch(
        r"translate\((\S+) (\S+)\) scale\((\S+)\)", group.get("transform", "")
    )
    assert numbers is not None
    x, y, scale = map(float, numbers.groups())
    return x, y, scale


def assert_drawn(group: ET.Element, sheet: Sheet, variant: str, side: int) -> int:
    """Compare a drawn board and all boards in it with the walk; return their number."""
    answer = {} if sheet.answer is None else {sheet.answer: "XO"[side]}
    drawn = marks(group, "old", "reply", "answer")
    assert drawn == {c: mark for c, mark in enumerate(sheet.board) if mark != "."}
    assert marks(group, "answer") == answer, sheet.board
    assert set(marks(group, "reply")) == sheet.fresh

    tiles = [tile.get("class") for tile in group.findall(f"{SVG}rect")]
    if oracle.ended(variant, sheet.board):
        assert tiles == [result(oracle.score(variant, sheet.board), side)]
        ways = [way for way in oracle.ways(variant) if way_is_full(sheet.board, way)]
        assert struck(group) == sorted(ways)
    else:
        assert not tiles
        assert not struck(group)

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
        assert_drawn(child, sheet.after[cell], variant, side)
        for cell, child in inner.items()
    )


def way_is_full(board: str, way: tuple[int, ...]) -> bool:
    """Tell whether one side has this line."""
    return {board[cell] for cell in way} in ({"X"}, {"O"})


def texts(page: ET.Element) -> list[str]:
    return [text.text or "" for text in page.findall(f"{SVG}text")]


def endings(variant: str, side: int, sheet: Sheet) -> Counter[str]:
    """Count how the games of a map end for its side."""
    if not sheet.after:
        return Counter([result(oracle.score(variant, sheet.board), side)])
    after = sheet.after.values()
    return sum((endings(variant, side, each) for each in after), Counter())


@pytest.mark.parametrize(("variant", "side"), MAPS)
def test_the_map_shows_every_game_of_a_perfect_side(variant: str, side: int) -> None:
    page = ET.fromstring(map_picture(load(variant), side))
    board = page.find(f"{SVG}g")
    assert board is not None
    sheet = expected_map(variant, side, "." * 9, 0)
    count = assert_drawn(board, sheet, variant, side)
    assert len(page.findall(f".//{SVG}g/{SVG}title")) == count
    known = {"standard": (133, 937), "fastest": (91, 769)}
    assert count == known.get(variant, (count, count))[side]

    counts = endings(variant, side, sheet)
    me, other = "XO"[side], "OX"[side]
    assert counts["loss"] == 0
    assert [text for text in texts(page) if "wins: " in text or "draw: " in text] == [
        f"{words}: {number} board{'' if number == 1 else 's'}"
        for words, number in [(f"{me} wins", counts["win"]), ("draw", counts["draw"])]
    ]
    assert page.findtext(f"{SVG}title") == f"Perfect play for {me}, {variant}"
    rule = {
        "standard": "three in a row wins",
        "fill": "every cell gets filled",
        "misere": "three in a row loses",
        "fastest": "win soonest, lose latest",
    }[variant]
    assert texts(page)[:3] == [
        f"Perfect play for {me}",
        f"{variant}: {rule}",
        f"{['X begins with the bold X. ', ''][side]}"
        f"Look into the cell where {other} sets its mark:",
    ]
    late = "A win may come late here: it is worth as much as a win at once. "
    late += "In fastest it is worth less."
    assert texts(page)[9:] == [
        "Of several best cells the smallest is played.",
        *[late] * (variant == "standard"),
    ]


def boards(group: ET.Element, size: float) -> Iterator[tuple[ET.Element, float]]:
    """Yield each board of a map, and how wide its cells are in millimetres."""
    yield group, size
    for child in group.findall(f"{SVG}g"):
        yield from boards(child, size * transform(child)[2])


@pytest.mark.parametrize(("variant", "side"), MAPS)
def test_the_smallest_mark_of_a_map_is_half_a_millimetre_wide(
    variant: str, side: int
) -> None:
    page = ET.fromstring(map_picture(load(variant), side))
    assert (page.get("width"), page.get("height")) == ("210mm", "297mm")
    assert page.get("viewBox") == "0 0 210 297"
    outer = page.find(f"{SVG}g")
    assert outer is not None
    x, y, cell = transform(outer)
    assert x >= 5
    assert x + 3 * cell <= 205
    assert y + 3 * cell <= 250
    for group, size in boards(outer, cell):
        assert (0.64 + 0.13) * size > 0.49
        for path in group.findall(f"{SVG}path"):
            assert float(path.get("stroke-width", "")) * size > 0.08


@pytest.mark.parametrize("variant", [*oracle.VARIANTS, *SMALL])
def test_a_board_is_drawn_with_its_values_every_31st_board(
    variant: str, built: Path
) -> None:
    table = load(variant)
    cells, states = (6, []) if variant in SMALL else (9, UNREACHED)
    for board, turn in [*sorted(oracle.reached(variant, cells))[::31], *states]:
        page = ET.fromstring(board_picture(table, board, turn))
        (group,) = [g for g in page.findall(f"{SVG}g") if g.get("class") is None]
        assert marks(group, "marks") == {
            cell: mark for cell, mark in enumerate(board) if mark != "."
        }
        ended = oracle.ended(variant, board)
        values = {} if ended else oracle.after(variant, board, turn)
        kinds = {cell: result(value, turn) for cell, value in values.items()}
        tiles = {}
        for tile in page.findall(f"{SVG}g[@class]"):
            x, y, scale = transform(tile)
            assert scale == 32
            cell = round((x - 6) / 32) + 3 * round((y - 6) / 32)
            tiles[cell] = tile.get("class", "")
        assert tiles == kinds, board
        words = texts(page)
        assert words.count("best") == len(oracle.best(variant, board, turn))
        for kind in ("win", "draw", "loss"):
            labels = [text for text in words if re.fullmatch(rf"{kind}( .. \d)?", text)]
            assert len(labels) == list(kinds.values()).count(kind), board
        ways = oracle.ways(variant) if ended else ()
        lines = [way for way in ways if way_is_full(board, way)]
        assert struck(group) == sorted(lines)
        below = [f"{'XO'[turn]} to move:"] if values else []
        below.append(verdict(table, board, turn))
        measure = note(table, board, turn).splitlines()
        assert words[-len(below + measure) :] == below + measure
        title = " ".join([f"{board}, {variant}.", *below])
        assert page.findtext(f"{SVG}title") == title


@pytest.mark.parametrize(
    ("path", "picture"),
    [
        ("docs/pictures/board.svg", board_picture(load("fastest"), "X...O...X", 1)),
        ("docs/pictures/map-x.svg", map_picture(load("fastest"), 0)),
        (
            "docs/pictures/review.svg",
            review_picture(load("fastest"), review([0, 1, 4, 2, 8], "fastest")),
        ),
        ("tests/data/board-over.svg", board_picture(load("misere"), "XXXOO....", 1)),
        ("tests/data/board-won.svg", board_picture(load("fastest"), "XX.OO....", 1)),
    ],
)
def test_pictures_are_the_same_to_the_byte_and_have_a_white_page_of_their_own(
    path: str, picture: str
) -> None:
    assert (ROOT / path).read_bytes() == picture.encode("ascii")
    page = ET.fromstring(picture)
    drawn = [child for child in page if child.tag != f"{SVG}title"]
    _, _, width, height = page.get("viewBox", "").split()
    assert drawn[0].tag == f"{SVG}rect"
    assert drawn[0].attrib == {"width": width, "height": height, "fill": "#fff"}


@pytest.mark.parametrize(
    ("variant", "cells", "columns"),
    [
        *[(variant, [4, 1, 0, 8, 2, 6, 5, 3, 7], 3) for variant in oracle.VARIANTS],
        ("fastest", [0, 1, 4, 2, 8], 3),
        ("fill-2x3x2", [0, 2, 3, 5, 4], 3),
        ("hundreds", [0, 4, 2, 10, 1], 11),
    ],
)
def test_each_move_of_a_game_is_drawn_with_the_best_cells_and_the_slip(
    variant: str, cells: list[int], columns: int, built: Path
) -> None:
    known = review(cells, variant)
    page = ET.fromstring(review_picture(load(variant), known))
    boards = [g for g in page.findall(f"{SVG}g") if g.find(f"{SVG}title") is not None]
    words, corners = texts(page), set()
    for move, group in zip(known["moves"], boards, strict=True):
        before = {cell: m for cell, m in enumerate(move["board"]) if m != "."}
        assert marks(group, "old", columns=columns) == before
        assert marks(group, "move", columns=columns) == {move["cell"]: move["side"]}
        grounds: dict[str, list[int]] = {"best": [], "slip": []}
        for tile in group.findall(f"{SVG}rect"):
            x, y = float(tile.get("x", "")), float(tile.get("y", ""))
            grounds[tile.get("class", "")].append(int(x) + columns * int(y))
        slip = [] if move["name"] == "best" else [move["cell"]]
        assert grounds == {"best": move["best"], "slip": slip}
        said = f"{move['number']}. {move['side']} in {move['cell']}"
        assert words[words.index(said) + 1] == move["name"]
        title = f"Move {move['number']}: {move['side']} in cell {move['cell']}, "
        assert group.findtext(f"{SVG}title", "").startswith(title + move["name"])
        x, y, scale = transform(group)
        assert x + scale * columns <= 204
        assert y % (19 + scale * (len(move["board"]) // columns)) == 6
        corners.add((x, y))
    assert len(corners) == len(cells)
    *going_on, last = [struck(group, columns) for group in boards]
    assert not any(going_on)
    assert bool(last) == (known["result"].endswith("wins"))
    assert [*conclusions(known)] == words[-2:]
    assert page.findtext(f"{SVG}title") == " ".join(
        [f"A game of {variant}.", *words[-2:]]
    )


def drawn(variant: str, board: str, turn: int) -> ET.Element:
    return ET.fromstring(board_picture(load(variant), board, turn))


def test_a_narrow_board_stands_in_the_middle_of_a_page_that_holds_the_words(
    built: Path,
) -> None:
    page = drawn("hundreds", "XX.OO......", 0)
    assert page.get("viewBox") == "0 0 364 62"
    assert "win by 100" in texts(page)
    (group,) = [g for g in page.findall(f"{SVG}g") if g.get("class") is None]
    assert transform(group) == (6, 6, 32)
    assert marks(group, "marks", columns=11) == {0: "X", 1: "X", 3: "O", 4: "O"}
    build([named("fill-2x1x1")], built)
    page = drawn("fill-2x1x1", "XO", 0)
    assert page.get("viewBox") == "0 0 108 94"
    (group,) = page.findall(f"{SVG}g")
    assert transform(group) == (38, 6, 32)
    assert struck(group, columns=1) == [(0,), (1,)]


def test_a_line_over_the_edge_of_a_torus_goes_from_cell_to_cell(built: Path) -> None:
    page = drawn("torus", "X..OOX.X.", 1)
    (path,) = page.findall(f".//{SVG}path[@class='line']")
    assert path.get("d") == "M0.5 0.5l2 1l-1 1"
    page = ET.fromstring(map_picture(load("torus"), 0))
    assert texts(page)[1] == "torus: three in a row wins"
    assert texts(page)[-1] == "Of several best cells the smallest is played."


def test_words_of_somebody_elses_rules_are_escaped(
    ttt: Run, built: Path, tmp_path: Path
) -> None:
    rules = Rules("own", "\u03a9 < \u03b1 & \u03b2: a line", False, lambda *_: 0)
    build([Variant("own", rules, THREE)], built)
    svg = tmp_path / "map.svg"
    assert ttt("map", "--player", "O", "--variant", "own", "-o", str(svg)).status == 0
    assert texts(ET.parse(svg).getroot())[1] == "own: \u03a9 < \u03b1 & \u03b2"


@pytest.mark.parametrize("variant", oracle.VARIANTS)
@pytest.mark.parametrize(
    ("board", "turn"),
    [
        ("X........", 1),
        ("XO.......", 0),
        (".........", 1),
        ("XX.OO....", 1),
        ("OO.......", 1),
        ("XOXOX.O.X", 0),
        ("XOXOX.O.O", 0),
        ("OXOXOX.X.", 0),
        ("XOXXOX.XO", 1),
    ],
)
def test_a_map_from_a_board_shows_every_game_from_there(
    variant: str, board: str, turn: int, ttt: Run
) -> None:
    if oracle.ended(variant, board):
        return
    for side in (0, 1):
        given = ["--variant", variant, "--board", board, "--turn", "XO"[turn]]
        done = ttt("map", "--player", "XO"[side], *given, "-o", "-")
        assert (done.status, done.err) == (0, "")
        page = ET.fromstring(done.out)
        outer = page.find(f"{SVG}g")
        assert outer is not None
        assert_drawn(outer, expected_map(variant, side, board, turn), variant, side)
        title = f"Perfect play for {'XO'[side]}, {variant}"
        after = f", after {board}" * (board != "." * 9)
        assert page.findtext(f"{SVG}title") == title + after
        begins = f"{'XO'[side]} begins with the bold {'XO'[side]}. "
        assert texts(page)[2].startswith(begins) == (turn == side)
        widths = [size for _, size in boards(outer, transform(outer)[2])]
        if board.count(".") < 8:
            assert min(widths) > 1.9
