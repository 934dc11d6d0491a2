"""Tests of `ttt_runtime.review`, and of the command that shows what it says."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import oracle
from tests.files import ROOT
from tests.reviews import judged, reviewed
from tests.sessions import Run
from tests.test_words import SMALL
from ttt_runtime import InvalidBoardError, InvalidMoveError, load, play_against_ai
from ttt_runtime.review import review

REVIEWS = json.loads((ROOT / "tests" / "vectors" / "reviews.json").read_text())
EVENTS = json.loads((ROOT / "tests" / "data" / "events.json").read_text())
CHANGES = {"best", "gives up the win", "loses a draw", "loses a win"}


@pytest.mark.parametrize(
    ("variant", "board", "cells", "names", "decided", "result"),
    [
        ("standard", ".........", [0, 1, 4, 2, 8],
         ["best", "loses a draw", "best", "best", "best"], 2, "X wins"),
        ("standard", "XXO.O..X.", [3], ["best"], None, "unfinished"),
        ("standard", "XX.OO....", [2], ["best"], None, "X wins"),
        ("standard", "XX.OO....", [5, 2, 6, 7, 8],
         ["gives up the win", *["best"] * 4], 1, "a draw"),
        ("standard", "XX.OO....", [8, 5], ["loses a win", "best"], 1, "O wins"),
        ("standard", "XXXOO....", [], [], None, "X wins"),
        ("fastest", ".........", [0, 1, 4, 2, 8],
         ["best", "loses a draw", "best", "quicker loss", "best"], 2, "X wins"),
        ("fastest", "XXO.O..X.", [3, 6], ["slower win", "best"], None, "unfinished"),
        ("misere", ".........", [0], ["loses a draw"], 1, "unfinished"),
        ("misere", "XX.OO....", [2], ["loses a draw"], 1, "O wins"),
        ("fill", "..X.XOXOO", [1, 0, 3],
         ["smaller win", "best", "best"], None, "X wins"),
        ("fill", "....XXXOO", [1, 3, 0, 2],
         ["greater loss", "best", "best", "best"], None, "X wins"),
    ],
)  # fmt: skip
def test_moves_are_called_what_a_person_would_call_them(
    variant: str,
    board: str,
    cells: list[int],
    names: list[str],
    decided: int | None,
    result: str,
) -> None:
    known = review(cells, variant, board)
    assert [move["name"] for move in known["moves"]] == names
    assert (known["decided"], known["result"]) == (decided, result)


@pytest.mark.parametrize("variant", [*oracle.VARIANTS, *SMALL])
def test_each_move_has_the_only_name_that_fits_every_5th_state(
    variant: str, built: Path
) -> None:
    cells = 6 if variant in SMALL else 9
    names = set()
    for board, turn in sorted(oracle.reached(variant, cells))[::5]:
        legal = [cell for cell in range(cells) if board[cell] == "."]
        for cell in legal * (not oracle.ended(variant, board)):
            move = judged(variant, board, turn, cell)
            known = review([cell], variant, board, turn)
            assert known == reviewed(variant, (board, turn), [move])
            names.add(move["name"])
    worse = {"fastest": {"slower win", "quicker loss"}}
    worse["fill"] = {"smaller win", "greater loss"}
    if variant in oracle.VARIANTS:
        assert names == CHANGES | worse.get(variant, set())


def test_the_vectors_are_reviews_by_the_oracle() -> None:
    for known in REVIEWS:
        variant, start = known["variant"], (known["board"], known["turn"])
        cells = [move["cell"] for move in known["moves"]]
        assert review(cells, variant, *start) == known
        (board, turn), moves = start, []
        for number, cell in enumerate(cells, 1):
            moves.append(judged(variant, board, turn, cell, number))
            board, turn = oracle.play(board, turn, cell), 1 - turn
        assert reviewed(variant, start, moves) == known


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: str(case["id"]))
def test_events_are_reviewed_as_the_moves_that_were_accepted(
    case: dict[str, Any],
) -> None:
    places = [event[7].split(",") for event in case["events"] if event[1] == "1"]
    cells = [3 * int(row) + int(column) for row, column in places]
    for variant in ("standard", "fastest"):
        assert review(case["events"], variant) == review(cells, variant)


def test_any_sequence_and_any_table_will_do() -> None:
    known = review([4, 0, 8], "fastest")
    assert known["variant"] == "fastest"
    games: list[Any] = [(4, 0, 8), np.array([4, 0, 8]), [np.int8(4), 0, 8]]
    for game in games:
        assert review(game, load("fastest")) == known
    assert json.loads(json.dumps(review(np.array([4, 0, 8]), "fastest"))) == known
    events = play_against_ai([[1, 1], [0, 0], [2, 2]])
    assert review(np.array(events)) == review(events) == review([4, 0, 8, 2])


FIRST = ["X", "1", "X..", "...", "...", "IN_PROGRESS", "O", "0,0"]
SECOND = ["O", "1", "X..", ".O.", "...", "IN_PROGRESS", "X", "1,1"]
REFUSED = ["X", "0", *SECOND[2:]]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("408", "game is '408', expected a sequence of cells or of events"),
        (iter([4]), "game is of type list_iterator, expected a sequence"),
        ([4, 9], "move 2: cell is 9, expected an integer from 0 to 8"),
        ([-1], "move 1: cell is -1, expected an integer"),
        ([4, None], "move 2: cell is None, expected an integer"),
        ([4, "0"], "move 2: cell is '0', expected an integer"),
        ([True], "move 1: cell is True, expected an integer"),
        ([np.uint64(2**63)], f"move 1: cell is {2**63}, expected an integer"),
        ([4, 0, 4], "move 3: cell is 4, which X has taken, expected an empty cell"),
        ([4, 0, 0], "move 3: cell is 0, which O has taken, expected an empty cell"),
        ([0, 3, 1, 4, 2, 5], "move 6: cell is 5, expected no more moves: play ended, "
         "X wins"),
        ([0, 3, 1, 4, 2, 0], "move 6: cell is 0, expected no more moves"),
        ([[0, 0], [1, 1]], "event 1 has 2 items, expected the 8 strings of an event"),
        ([[]], "event 1 has 0 items, expected the 8"),
        ([FIRST, ["O", 1, *SECOND[2:]]], "event 2: item 1 is 1, expected a str"),
        ([FIRST, ["O", "", *SECOND[2:]]], "event 2: accepted is '', expected '0' or"),
        ([FIRST, ["X", *SECOND[1:]]], "event 2: side is 'X', expected 'O', whose turn"),
        ([SECOND], "event 1: side is 'O', expected 'X', whose turn it is"),
        ([FIRST, ["", *SECOND[1:]]], "event 2: side is '', expected 'O'"),
        ([FIRST, [*SECOND[:7], "3,0"]], "event 2: cell is '3,0', expected '0,0' to "
         "'2,2'"),
        ([FIRST, [*SECOND[:7], "0,0"]], "event 2: cell is 0, which X has taken"),
        ([FIRST, [*SECOND[:7], "1,2"]], "event 2: board is 'X...O....', expected "
         "'X....O...'"),
        ([FIRST, REFUSED], "event 2: board is 'X...O....', expected 'X........'"),
        ([FIRST, SECOND, 4], "move 3: cell is 4, which O has taken"),
    ],
)  # fmt: skip
def test_a_move_that_the_game_does_not_allow_is_named(game: Any, message: str) -> None:
    with pytest.raises(InvalidMoveError, match=f"^{re.escape(message)}"):
        review(game)


def test_a_state_that_means_nothing_is_refused() -> None:
    for variant, board, turn, message in (
        ("standard", "XXXOOO...", None, "a line of X and a line of O"),
        ("fill", "XX.......", None, "2 X and 0 O"),
        ("fill", "", None, "has 0 marks, expected 9"),
        ("fill", None, 2, "turn is 2, expected 0"),
    ):
        with pytest.raises(InvalidBoardError, match=message):
            review([8], variant, board, turn)


def test_the_command_tells_each_move_and_where_the_game_was_decided(ttt: Run) -> None:
    game = ["review", "0", "1", "4", "2", "8"]
    assert ttt(*game, "--variant", "fastest").out.splitlines() == [
        "1  X in 0  best",
        "2  O in 1  loses a draw; better: 4",
        "3  X in 4  best",
        "4  O in 2  quicker loss; better: 8",
        "5  X in 8  best",
        "",
        "X wins. Move 2 was the last to change who wins with perfect play.",
        "Best moves: X 3 of 3, O 0 of 2.",
    ]
    assert ttt("review", "1,1", "0").out == ttt("review", "4", "0").out
    assert ttt("review", "4", "--turn", "O").out.splitlines() == [
        "1  O in 4  best",
        "",
        "The game goes on. No move changed who wins with perfect play.",
        "Best moves: X 0 of 0, O 1 of 1.",
    ]


def test_the_command_gives_the_same_as_json(ttt: Run, built: Path) -> None:
    done = ttt("review", "0", "4", "1", "--variant", "fill-2x3x2", "--json")
    assert json.loads(done.out) == review([0, 4, 1], "fill-2x3x2")
    asked = ["--board", "XX. / OO. / ...", "--turn", "O", "--variant", "misere"]
    done = ttt("review", "8", *asked, "--json")
    assert json.loads(done.out) == review([8], "misere", "XX.OO....", 1)
    done = ttt("review", "0", "10", "--variant", "hundreds")
    assert done.out.splitlines()[:2] == ["1  X in 0   best", "2  O in 10  best"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("0 0", 1, "ttt: move 2: cell is 0, which X has taken, expected an empty cell"),
        ("0 -1", 1, "ttt: move 2: cell is -1, expected an integer from 0 to 8\n"),
        ("0 --board XX.......", 1, "or one more; or give --turn X or O\n"),
        ("2 --board XXXOO....", 1, "move 1: cell is 2, expected no more moves: play"),
        (
            "0 --variant fill-1x2x1",
            1,
            "not built; build it with 'ttt build fill-1x2x1'",
        ),
        ("x", 2, "argument CELL: 'x' is no cell, expected 0 to 8, or row,column from "),
        ("0,1,4", 2, "argument CELL: '0,1,4' is no cell, expected 0 to 8, or row,"),
        ("", 2, "the following arguments are required: CELL\n"),
        ("0 --json -o a.svg", 2, "argument -o: not allowed with argument --json\n"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: str, status: int, message: str, ttt: Run, built: Path
) -> None:
    done = ttt("review", *arguments.split())
    assert (done.status, done.out) == (status, "")
    assert message in done.err
    assert done.err.count("\n") == 1 or status == 2
