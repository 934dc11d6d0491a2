"""Tests of `ttt_runtime.opponent`."""

import json
import random
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests import oracle
from ttt_runtime import (
    InvalidBoardError,
    InvalidMoveError,
    best_move,
    play_against_ai,
    situation_score,
)

HERE = Path(__file__).resolve().parent
EVENTS = json.loads((HERE / "data" / "events.json").read_text())
CELLS = list(product(range(3), range(3)))

Attempts = list[tuple[int, int]]


def referee(attempts: Sequence[tuple[int, int]]) -> list[list[str]]:
    """Play a game as the rules say, step by step, with the oracle as O."""
    grid = [["."] * 3 for _ in range(3)]
    events = []

    def status() -> str:
        board = "".join(mark for row in grid for mark in row)
        if oracle.lines(board, "X"):
            return "X_WON"
        if oracle.lines(board, "O"):
            return "O_WON"
        return "IN_PROGRESS" if "." in board else "DRAW"

    def report(actor: str, accepted: bool, row: int, column: int, waiting: str) -> None:
        if status() != "IN_PROGRESS":
            waiting = "-"
        rows = ["".join(marks) for marks in grid]
        events.append(
            [actor, "01"[accepted], *rows, status(), waiting, f"{row},{column}"]
        )

    for row, column in attempts:
        if status() != "IN_PROGRESS" or grid[row][column] != ".":
            report("X", False, row, column, "X")
            continue
        grid[row][column] = "X"
        report("X", True, row, column, "O")
        if status() == "IN_PROGRESS":
            board = "".join(mark for marks in grid for mark in marks)
            row, column = divmod(oracle.best("standard", board, 1)[0], 3)
            grid[row][column] = "O"
            report("O", True, row, column, "X")
    return events


def test_best_move_on_every_board_of_a_game() -> None:
    asked = 0
    for board, turn in oracle.reached("standard"):
        if oracle.ended("standard", board):
            continue
        move = best_move(board)
        assert move == oracle.best("standard", board, turn)[0], board
        assert type(move) is int
        asked += 1
    assert asked == 4520


def test_best_move_refuses_every_board_without_an_answer() -> None:
    for board in oracle.BOARDS:
        lead = board.count("X") - board.count("O")
        if lead in (0, 1) and not oracle.ended("standard", board):
            continue
        with pytest.raises(InvalidBoardError, match=f"board '{board}'"):
            best_move(board)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("XXXOO....", r"the game is over \(X_WON\), there is no move to make"),
        ("XX.OOOX..", r"the game is over \(O_WON\)"),
        ("XOXXOOOXX", r"the game is over \(DRAW\)"),
        ("XXXOOO...", "a line of X and a line of O"),
        ("XX.......", "2 X and 0 O; X moves first"),
        ("O........", "0 X and 1 O; X moves first"),
        ("xx.oo....", "write X in upper case"),
        ("XX.OO...", "has 8 marks, expected 9"),
        (None, "expected a str"),
        (["X"] * 9, "expected a str"),
    ],
)
def test_best_move_says_what_is_wrong(board: str, message: str) -> None:
    with pytest.raises(InvalidBoardError, match=message):
        best_move(board)


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: str(case["id"]))
def test_known_event_sequences(case: dict[str, list[list[str]]]) -> None:
    assert play_against_ai(case["human_moves"]) == case["events"]  # type: ignore[arg-type]


def test_every_sequence_of_up_to_four_attempts() -> None:
    for length in range(5):
        for attempts in product(CELLS, repeat=length):
            assert play_against_ai(attempts) == referee(attempts), attempts


def test_long_sequences() -> None:
    chance = random.Random(4)
    finals = set()
    for _ in range(2000):
        attempts = chance.choices(CELLS, k=chance.randint(5, 30))
        events = play_against_ai(attempts)
        assert events == referee(attempts), attempts
        finals.add(events[-1][5])
    assert finals == {"IN_PROGRESS", "O_WON", "DRAW"}


def test_a_human_never_wins() -> None:
    def endings(attempts: Attempts) -> Iterator[str]:
        events = play_against_ai(attempts)
        if events and events[-1][5] != "IN_PROGRESS":
            yield events[-1][5]
            return
        board = "".join(events[-1][2:5]) if events else "." * 9
        for row, column in CELLS:
            if board[3 * row + column] == ".":
                yield from endings([*attempts, (row, column)])

    statuses = list(endings([]))
    assert (statuses.count("O_WON"), statuses.count("DRAW")) == (498, 183)
    assert len(statuses) == 498 + 183


