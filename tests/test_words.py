"""What the oracle knows of a board, in words, as text and as data."""

import io
import sys
from functools import cache
from pathlib import Path

import pytest

from tests import oracle
from tests.sessions import Run
from ttt_runtime import load
from ttt_runtime.cli.words import board_text, facts, move_facts, values_text

UNREACHED = [("X...O...X", 0), ("OO.......", 1), ("XXXX.....", 1)]
"""Boards with a turn that their counts do not tell."""

SMALL = [f"{rule}-2x3x2" for rule in oracle.VARIANTS]

NOTES = {
    "fill": ["By 2: two lines more than the other side."],
    "fastest": ["In N: after N more marks, both sides together."],
}


def result(value: int, turn: int) -> str:
    """Say what a value is for a side: O wants much, X wants little."""
    mine = value * (-1, 1)[turn]
    return "win" if mine > 0 else "loss" if mine < 0 else "draw"


@cache
def length(variant: str, board: str, turn: int) -> int:
    """Play best moves of ``fastest`` to the end of the game, and count them."""
    if oracle.ended(variant, board):
        return 0
    cell = oracle.best(variant, board, turn)[0]
    return 1 + length(variant, oracle.play(board, turn, cell), 1 - turn)


def sentence(variant: str, board: str, turn: int) -> str:
    """Say how it ends."""
    rule, value = variant.partition("-")[0], oracle.value(variant, board, turn)
    side = "O" if value > 0 else "X"
    if value == 0:
        words = "a draw"
    elif rule == "fill":
        words = f"{side} ends {abs(value)} lines ahead"
        words = words.replace("1 lines", "1 line")
    elif rule == "fastest" and not oracle.ended(variant, board):
        words = f"{side} wins in {length(variant, board, turn)} plies"
        words = words.replace("1 plies", "1 ply")
    else:
        words = f"{side} wins"
    if oracle.ended(variant, board):
        return f"Game over: {words}."
    return f"{'XO'[turn]} to move: {words} with perfect play. * is best."


@pytest.mark.parametrize("variant", [*oracle.VARIANTS, *SMALL])
def test_words_and_facts_are_the_oracles_on_every_seventh_board(
    variant: str, built: Path
) -> None:
    table = load(variant)
    rule, _, size = variant.partition("-")
    cells, states = (6, []) if size else (9, UNREACHED)
    for board, turn in [*sorted(oracle.reached(variant, cells))[::7], *states]:
        best = oracle.best(variant, board, turn)
        ended = oracle.ended(variant, board)
        after = {} if ended else oracle.after(variant, board, turn)
        plies = {
            cell: 1 + length(variant, oracle.play(board, turn, cell), 1 - turn)
            for cell, value in after.items()
            if rule == "fastest" and value
        }
        assert facts(table, board, turn) == {
            "board": board,
            "turn": turn,
            "variant": variant,
            "move": best[0] if best else None,
            "optimal": tuple(best),
            "value": oracle.value(variant, board, turn),
        }
        assert move_facts(table, board, turn) == [
            {
                "cell": cell,
                "value": value,
                "result": result(value, turn),
                "plies": plies.get(cell),
            }
            for cell, value in after.items()
        ], board

        lines = values_text(table, board, turn, colour=False).split("\n")
        upper = [text.strip() for row in lines[0:cells:3] for text in row.split("|")]
        lower = [text.strip() for row in lines[1:cells:3] for text in row.split("|")]
        assert set(lines[2 : cells - 1 : 3]) == {"-----------+-----------+-----------"}
        for cell in range(cells):
            assert upper[cell] == f"{cell} *" if cell in best else str(cell), board
            expected = board[cell].replace(".", "")
            if cell in after:
                expected = result(after[cell], turn)
                if rule == "fill" and after[cell]:
                    expected += f" by {abs(after[cell])}"
                if cell in plies:
                    expected += f" in {plies[cell]}"
            assert lower[cell] == expected, board
        assert lines[cells - 1 : cells + 1] == ["", sentence(variant, board, turn)]
        measured = any(after.values())
        assert lines[cells + 1 :] == NOTES.get(rule, [])[:measured]


def test_numbers_of_two_digits_and_long_words_stand_in_columns(built: Path) -> None:
    assert board_text("XX.OO......", 11, colour=False) == (
        "  X |  X |  2 |  O |  O |  5 |  6 |  7 |  8 |  9 | 10"
    )
    assert board_text("." * 8 + "XO..", 4, colour=False).splitlines()[2:] == [
        "  4 |  5 |  6 |  7",
        "----+----+----+----",
        "  X |  O | 10 | 11",
    ]
    text = values_text(load("hundreds"), "XX.OO......", 0, colour=False)
    assert text.splitlines()[0].endswith("| 8           | 9           | 10")
    assert text.splitlines()[1].startswith("      X      |      X      |  win by 100 |")


def test_marks_are_bold_numbers_faint_wins_green_draws_yellow_losses_red() -> None:
    bold, faint, green = "\x1b[1m%s\x1b[0m", "\x1b[2m%s\x1b[0m", "\x1b[32m%s\x1b[0m"
    yellow, red = "\x1b[33m%s\x1b[0m", "\x1b[31m%s\x1b[0m"
    text = values_text(load("fastest"), "XX.OO...X", 1, colour=True)
    assert text.split("\n")[3:8] == [
        "|".join([faint % f" {each:<9} " for each in ("3", "4", "5 *")]),
        "|".join([bold % "     O     ", bold % "     O     ", green % "  win in 1 "]),
        "+".join(["-" * 11] * 3),
        "|".join([faint % f" {each:<9} " for each in ("6", "7", "8")]),
        "|".join([red % " loss in 2 ", red % " loss in 2 ", bold % "     X     "]),
    ]
    text = values_text(load(), "X...O...X", 1, colour=True)
    assert yellow % "    draw   " in text
    assert board_text("X...O...X", 3, colour=True).split("\n")[0] == "|".join(
        [bold % " X ", faint % " 1 ", faint % " 2 "]
    )


@pytest.mark.parametrize(
    ("environment", "welcome"),
    [
        ({}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "0"}, False),
    ],
)
def test_colour_is_for_terminals_on_which_it_is_welcome(
    environment: dict[str, str],
    welcome: bool,
    ttt: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for command in ("show", "play"):
        assert "\x1b[" not in ttt(command, "X...O...X").out
        shown = io.StringIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", shown)
            patch.setattr(shown, "isatty", lambda: True)
            assert ttt(command, "X...O...X").status == 0
        assert ("\x1b[" in shown.getvalue()) is welcome
