"""Agents that are no arrays: functions, and dicts from boards to moves or Q-values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..boards import as_integer, shown
from ..errors import InvalidPolicyError
from ..tables import Table
from .given import check
from .layers import Reached, described


def from_agent(
    agent: Callable[[str, int], Any],
    variant: str | Table = "standard",
    side: int | None = None,
) -> NDArray[np.float64]:
    """Return the policy of an agent, which is asked once in each state of a game.

    Parameters
    ----------
    agent : callable
        Takes a board and a turn, and returns the cell that it plays; or a dict from
        cells to chances.
    variant : str or Table
        What it plays.
    side : int, optional
        0 if it plays X alone, 1 if it plays O alone.

    Returns
    -------
    ndarray of float64, (states, cells)
        As `check` returns it.

    Raises
    ------
    InvalidPolicyError
        If it returns neither, or what `check` refuses.

    Examples
    --------
    >>> from ttt_runtime import best_move
    >>> from ttt_runtime.policies import exploitability
    >>> exploitability(from_agent(lambda board, turn: best_move(board))).nash_conv
    0.0
    """
    reached = Reached(variant)
    grid = reached.table.grid
    chances = np.zeros((grid.states, grid.cells))
    for layer in reached.layers:
        if side in (None, layer.turn):
            for index in reached.states[layer.rows].tolist():
                answer = agent(*grid.decode(index))
                parts = answer if isinstance(answer, Mapping) else {answer: 1.0}
                for cell, chance in parts.items():
                    known = as_integer(cell)
                    if known is None or not 0 <= known < grid.cells:
                        raise InvalidPolicyError(
                            f"agent: in {described(index, grid)}, it played "
                            f"{shown(cell)}, expected a cell from 0 to {grid.cells - 1}"
                        )
                    chances[index, known] = chance
    return check(chances, variant, side)


def from_dict(
    entries: Mapping[str, Any],
    variant: str | Table = "standard",
    side: int | None = None,
) -> NDArray[np.float64]:
    """Return the policy that a dict has, by the text of a board.

    Parameters
    ----------
    entries : dict
        For each board of a game that goes on, where it is the agent's turn: the cell
        that it plays; or its Q-values, from its own side, a sequence with one for each
        cell, or a dict that has the empty cells. It plays those of the largest Q-value,
        each with the same chance.
    variant : str or Table
        What it plays.
    side : int, optional
        0 if it plays X alone, 1 if it plays O alone.

    Returns
    -------
    ndarray of float64, (states, cells)
        As `check` returns it.

    Raises
    ------
    InvalidPolicyError
        If a board is missing, or its entry is neither a cell nor Q-values.
    InvalidBoardError
        If a key is no board.

    Examples
    --------
    >>> from_dict({".........": 4}, side=0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ttt_runtime.errors.InvalidPolicyError: agent: '.......XO' (X to move) is missing,...
    """
    grid = Reached(variant).table.grid
    for board in entries:
        grid.encode(board)

    def answer(board: str, turn: int) -> Any:
        where = f"agent: {board!r} ({'XO'[turn]} to move)"
        if board not in entries:
            raise InvalidPolicyError(f"{where} is missing, expected a cell or Q-values")
        entry = entries[board]
        if as_integer(entry) is not None:
            return entry
        values = {}
        for cell in [cell for cell, mark in enumerate(board) if mark == "."]:
            value = _number(entry, cell)
            if value is None:
                several = isinstance(entry, (Mapping, Sequence, np.ndarray))
                several = several and not isinstance(entry, str)
                found = f"no number for cell {cell}" if several else shown(entry)
                raise InvalidPolicyError(
                    f"{where} has {found}, expected a cell, or a number for each cell "
                    "that is empty"
                )
            values[cell] = value
        best = [cell for cell in values if values[cell] == max(values.values())]
        return dict.fromkeys(best, 1 / len(best))

    return from_agent(answer, variant, side)


def _number(entry: Any, cell: int) -> float | None:
    """Return the number of a cell, None if it has none."""
    try:
        value = float(entry[cell])
    except (TypeError, ValueError, LookupError):
        return None
    return None if np.isnan(value) else value
