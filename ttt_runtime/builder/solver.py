"""Solve a variant: the minimax value and the best cells of every state.

A board is cut into two halves of its cells. What stands in a half is a `part`, a base-3
numeral of its own, and a table has the shape (turn, leading part, trailing part): in C
order its entries are numbered as `ttt_runtime.boards` numbers the states. A layer is
all parts with as many marks. From the fullest layer of the leading half down, every
state after a move is settled before the state itself::

    a move in the leading half    takes a whole row, with every trailing part, at once
    a move in the trailing half   does the same in a block of rows, turned on its side

so that a move is a look-up of rows and a minimum or a maximum of bytes.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_MOVE, UNDEFINED, Grid, as_integer, shown
from ..errors import InvalidVariantError
from ..files import ARRAYS, COMMON
from ..variants import Variant

Array = NDArray[Any]

SIDES = (0, np.minimum, 127), (1, np.maximum, -127)
"""Each turn, how its side chooses among values, and one that no value is worse than."""

ROWS = 128
"""How many leading parts are settled at once: what is made of them stays in the cache.

One core solved 4x4 in 3.1 s with 64, in 2.8 with 128, in 2.8 with 256.
"""


X_LINE, O_LINE, OVER = 1, 2, 4
"""What a board may show: a line of X, a line of O, the end of play."""


class Layer(NamedTuple):
    """Parts with as many marks, and the moves that are left in each."""

    parts: Array
    """Their numbers: (n,)."""
    free: Array
    """The cells of the half that are empty: (n, moves)."""
    after: tuple[Array, Array]
    """For each turn the part after a mark in each of these cells: (n, moves)."""


class Half:
    """Half of a board's cells, and every part that may stand there."""

    def __init__(self, grid: Grid, first: int, end: int) -> None:
        self.cells = end - first
        powers = 3 ** np.arange(self.cells)[::-1]
        digits = np.arange(3**self.cells)[:, None] // powers % 3
        self.count = len(digits)
        self.empty = (digits == 0).sum(1)
        x_marks, o_marks = digits == 1, digits == 2
        self.surplus = (1 * x_marks - o_marks).sum(1, dtype=np.int8)
        self.held = [self._held(grid, first, marks) for marks in (x_marks, o_marks)]
        """For X and for O, whether it has all that a line takes here: (lines, n)."""
        self.layers = []
        for moves in range(self.cells + 1):
            parts = np.flatnonzero(self.empty == moves)
            free = np.nonzero(digits[parts] == 0)[1].reshape(len(parts), moves)
            after = [parts[:, None] + mark * powers[free] for mark in (1, 2)]
            self.layers.append(
                Layer(parts, free.astype(np.uint8), (after[0], after[1]))
            )

    def _held(self, grid: Grid, first: int, marks: Array) -> Array:
        """Return, for each line, in which parts all its cells here bear the mark."""
        held = np.ones((len(grid.lines), self.count), np.bool_)
        for number, line in enumerate(grid.lines):
            here = [cell - first for cell in line if 0 <= cell - first < self.cells]
            held[number] = marks[:, here].all(1)
        return held

    def pieces(self) -> list[list[Layer]]:
        """Return the layers from the fullest on, each in pieces of `ROWS` parts."""
        return [
            [
                Layer(parts[cut], free[cut], (after[0][cut], after[1][cut]))
                for start in range(0, len(parts), ROWS)
                for cut in [slice(start, start + ROWS)]
            ]
            for parts, free, after in self.layers
        ]


class Endings:
    """How many lines and empty cells each board has, and what the rules say of that.

    Lines of X, lines of O and empty cells make one number, the board's code. A code is
    a sum over the lines, each a product of what the two halves have of it, and over the
    empty cells of both: a product of matrices. What follows from a code is looked up.
    """

    def __init__(self, variant: Variant, lead: Half, trail: Half) -> None:
        cells, lines = variant.grid.cells, len(variant.grid.lines)
        if lines > 127:
            raise InvalidVariantError(
                f"{variant.name} has {lines} lines, expected at most 127"
            )
        self.lead, self.trail = lead, trail
        x_weight, o_weight = (lines + 1) * (cells + 1), cells + 1
        x_lines, o_lines = lead.held
        one = np.ones(lead.count)
        self._lead_has = np.vstack(
            [x_weight * x_lines, o_weight * o_lines, lead.empty, one]
        ).astype(np.float32)
        one = np.ones(trail.count)
        self._trail_has = np.vstack([*trail.held, one, trail.empty]).T.astype(
            np.float32
        )
        counts = np.indices((lines + 1, lines + 1, cells + 1)).reshape(3, -1)
        x_line, o_line, some = counts > 0
        ends = variant.rules.ends_at_line
        over, both = ~some | ends & (x_line | o_line), ends & x_line & o_line
        self.signs = (X_LINE * x_line | O_LINE * o_line | OVER * over).astype(np.uint8)
        """For each code the sum of `X_LINE`, `O_LINE` and `OVER`, where they hold."""
        self.scores = np.full(over.shape, UNDEFINED, np.int8)
        self.faults: dict[int, InvalidVariantError] = {}
        for code in np.flatnonzero(over & ~both).tolist():
            try:
                self.scores[code] = _score(variant, *counts[:, code].tolist())
            except InvalidVariantError as fault:  # this code may never occur
                self.faults[code] = fault

    def codes(self, rows: Array) -> Array:
        """Return the codes of boards: (trailing parts, rows)."""
        codes = (self._trail_has @ self._lead_has[:, rows]).astype(np.intp)
        if self.faults:
            for code in np.unique(codes).tolist():
                if code in self.faults:
                    raise self.faults[code]
        return codes