def test_events_are_independent() -> None:
    moves = [[0, 0], [1, 1], [0, 1]]
    first = play_against_ai(moves)
    assert moves == [[0, 0], [1, 1], [0, 1]]
    assert len({id(event) for event in first}) == len(first)
    for event in first:
        event[:] = ["spoilt"] * 8
    assert play_against_ai(moves) == referee([(0, 0), (1, 1), (0, 1)])
    assert {type(field) for event in play_against_ai(moves) for field in event} == {str}
    assert play_against_ai([]) == []
    assert play_against_ai([]) is not play_against_ai([])


@pytest.mark.parametrize(
    "moves",
    [
        ((0, 0), (1, 1)),
        [range(2), (2, 2)],
        [[np.int8(0), np.uint64(1)]],
        np.array([[0, 0], [1, 1], [0, 1]]),
        np.array([[2, 2], [2, 1]], np.uint8),
        np.zeros((0, 2), int),
        np.array([]),
        [np.array([1, 2]), (0, 1)],
        [array("b", [1, 2]), memoryview(b"\0\1")],
        deque([(0, 0)]),
        np.array([[0, 1]], object),
        np.array([[0, 0], [1, 1], [0, 1]])[::-1, ::-1],
    ],
)
def test_any_sequence_of_pairs_will_do(moves: list[tuple[int, int]]) -> None:
    attempts = [(int(row), int(column)) for row, column in moves]
    assert play_against_ai(moves) == referee(attempts)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (None, "human_moves is None, expected a sequence of"),
        (5, "human_moves is 5, expected a sequence"),
        ("00", "human_moves is '00', expected a sequence"),
        (b"00", "human_moves is b'00', expected a sequence"),
        ({(0, 0)}, "human_moves is of type set, expected a sequence"),
        ({0: (0, 0)}, "human_moves is of type dict, expected a sequence"),
        (iter([(0, 0)]), "human_moves is of type list_iterator, expected a sequence"),
        (np.array(5), "human_moves is of type ndarray, expected a sequence"),
        ([0, 0], r"human_moves\[0\] is 0, expected a pair \[row, column\]"),
        ([[0, 0], None], r"human_moves\[1\] is None, expected a pair"),
        ([[0, 0], "01"], r"human_moves\[1\] is '01', expected a pair"),
        ([[0, 0], b"\0\1"], r"human_moves\[1\] is b'\\x00\\x01', expected a pair"),
        ([[0, 0], bytearray(2)], r"human_moves\[1\] is of type bytearray, expected a"),
        ([[0, 0], {0, 1}], r"human_moves\[1\] is of type set, expected a pair"),
        ([[0, 0], []], r"human_moves\[1\] has 0 items, expected a pair"),
        ([[0, 0], [1]], r"human_moves\[1\] has 1 items, expected a pair"),
        ([[0, 0], [1, 1, 1]], r"human_moves\[1\] has 3 items, expected a pair"),
        (np.zeros((2, 3), int), r"human_moves\[0\] has 3 items, expected a pair"),
        (np.zeros(4, int), r"human_moves\[0\] is 0, expected a pair"),
        ([[0, 0], [3, 0]], r"human_moves\[1\]: row is 3, expected an integer from 0"),
        ([[0, 0], [0, -1]], r"human_moves\[1\]: column is -1, expected an integer"),
        ([[0, 10**40]], r"human_moves\[0\]: column is an integer of 133 bits"),
        ([[True, 0]], r"human_moves\[0\]: row is True, expected an integer"),
        ([[0, 1.0]], r"human_moves\[0\]: column is 1.0, expected an integer"),
        ([["0", 1]], r"human_moves\[0\]: row is '0', expected an integer"),
        ([[None, 1]], r"human_moves\[0\]: row is None, expected an integer"),
        ([[np.int64(3), 1]], r"human_moves\[0\]: row is 3, expected an integer"),
        ([[np.True_, 1]], r"human_moves\[0\]: row is of type bool"),
        (np.array([[0.0, 1.0]]), r"human_moves\[0\]: row is 0.0, expected an integer"),
        (np.array([[True, False]]), r"human_moves\[0\]: row is True, expected"),
    ],
)
def test_a_malformed_attempt_is_named(moves: list[list[int]], message: str) -> None:
    with pytest.raises(InvalidMoveError, match=message):
        play_against_ai(moves)


def test_every_attempt_is_checked_before_the_first_is_played() -> None:
    with pytest.raises(InvalidMoveError, match=r"human_moves\[40\]: row is 9"):
        play_against_ai([*[[0, 0], [0, 1], [2, 2], [2, 1]] * 10, [9, 9]])


def test_situation_score_is_the_value_of_fill() -> None:
    for board, turn in oracle.STATES[::11]:
        assert situation_score(board, turn) == oracle.value("fill", board, turn)
    assert situation_score("OOO......", 1) == 3


@pytest.mark.parametrize("turn", [None, 2, "O"])
def test_situation_score_wants_the_turn(turn: int) -> None:
    with pytest.raises(InvalidBoardError, match=r"^turn is .*, expected 0 "):
        situation_score("." * 9, turn)
