"""Agents that are no arrays: functions, and dicts from boards to moves or Q-values."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..boards import as_integer, shown
from ..errors import InvalidPolicyError
from ..opponent import items_of
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
    for layer in [each for each in reached.layers if side in (None, each.turn)]:
        states = reached.states[layer.rows].tolist()
        for index, free in zip(states, layer.free.tolist(), strict=True):
            answer = agent(*grid.decode(index))
            several = isinstance(answer, Mapping)
            for cell, chance in answer.items() if several else [(answer, 1.0)]:
                where = f"agent: in {described(index, grid)}, it"
                known = as_integer(cell)
                if known not in free:
                    raise InvalidPolicyError(
                        f"{where} played {shown(cell if known is None else known)}, "
                        f"expected an empty cell, one of {', '.join(map(str, free))}"
                    )
                try:
                    chances[index, known] = float(chance)
                except (TypeError, ValueError, OverflowError):
                    raise InvalidPolicyError(
                        f"{where} played {known} with {shown(chance)}, expected a "
                        "chance from 0 to 1"
                    ) from None
    try:
        return check(chances, variant, side)
    except InvalidPolicyError as error:
        raise InvalidPolicyError(str(error).replace("policy", "agent", 1)) from None


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
    known = copy(entries)  # a defaultdict gives what it has for others, and keeps them

    def answer(board: str, turn: int) -> Any:
        where = f"agent: {board!r} ({'XO'[turn]} to move)"
        try:
            entry = known[board]
        except LookupError:
            raise InvalidPolicyError(
                f"{where} is missing, expected a cell or Q-values"
            ) from None
        if as_integer(entry) is not None:
            return entry
        if not isinstance(entry, Mapping) and _length(entry) != grid.cells:
            raise InvalidPolicyError(
                f"{where} has {shown(entry)}, expected a cell, {grid.cells} Q-values, "
                "or a dict from the empty cells to theirs"
            )
        values = {}
        for cell in [cell for cell, mark in enumerate(board) if mark == "."]:
            try:
                values[cell] = float(entry[cell])
            except (TypeError, ValueError, LookupError, OverflowError):
                values[cell] = np.nan
            if np.isnan(values[cell]):
                raise InvalidPolicyError(
                    f"{where} has no Q-value for cell {cell}, expected a number for "
                    "each empty cell"
                )
        best = [cell for cell in values if values[cell] == max(values.values())]
        return dict.fromkeys(best, 1 / len(best))

    return from_agent(answer, variant, side)


def _length(entry: Any) -> int | None:
    """Return how many items a sequence or an array has, None for anything else."""
    items = items_of(entry)
    return None if items is None else len(items)
