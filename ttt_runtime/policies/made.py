"""Policies to measure others by, and the values that a policy can be made from.

Each is made for all states, or for those of `indices`, an array of any shape.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..arrays.given import indices_of, read_integers
from ..boards import NO_MOVE, UNDEFINED
from ..errors import InvalidPolicyError
from ..levels import PERFECT_MOVES, checked_level
from ..tables import Table
from .layers import CHUNK, Array, described, digits_of, table_of


class _States(NamedTuple):
    """Some states, what each move leads to, and which cells are best."""

    table: Table
    indices: Array
    digits: Array
    """Of the boards: (n, cells), as `legal`, `after` and `best`."""
    legal: Array
    after: Array
    """The index of the state after each move, 0 where there is none."""

    @property
    def best(self) -> Array:
        masks = self.table.optimal[self.indices]
        bits: Array = masks[:, None] >> np.arange(self.legal.shape[1]) & 1 == 1
        return bits

    @property
    def sign(self) -> Array:
        """-1 where X moves next, 1 where O does: int8, (n, 1)."""
        turns = self.indices >= self.table.grid.boards
        return np.where(turns, 1, -1).astype(np.int8)[:, None]


def action_values(
    variant: str | Table = "standard",
    mover: bool = False,
    indices: ArrayLike | None = None,
) -> NDArray[np.int8]:
    """Return the value of the state after each legal cell.

    Parameters
    ----------
    variant : str or Table
        What `load` takes, or what it returned.
    mover : bool
        Whether values are from the side of whoever moves; else from O's viewpoint.
    indices : array_like of int, (...), optional
        The states to answer for, all of them if left out.

    Returns
    -------
    ndarray of int8, (..., cells)
        `UNDEFINED`, -128, in a taken cell, where play has ended, and in states that
        have no meaning.

    Raises
    ------
    InvalidIndexError
        At the first index that is none.

    Examples
    --------
    >>> action_values("fastest", mover=True, indices=[9396]).tolist()
    [[-128, -128, 5, -128, -128, 0, -4, -4, -4]]
    """

    def answer(states: _States) -> Any:
        values = states.table.values[states.after]
        seen = values * states.sign if mover else values
        return np.where(states.legal, seen, np.int8(UNDEFINED))

    return _each(answer, variant, indices, np.int8)


def uniform(
    variant: str | Table = "standard", indices: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Return the policy that plays any legal cell, each with the same chance.

    Parameters and errors are those of `action_values`.

    Examples
    --------
    >>> uniform(indices=[9396]).tolist()
    [[0.0, 0.0, 0.2, 0.0, 0.0, 0.2, 0.2, 0.2, 0.2]]
    """
    return _each(lambda states: _shares(states.legal), variant, indices)


