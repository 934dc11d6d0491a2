"""Tests that prove the tables by other people's rules, by symmetry and by one step.

OpenSpiel is another implementation of the game, from which states, legal moves and
returns are taken. It is the optional group ``proof``; without it that test is skipped,
but with CI set in the environment it fails.
"""

import importlib
import os
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from tests import oracle
from ttt_runtime import Table, load

VARIANTS = pytest.mark.parametrize("variant", oracle.VARIANTS)

Entry = tuple[int, int, int, bool]
"""What the arrays say about a state: value, move, mask, reachable."""


@cache
def entries(variant: str) -> list[Entry]:
    """Read the arrays of a variant as they are, by index."""
    table = load(variant)
    optimal = table.raw("optimal")
    return [
        (value, move, low | high << 8, bool(reachable))
        for value, move, low, high, reachable in zip(
            table.raw("values").cast("b"),
            table.raw("moves").cast("b"),
            optimal[::2],
            optimal[1::2],
            table.raw("reachable"),
            strict=True,
        )
    ]


INDEX = {state: index for index, state in enumerate(oracle.STATES)}


def cells(mask: int) -> list[int]:
    """List the cells of a mask."""
    return [cell for cell in range(9) if mask >> cell & 1]


# By OpenSpiel


def pyspiel() -> ModuleType:
    """Import OpenSpiel, or skip; with CI set there is no skipping."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip("OpenSpiel is not installed; pip install open_spiel")


def legal(state: Any) -> list[int]:
    """Return the cells that OpenSpiel lets the mover choose."""
    return [int(cell) for cell in state.legal_actions()]


def read_board(state: Any) -> str:
    """Return a state of OpenSpiel as a board."""
    marks = "".join(str(state).split())
    return marks.replace("x", "X").replace("o", "O")


@pytest.mark.parametrize(
    ("variant", "game"),
    [("standard", "tic_tac_toe"), ("misere", "misere(game=tic_tac_toe())")],
)
def test_openspiel_plays_the_same_game(variant: str, game: str) -> None:
    """All 5,478 states that OpenSpiel reaches, and no other: value, best cells, end.

    Rules and returns are OpenSpiel's; only the search over its states is done here.
    """
    seen: dict[tuple[str, int], int] = {}
    table = load(variant)

    def value(state: Any) -> int:
        board = read_board(state)
        over = state.is_terminal()
        # OpenSpiel has no turn at the end; the counts tell whose it would be.
        turn = board.count("X") - board.count("O") if over else state.current_player()
        if (board, turn) in seen:
            return seen[board, turn]
        best: list[int] = []
        if over:
            found = int(state.returns()[1])
            assert state.returns()[0] == -found
        else:
            after = {cell: value(state.child(cell)) for cell in legal(state)}
            found = (max if turn else min)(after.values())
            best = [cell for cell in sorted(after) if after[cell] == found]
            assert table.move_values(board, turn) == after
            assert table.move_values(board) == after
        assert table.value(board, turn) == found, board
        assert table.optimal_moves(board, turn) == tuple(best), board
        assert table.move(board, turn) == (best[0] if best else None), board
        assert table.is_reachable(board, turn), board
        seen[board, turn] = found
        return found

    assert value(pyspiel().load_game(game).new_initial_state()) == 0
    assert len(seen) == 5478
    reachable = [index for index, entry in enumerate(entries(variant)) if entry[3]]
    assert {oracle.STATES[index] for index in reachable} == seen.keys()


# By symmetry

SWAP = str.maketrans("XO", "OX")


@VARIANTS
def test_swapping_marks_and_turn_negates_every_value(variant: str) -> None:
    """Neither side is favoured: 39,366 states, with the same best cells."""
    found = entries(variant)
    for index, (board, turn) in enumerate(oracle.STATES):
        value, move, mask, _ = found[index]
        twin = found[INDEX[board.translate(SWAP), 1 - turn]]
        expected = value if oracle.meaningless(variant, board) else -value
        assert twin[:3] == (expected, move, mask), (board, turn)


def symmetries() -> list[list[int]]:
    """Return the eight ways to lay a square on itself, each as cells for cells."""
    turned = [6, 3, 0, 7, 4, 1, 8, 5, 2]
    mirrored = [2, 1, 0, 5, 4, 3, 8, 7, 6]
    found = []
    for start in (list(range(9)), mirrored):
        way = start
        for _ in range(4):
            found.append(way)
            way = [way[cell] for cell in turned]
    return found


def test_a_square_has_eight_symmetries() -> None:
    """They differ, and each takes lines to lines."""
    ways = symmetries()
    assert len({tuple(way) for way in ways}) == 8
    lines = {frozenset(map(int, way)) for way in oracle.WAYS}
    for way in ways:
        assert {frozenset(way[cell] for cell in line) for line in lines} == lines


@VARIANTS
def test_turning_and_mirroring_the_board_changes_no_value(variant: str) -> None:
    """Eight symmetries of 39,366 states; best cells go where the symmetry takes them.

    The move is the smallest of them on either board.
    """
    found = entries(variant)
    for way in symmetries():
        shifts = {1 << way[cell]: 1 << cell for cell in range(9)}
        taken = [
            sum(new for old, new in shifts.items() if mask & old) for mask in range(512)
        ]
        for index, (board, turn) in enumerate(oracle.STATES):
            value, _, mask, reachable = found[index]
            image = "".join([board[cell] for cell in way])
            twin = found[INDEX[image, turn]]
            move = min(cells(taken[mask]), default=-1)
            assert twin == (value, move, taken[mask], reachable), (board, turn, way)


# By one step


@VARIANTS
def test_every_entry_follows_from_the_entries_after_it(variant: str) -> None:
    """39,366 states: the score where play has ended, else the best value after it.

    A state is reachable if it is the empty board with X to move, or comes one move
    after a reachable state on which play goes on.
    """
    found = entries(variant)
    reached = {INDEX["." * 9, 0]}
    for index, (board, turn) in enumerate(oracle.STATES):
        value, move, mask, reachable = found[index]
        if oracle.meaningless(variant, board):
            assert (value, move, mask) == (-128, -1, 0)
        elif oracle.ended(variant, board):
            assert (value, move, mask) == (oracle.score(variant, board), -1, 0)
        else:
            after = {
                cell: INDEX[oracle.play(board, turn, cell), 1 - turn]
                for cell in range(9)
                if board[cell] == "."
            }
            values = {cell: found[state][0] for cell, state in after.items()}
            assert -128 not in values.values()
            best = (max if turn else min)(values.values())
            expected = [cell for cell in values if values[cell] == best]
            assert (value, move) == (best, expected[0]), (board, turn)
            assert cells(mask) == expected, (board, turn)
            if reachable:
                reached |= set(after.values())
    assert reached == {index for index, entry in enumerate(found) if entry[3]}


def test_every_count_of_continuations_follows_from_the_counts_after_it() -> None:
    """39,366 states: one where play has ended, else the sum of the counts after it."""
    counts = load().continuations.tolist()
    for index, (board, turn) in enumerate(oracle.STATES):
        if oracle.meaningless("standard", board):
            expected = [0, 0, 0]
        elif oracle.ended("standard", board):
            score = oracle.score("standard", board)
            expected = [int(score == end) for end in (-1, 1, 0)]
        else:
            after = [
                counts[INDEX[oracle.play(board, turn, cell), 1 - turn]]
                for cell in range(9)
                if board[cell] == "."
            ]
            expected = [sum(column) for column in zip(*after, strict=True)]
        assert counts[index] == expected, (board, turn)
    assert counts[0] == [131184, 77904, 46080]


@VARIANTS
def test_every_answer_is_what_the_arrays_say(variant: str) -> None:
    """What was proved of 39,366 entries holds of the answers to questions by index."""
    table: Table = load(variant)
    questions: list[Callable[[int], object]] = [
        table.value_at,
        table.move_at,
        table.optimal_at,
        table.is_reachable_at,
    ]
    for index, (value, move, mask, reachable) in enumerate(entries(variant)):
        if value != -128:
            found = [question(index) for question in questions]
            assert found == [value, None if move == -1 else move, mask, reachable]
