"""Tests that the tables are right by other people's rules: OpenSpiel's.

It is the optional group ``proof``; without it these tests are skipped, but with CI set
in the environment they fail.
"""

import importlib
import os
from types import ModuleType
from typing import Any

import pytest

from tests import oracle
from ttt_runtime import load


def pyspiel() -> ModuleType:
    """Import OpenSpiel, or skip; with CI set there is no skipping."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip("OpenSpiel is not installed; pip install open_spiel")


@pytest.mark.parametrize(
    ("variant", "game"),
    [("standard", "tic_tac_toe"), ("misere", "misere(game=tic_tac_toe())")],
)
def test_openspiel_reaches_the_same_states_with_the_same_values_and_moves(
    variant: str, game: str
) -> None:
    table = load(variant)
    seen: dict[tuple[str, int], int] = {}

    def value(state: Any) -> int:
        board = "".join(str(state).split()).upper()
        over = state.is_terminal()
        # OpenSpiel has no turn at the end; the counts tell whose it would be.
        turn = board.count("X") - board.count("O") if over else state.current_player()
        if (board, turn) in seen:
            return seen[board, turn]
        after = {cell: value(state.child(cell)) for cell in state.legal_actions()}
        found = int(state.returns()[1])
        if after:
            found = (max if turn else min)(after.values())
        best = tuple(cell for cell in sorted(after) if after[cell] == found)
        assert table.value(board, turn) == found, board
        assert table.move_values(board, turn) == after, board
        assert table.optimal_moves(board, turn) == best, board
        assert table.move(board, turn) == min(best, default=None), board
        seen[board, turn] = found
        return found

    assert value(pyspiel().load_game(game).new_initial_state()) == 0
    reachable = table.raw("reachable")
    assert seen.keys() == {
        state
        for state, reached in zip(oracle.STATES, reachable, strict=True)
        if reached
    }