def _score(variant: Variant, x_lines: int, o_lines: int, empty: int) -> int:
    """Return what the end of a game counts, once it is known to fit in a byte.

    Rules are asked for one board at a time: in bytes their arithmetic could wrap.
    """
    try:
        given = variant.rules.score(x_lines, o_lines, empty)
        score, found = as_integer(given), shown(given)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code
        score, found = None, f"nothing ({type(error).__name__}: {error})"
    if score is None or not -127 <= score <= 127:
        raise InvalidVariantError(
            f"{variant.name} scores {found} for {x_lines} lines of X, {o_lines} of O "
            f"and {empty} empty cells, expected an integer from -127 to 127"
        )
    return score


def array_names(variant: Variant) -> list[str]:
    """Return the names of a variant's arrays, in their order."""
    return [*COMMON, "continuations"] if variant.counted else [*COMMON]


def solve(
    variant: Variant,
    progress: Callable[[float], object] | None = None,
    arrays: dict[str, Array] | None = None,
) -> dict[str, Array]:
    """Return the variant's arrays by name, each with an entry a state.

    Parameters
    ----------
    variant : Variant
        Has a score.
    progress : callable, optional
        Is told each time what share of the work has been done, 1 in all.
    arrays : dict of arrays, optional
        What is filled, if not new ones.

    Returns
    -------
    dict of arrays
        values : int8
            Minimax values from O's viewpoint; -128 where the state cannot occur.
        moves : int8
            The smallest of the best cells; -1 where there is none.
        optimal : little-endian uint16
            All the best cells as a mask, bit c for cell c; 0 where there is none.
        reachable : bool
            Whether a game from the empty board with X to move can lead there.
        continuations : int32, (states, 3)
            Where they are counted: how many ways to play on X wins, O wins, nobody.

    Raises
    ------
    InvalidVariantError
        If a score is not an integer from -127 to 127, or there are over 127 lines.
    """
    if arrays is None:
        arrays = {}
        for name in array_names(variant):
            dtype, entry = ARRAYS[name]
            arrays[name] = np.empty((variant.grid.states, *entry), dtype)
    solution = _Solution(variant, arrays)
    lead = solution.lead
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # NumPy works outside of the lock
        for pieces in lead.pieces():
            settled = pool.map(solution.settle, pieces)
            for piece, _ in zip(pieces, settled, strict=True):
                if progress:
                    progress(len(piece.parts) / lead.count)
    if variant.counted:
        shape = arrays["continuations"].shape
        arrays["continuations"][:] = _continuations(variant).reshape(shape)
    return arrays


class _Solution:
    """The arrays of a variant, (turn, leading part, trailing part), while they fill."""

    def __init__(self, variant: Variant, arrays: dict[str, Array]) -> None:
        grid = variant.grid
        self.variant = variant
        self.middle = grid.cells // 2
        self.lead = Half(grid, 0, self.middle)
        self.trail = Half(grid, self.middle, grid.cells)
        self.endings = Endings(variant, self.lead, self.trail)
        shape = 2, self.lead.count, self.trail.count
        self.values, self.moves, self.optimal, self.reachable = [
            arrays[name].reshape(shape) for name in COMMON
        ]
        self._smallest = np.full(1 << grid.cells, NO_MOVE, np.int8)
        for cell in reversed(range(grid.cells)):
            self._smallest.reshape(-1, 2, 1 << cell)[:, 1] = cell

    def settle(self, piece: Layer) -> None:
        """Fill rows, once all rows with one more mark are filled."""
        endings, parts = self.endings, piece.parts
        codes = endings.codes(parts)
        signs = endings.signs.take(codes)
        over = signs >= OVER
        block = np.empty((2, *codes.shape), np.int8)
        for turn, better, worst in SIDES:
            best = np.full(codes.T.shape, worst, np.int8)
            for after in piece.after[turn].T:
                better(best, self.values[1 - turn].take(after, 0), out=best)
            block[turn] = best.T
        final = endings.scores.take(codes)
        trailing = _settle_trailing(block, over, final, self.trail.layers)
        goes_on = np.ascontiguousarray(~over.T)
        for turn in 0, 1:
            own = np.ascontiguousarray(block[turn].T)
            leading = np.zeros(own.shape, np.uint8)
            for free, after in zip(piece.free.T, piece.after[turn].T, strict=True):
                best = self.values[1 - turn].take(after, 0) == own
                leading |= best.view(np.uint8) << free[:, None]
            cells = np.left_shift(trailing[turn].T, self.middle, dtype="<u2", order="C")
            cells |= leading
            cells *= goes_on
            reached = _reached(self.variant, endings, signs, parts, turn).T
            for row, part in enumerate(parts):
                self.values[turn, part] = own[row]
                self.optimal[turn, part] = cells[row]
                move = self.moves[turn, part]
                self._smallest.take(cells[row], out=move, mode="clip")
                self.reachable[turn, part] = reached[row]