def perfect(
    variant: str | Table = "standard",
    table_move: bool = False,
    indices: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the policy that plays the best cells, each with the same chance.

    With `table_move` it plays the smallest of them, as ``table.moves`` has it. The
    other parameters and errors are those of `action_values`.

    Examples
    --------
    >>> perfect(table_move=True, indices=[0, 9396]).argmax(1)
    array([0, 2])
    """

    def answer(states: _States) -> Any:
        if table_move:
            moves = states.table.moves[states.indices, None]
            return moves == np.arange(states.legal.shape[1])
        return _shares(states.best)

    return _each(answer, variant, indices)


def level(
    name: str,
    variant: str | Table = "standard",
    trap: bool = False,
    indices: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the policy of a level: the chances that ``levels.weights`` gives.

    Parameters
    ----------
    name : str
        One of ``levels.LEVELS``.
    trap : bool
        As in ``levels.weights``.
    variant, indices
        As in `action_values`.

    Raises
    ------
    InvalidLevelError
        If there is no such level.
    InvalidIndexError
        At the first index that is none.

    Examples
    --------
    >>> from ttt_runtime import encode
    >>> level("medium", indices=[encode("XX..O....")]).argmax(1)
    array([2])
    """
    name, table = checked_level(name), table_of(variant)
    if name == "medium":
        return _medium(table, indices)
    if name == "easy":
        return uniform(table, indices)
    if name == "perfect":
        return _trap(table, indices) if trap else perfect(table, indices=indices)

    def hard(states: _States) -> Any:
        best = states.best
        others = best.sum(1, keepdims=True)
        weights = PERFECT_MOVES * states.legal.sum(1, keepdims=True) * best + others
        return _shares(weights * states.legal)

    return _each(hard, table, indices)


def greedy(
    values: ArrayLike,
    variant: str | Table = "standard",
    smallest: bool = False,
    indices: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the policy that plays the cells of largest value.

    Parameters
    ----------
    values : array_like of numbers, (..., cells)
        The value of each cell, from the side of whoever moves. What stands in a taken
        cell, NaN or a sentinel, is ignored.
    variant : str or Table
        As in `action_values`.
    smallest : bool
        Whether the smallest of equally good cells is played alone; else all are, each
        with the same chance.
    indices : array_like of int, (...), optional
        The states of the rows; if left out, all states, or the reachable ones alone if
        there are as many rows.

    Raises
    ------
    InvalidPolicyError
        If the values have another shape, are no numbers, or a legal cell of a reachable
        state has NaN. In states that are not reachable the row is then zeros.
    InvalidIndexError
        At the first index that is none.

    Examples
    --------
    >>> greedy([[0, 0, 7, 9, 9, 1, 0, 7, 0]], smallest=True, indices=[9396]).argmax(1)
    array([2])
    """
    table = table_of(variant)
    try:
        given = np.asarray(values)
    except ValueError:  # rows of different lengths
        given = np.empty(0, object)
    if indices is None:
        reached = np.flatnonzero(table.reachable)
        alone = given.shape[:1] == reached.shape
        indices = reached if alone else np.arange(table.grid.states)
    states = read_integers(indices_of(table.grid), indices)
    wanted = *states.shape, table.grid.cells
    if given.shape != wanted or given.dtype.kind not in "iuf":
        raise InvalidPolicyError(
            f"values have shape {given.shape} and dtype {given.dtype}, expected "
            f"numbers of shape {wanted}"
        )
    legal = action_values(table, indices=states) != UNDEFINED
    unknown = legal & np.isnan(given) & table.reachable[states, None]
    if unknown.any():
        at, cell = divmod(int(unknown.argmax()), table.grid.cells)
        state = described(states.item(at), table.grid)
        raise InvalidPolicyError(
            f"values: in {state}, cell {cell} has nan, expected a number: it is empty"
        )
    return _shares(_largest(given, legal, smallest))


def _medium(table: Table, indices: ArrayLike | None) -> NDArray[np.float64]:
    """Return the policy of `medium`: most lines, or what two plies are sure of."""

    def lead(states: _States) -> Any:
        lines = [states.digits.T[[*line]] for line in table.grid.lines]
        return sum([1 * (line == 2).all(0) - (line == 1).all(0) for line in lines])

    def answer(states: _States) -> Any:
        return _shares(_largest(known[states.after] * states.sign, states.legal))

    if table.rules.unit == "lines":
        known = _each(lead, table, None, np.int8, ())
        return _each(answer, table, indices)
    ended = table.moves == NO_MOVE
    seen = np.where(ended, table.values, np.int8(0))

    def reply(states: _States) -> Any:
        ahead = np.where(states.legal, seen[states.after] * states.sign, np.int8(-127))
        return ahead.max(1) * states.sign[:, 0]

    replied = _each(reply, table, None, np.int8, ())
    known = np.where(ended, table.values, replied)
    return _each(answer, table, indices)


def _trap(table: Table, indices: ArrayLike | None) -> NDArray[np.float64]:
    """Return the policy of the best cells after which the most replies are wrong."""

    def count(states: _States) -> Any:
        return np.count_nonzero(states.legal & ~states.best, 1)

    wrong = _each(count, table, None, np.int8, ())
    return _each(
        lambda states: _shares(_largest(wrong[states.after], states.best)),
        table,
        indices,
    )


def _each(
    answer: Callable[[_States], Any],
    variant: str | Table,
    indices: ArrayLike | None,
    dtype: DTypeLike = np.float64,
    entry: tuple[int, ...] | None = None,
) -> Array:
    """Return what a function answers of the states, a row each, chunk by chunk."""
    table = table_of(variant)
    grid = table.grid
    if indices is None:
        given = np.arange(grid.states)
    else:
        given = read_integers(indices_of(grid), indices).astype(np.int64)
    line, entry = given.reshape(-1), (grid.cells,) if entry is None else entry
    rows = np.empty((line.size, *entry), dtype)
    powers = np.array(grid.powers)
    for start in range(0, line.size, CHUNK):
        some = line[start : start + CHUNK]
        digits = digits_of(some, grid)
        legal = (digits == 0) & (table.moves[some] != NO_MOVE)[:, None]
        turns = some // grid.boards
        added = np.multiply.outer(powers, 1 + turns) + (1 - 2 * turns) * grid.boards
        after = (added + some).T * legal
        states = _States(table, some, digits, legal, after)
        rows[start : start + CHUNK] = answer(states)
    return rows.reshape(*given.shape, *entry)


def _largest(keys: Array, among: Array, smallest: bool = False) -> Array:
    """Return in which of some cells a row has its largest key, or the first of them."""
    low = np.iinfo(keys.dtype).min if keys.dtype.kind in "iu" else -np.inf
    lowered = np.where(among, keys, np.array(low, keys.dtype))
    best: Array = among & (lowered == lowered.max(-1, keepdims=True))
    return np.logical_and(best, best.cumsum(-1) == 1) if smallest else best


def _shares(weights: Array) -> Array:
    """Return each row by its sum, zeros if it is of zeros."""
    shares: Array = weights / np.maximum(weights.sum(-1, keepdims=True), 1)
    return shares
