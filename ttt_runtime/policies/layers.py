"""The reachable states, layer by layer: a layer has as many marks on each board.

Every move leads into the next layer. What is known of the end is carried back from the
last layer, what is known of the start forward from the first, a whole layer at once.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays.given import indices_of, place, read_integers
from ..boards import NO_MOVE, Grid
from ..errors import InvalidBoardError
from ..tables import Table, load

Array = NDArray[Any]

CHUNK = 1 << 14
"""How many states to work on at once: all of a layer of 3x3, and little memory."""


class Layer(NamedTuple):
    """Reachable states with as many marks, in which play goes on; or a part of them."""

    turn: int
    rows: Array
    """Their places among the reachable states: (n,)."""
    free: Array
    """The empty cells of each: uint8, (n, moves)."""
    after: Array
    """The place of the state after each of these moves: int32, (n, moves)."""


class Reached:
    """The reachable states of a variant.

    Attributes
    ----------
    table : Table
    states : ndarray of int, (reachable,)
        Their indices, in order.
    values : ndarray of int8, (reachable,)
        From O's viewpoint.
    layers : list of Layer
        From the empty board on, none where play has ended.
    """

    def __init__(self, variant: str | Table) -> None:
        self.table = table_of(variant)
        grid, reachable = self.table.grid, self.table.reachable
        self.states = np.flatnonzero(reachable)
        self.values = self.table.values[self.states]
        goes_on = self.table.moves[self.states] != NO_MOVE
        marks = np.empty(len(self.states), np.uint8)
        for start in range(0, len(marks), CHUNK):
            digits = digits_of(self.states[start : start + CHUNK], grid)
            marks[start : start + CHUNK] = np.count_nonzero(digits, axis=1)
        places = np.cumsum(reachable, dtype=np.int32)
        places -= 1
        powers = np.array(grid.powers)
        self.layers = []
        for count in range(grid.cells):
            rows = np.flatnonzero((marks == count) & goes_on)
            turn = count % 2
            step = (turn + 1) * powers + (1 - 2 * turn) * grid.boards
            for start in range(0, len(rows), CHUNK):
                some = rows[start : start + CHUNK]
                states = self.states[some]
                cells = np.nonzero(digits_of(states, grid) == 0)[1]
                free = cells.reshape(len(some), grid.cells - count)
                after = places[states[:, None] + step[free]]
                self.layers.append(Layer(turn, some, free.astype(np.uint8), after))

    def rows_of(self, indices: ArrayLike) -> Array:
        """Return the places of states among the reachable ones."""
        grid = self.table.grid
        given = read_integers(indices_of(grid), indices)
        missed = ~self.table.reachable[given]
        if missed.any():
            at = int(missed.argmax())
            state = described(given.item(at), grid)
            raise InvalidBoardError(
                f"indices{place(at, given.shape)} is {state}, expected one that a game "
                "from the empty board leads to"
            )
        return np.searchsorted(self.states, given)


def table_of(variant: str | Table) -> Table:
    """Return the table of a variant, or the one that is given."""
    return variant if isinstance(variant, Table) else load(variant)


def digits_of(indices: Array, grid: Grid) -> NDArray[np.uint8]:
    """Return the digits of boards, 0 for an empty cell: (n, cells)."""
    # Division by one number is four times as fast as by an array of powers. Cell after
    # cell in memory, sums and products over the cells take half the time.
    digits = np.empty((grid.cells, len(indices)), np.uint8)
    rest = (indices % grid.boards).astype(np.uint32)
    for cell in reversed(range(grid.cells)):
        quotient = rest // 3
        digits[cell] = rest - 3 * quotient
        rest = quotient
    return digits.T


def described(index: int, grid: Grid) -> str:
    """Write a state for an error message."""
    board, turn = grid.decode(index)
    return f"state {index}, {board!r}, {'XO'[turn]} to move"