def _settle_trailing(
    block: Array, over: Array, final: Array, layers: list[Layer]
) -> Array:
    """Settle the values of a block, and return which trailing cells are best.

    Parameters
    ----------
    block : int8, (2, trailing parts, rows)
        The best value after a move in the leading half; the value when this returns.
    over, final : bool and int8, (trailing parts, rows)
        Where play has ended, and the value there.
    layers : list of Layer
        Of the trailing half.

    Returns
    -------
    uint8, (2, trailing parts, rows)
        Bit c for cell c of the half.
    """
    masks = np.zeros(block.shape, np.uint8)
    for parts, free, afters in layers:
        for turn, better, _ in SIDES:
            following = [block[1 - turn].take(after, 0) for after in afters[turn].T]
            best = block[turn].take(parts, 0)
            for values in following:
                better(best, values, out=best)
            np.copyto(best, final.take(parts, 0), where=over.take(parts, 0))
            block[turn, parts] = best
            mask = np.zeros(best.shape, np.uint8)
            for cells, values in zip(free.T, following, strict=True):
                mask |= (values == best).view(np.uint8) << cells[:, None]
            masks[turn, parts] = mask
    return masks


def _reached(
    variant: Variant, endings: Endings, signs: Array, rows: Array, turn: int
) -> Array:
    """Return to which boards a game can lead with this side to move: (parts, rows).

    X has as many marks as O, or one more. Where play ends at a line, only the side that
    has just moved may have lines, and one of its marks, the last, is in all of them.
    """
    fits: Array = endings.trail.surplus[:, None] + endings.lead.surplus[rows] == turn
    if not variant.rules.ends_at_line:
        return fits
    has, had = (X_LINE, O_LINE) if turn else (O_LINE, X_LINE)
    fits &= signs & had == 0
    parts, columns = divmod(np.flatnonzero(fits & (signs & has > 0)), len(rows))
    held = endings.trail.held[1 - turn][:, parts]
    held &= endings.lead.held[1 - turn][:, rows[columns]]
    common = np.full(len(parts), 0xFFFF, np.uint16)
    for line, own in zip(variant.grid.lines, held, strict=True):
        cells = sum(1 << cell for cell in line)
        common &= np.where(own, np.uint16(cells), np.uint16(0xFFFF))
    fits[parts, columns] = common > 0
    return fits


def _continuations(variant: Variant) -> Array:
    """Count the continuations of every state that end in an X win, an O win, a draw.

    The counts have an axis for the turn and one for each cell: a move is a step along
    the cell's axis. Each sweep counts the games that are one move longer.
    """
    grid = variant.grid
    lead, trail = Half(grid, 0, 0), Half(grid, 0, grid.cells)
    endings = Endings(variant, lead, trail)
    codes = endings.codes(np.array([0])).reshape((3,) * grid.cells)
    over, score = endings.signs[codes] >= OVER, endings.scores[codes]
    scored = over & (score != UNDEFINED)
    ends = np.stack([score < 0, score > 0, score == 0], -1) & scored[..., None]
    counts = np.zeros((2, *ends.shape), np.int32)
    for _ in range(grid.cells):
        for turn in 0, 1:
            counts[turn] = ends
            for cell in range(grid.cells):
                before: tuple[slice | int, ...] = (slice(None),) * cell + (0,)
                after = (slice(None),) * cell + (turn + 1,)
                counts[turn][before] += (
                    counts[1 - turn][after] * ~over[before][..., None]
                )
    return counts


def count_states(variant: Variant, arrays: dict[str, Array]) -> dict[str, int]:
    """Count a variant's states; won, lost and drawn are for the side to move."""
    shape = 2, 3 ** (variant.grid.cells // 2), -1
    reachable, moves, values = [
        arrays[name].reshape(shape) for name in ("reachable", "moves", "values")
    ]
    counts = dict.fromkeys(["reachable", "finished", "won", "lost", "drawn"], 0)
    # Some rows at once stay in the cache; whole arrays took 0.3 s for 4x4.
    for row in range(0, shape[1], ROWS):
        for turn, better, worse in (0, np.less, np.greater), (1, np.greater, np.less):
            rows = turn, slice(row, row + ROWS)
            reached, value = reachable[rows], values[rows]
            for name, states in {
                "reachable": reached,
                "finished": reached & (moves[rows] == NO_MOVE),
                "won": reached & better(value, 0),
                "lost": reached & worse(value, 0),
                "drawn": reached & (value == 0),
            }.items():
                counts[name] += int(np.count_nonzero(states))
    return {
        "states": variant.grid.states,
        **counts,
        "empty_board": int(arrays["values"][0]),
    }
