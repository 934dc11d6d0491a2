"""Many boards at once, in NumPy.

`boards` are in one of these forms. The axes besides the cells give the answers their
shape, `()` for a single board:

- text, all the marks of a board an item, as in ``encode``;
- text, one mark an item: a last axis as long as a board has cells holds them, else the
  last two must be its rows and columns;
- integers, 0 for an empty cell, 1 for X, 2 for O, with the same axes. So on 3x3,
  ``(3, 3)`` is one board, ``(9, 3, 3)`` are nine, and so are ``(3, 3, 9)``, in three
  rows of three.

The variant says what size the boards have, 3x3 unless you name another, as `load` takes
it. No tables are needed where nothing is looked up, but for a variant of your own.

Give them as an array of any dtype that holds text or integers, as lists or tuples
nested to any depth, or as whatever NumPy makes such an array of: a column, or nine, of
a frame of pandas, Polars or pyarrow, a tensor. Floats and truth values are refused.

`turns` is 0 where X moves next, 1 where O does: one integer for all boards, or an array
that broadcasts to the shape of the answers. Without it the counts of X and O tell each
turn, and must then be ones that a game can have.

A bad board or turn raises an error that names its place, counted from 0, and there are
no answers. Nothing that you give is changed; an array in C order is not copied as a
whole either.
"""

from contextlib import suppress
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ..boards import MARKS, UNDEFINED, both_have_a_line, impossible
from ..errors import InvalidBoardError, UnknownVariantError
from ..symmetry import transforms
from ..tables import load
from ..variants import named
from .given import (
    CHUNK,
    Wanted,
    each_board,
    indices_of,
    place,
    read_integers,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from ..boards import Grid
    from ..tables import Table

__all__ = [
    "classes_at",
    "classes_of",
    "decode_many",
    "encode_many",
    "from_signed",
    "images_at",
    "mover_values_of",
    "moves_of",
    "optimal_of",
    "reachable_of",
    "to_text",
    "values_of",
]

_RUN = 9
"""How many cells are read from a table at once; those of a larger board take two."""

_DIGITS = np.indices((3,) * _RUN, np.int8).reshape(_RUN, -1).T.copy()
"""The digits of each numeral of so many: 1.6 times as fast as dividing by 3."""

_LEADS = np.array([0, 1, -1])[_DIGITS].sum(axis=1).astype(np.int16)
"""How many X more than O each of them has."""

_TURNS = Wanted("turns", range(2), "0 (X moves next) or 1 (O moves next)")
_SIGNED = Wanted("boards", range(-1, 2), "integers: 0 (empty), 1 (X) and -1 (O)")

_MARKS = np.array([*map(ord, MARKS)], np.uint32)


def encode_many(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the index of each state, made for ``table.values.take(indices)``.

    They are of the smallest dtype that holds every index, uint16 on 3x3: convert them
    before you add to them, or they wrap, at 65,536.

    Raises
    ------
    InvalidBoardError
        At the first board or turn that ``encode`` would refuse.
    UnknownVariantError
        If there is no variant of that name.

    Examples
    --------
    >>> encode_many(["XX.OO....", "X........"])
    array([ 9396, 26244], dtype=uint16)
    >>> encode_many(np.array([[1, 1, 0], [2, 2, 0], [0, 0, 0]]), 1)
    array(29079, dtype=uint16)
    >>> encode_many(["XX..OO.........."], variant="standard-4x4x4")
    array([19604268], dtype=uint32)
    """
    return _encode(boards, turns, _grid(variant))


def decode_many(
    indices: "ArrayLike", variant: str = "standard"
) -> "tuple[NDArray[np.int8], NDArray[np.int8]]":
    """Return the boards and the turns that indices stand for.

    Parameters
    ----------
    indices : array_like of int
        Any shape, any integer dtype.
    variant : str
        What the states are of.

    Returns
    -------
    boards : ndarray of int8
        0, 1 and 2, in the shape of `indices` and a last axis of the cells; `to_text`
        writes them in marks.
    turns : ndarray of int8
        0 and 1, in the shape of `indices`.

    Raises
    ------
    InvalidIndexError
        At the first item that is no integer from 0 to the number of states - 1, on 3x3
        39,365.
    UnknownVariantError
        If there is no variant of that name.

    Examples
    --------
    >>> boards, turns = decode_many([9396, 29079])
    >>> boards.tolist()
    [[1, 1, 0, 2, 2, 0, 0, 0, 0], [1, 1, 0, 2, 2, 0, 0, 0, 0]]
    >>> turns
    array([0, 1], dtype=int8)
    """
    grid = _grid(variant)
    given = read_integers(indices_of(grid), indices)
    line = given.reshape(-1)
    boards = np.empty((line.size, grid.cells), np.int8)
    turns = np.empty(line.size, np.int8)
    for start in range(0, line.size, CHUNK):
        chunk = slice(start, start + CHUNK)
        turns[chunk], numbers = _divided(line[chunk].astype(np.uint32), grid.boards)
        runs = [_DIGITS.take(run, axis=0) for run in _runs(numbers, grid.cells)]
        boards[chunk] = np.concatenate(runs, axis=1)[:, -grid.cells :]
    return boards.reshape(*given.shape, grid.cells), turns.reshape(given.shape)


def to_text(boards: "ArrayLike", variant: str = "standard") -> "NDArray[np.str_]":
    """Return each board in marks, an item of dtype ``U9`` on 3x3.

    Raises
    ------
    InvalidBoardError
        At the first board that is malformed.
    UnknownVariantError
        If there is no variant of that name.

    Examples
    --------
    >>> to_text([[1, 1, 0, 2, 2, 0, 0, 0, 0]]).tolist()
    ['XX.OO....']
    """
    grid = _grid(variant)
    text = f"U{grid.cells}"
    return each_board(
        lambda digits, _: _MARKS.take(digits).view(text)[:, 0], boards, grid, text
    )


def from_signed(boards: "ArrayLike", variant: str = "standard") -> "NDArray[np.int8]":
    """Return boards of 1 for X, -1 for O and 0 as boards of 1, 2 and 0.

    Parameters
    ----------
    boards : array_like of int
        Shape ``(..., cells)`` or ``(..., rows, columns)``, which the answer has too.
        Where 1 means O, give ``-boards``.
    variant : str
        What the boards are of.

    Raises
    ------
    InvalidBoardError
        At the first item that is none of these.
    UnknownVariantError
        If there is no variant of that name.

    Examples
    --------
    >>> encode_many(from_signed([1, 1, 0, -1, -1, 0, 0, 0, 0]))
    array(9396, dtype=uint16)
    """
    array = read_integers(_SIGNED, boards)
    rows_of(array, _grid(variant))  # refuses any other shape
    digits = array.astype(np.int8, "C")
    digits[digits < 0] = 2
    return digits


def values_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.int8]":
    """Return the value of each state, from O's viewpoint: O maximises, X minimises.

    Raises
    ------
    InvalidBoardError
        At the first board or turn that ``Table.value`` would refuse.
    UnknownVariantError
        If there is no variant of that name.
    TableError
        If its tables are not built, or damaged.

    Examples
    --------
    >>> values_of(["XX.OO....", "X...O...X"], [0, 1], "fastest")
    array([-5,  0], dtype=int8)
    """
    return _look_up(boards, turns, variant)[2]


def mover_values_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.int8]":
    """Return the value of each state from the viewpoint of the side to move.

    Positive is good for that side: it is ``values_of`` where O moves next, and
    ``-values_of`` where X does. Raises the same as `values_of`.

    Examples
    --------
    >>> mover_values_of(["XX.OO....", "XX.OO...."], [0, 1], "fastest")
    array([5, 5], dtype=int8)
    """
    table, indices, values = _look_up(boards, turns, variant)
    return np.where(indices < table.grid.boards, -values, values)


def moves_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.int8]":
    """Return the smallest of the best cells of each state, -1 where play has ended.

    Raises the same as `values_of`.

    Examples
    --------
    >>> moves_of(["XX.OO....", "XXXOO...."])
    array([ 2, -1], dtype=int8)
    """
    table, indices, _ = _look_up(boards, turns, variant)
    return np.asarray(table.moves.take(indices))


def optimal_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.uint16]":
    """Return the best cells of each state as a mask: bit c stands for cell c.

    The mask is 0 where play has ended. Raises the same as `values_of`.

    Examples
    --------
    >>> [bin(mask) for mask in optimal_of(["X...O...X", "XXXOO...."])]
    ['0b10101010', '0b0']
    """
    table, indices, _ = _look_up(boards, turns, variant)
    return np.asarray(table.optimal.take(indices))


def reachable_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.bool_]":
    """Return whether a game from the empty board, X first, can lead to each state.

    Raises the same as `values_of`.

    Examples
    --------
    >>> reachable_of(["XX.OO....", "XX.OO...."], [0, 1])
    array([ True, False])
    """
    table, indices, _ = _look_up(boards, turns, variant)
    return np.asarray(table.reachable.take(indices))


def classes_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the smallest index of each state's class: those of its images.

    The dtype is that of `encode_many`, and so are the errors.

    Examples
    --------
    >>> classes_of(["XX.OO....", "....OO.XX"])
    array([196, 196], dtype=uint16)
    """
    grid = _grid(variant)
    return _classes(_encode(boards, turns, grid), grid)


def classes_at(
    indices: "ArrayLike", variant: str = "standard"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the smallest index of the class of each state that indices stand for.

    Takes indices as `decode_many` does, and raises the same.

    Examples
    --------
    >>> classes_at([9396, 29079])
    array([  196, 19879], dtype=uint16)
    """
    grid = _grid(variant)
    given = read_integers(indices_of(grid), indices)
    return _classes(given.astype(_dtype_of(grid), "C"), grid)


def images_at(
    indices: "ArrayLike", variant: str = "standard"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the images of each state that indices stand for, as indices.

    A last axis has one for each of ``symmetry.transforms(load(variant).grid)``, in this
    order: so the smallest is that of the canonical form, and ``argmin`` finds the first
    transform that leads there. Takes indices as `decode_many` does, raises the same.

    Examples
    --------
    >>> images_at(encode_many(["XX.OO...."])).min(axis=-1)
    array([196], dtype=uint16)
    >>> images_at(9396).argmin(axis=-1).item()
    7
    """
    grid = _grid(variant)
    line = read_integers(indices_of(grid), indices)
    dtype, ways = _dtype_of(grid), [_runs_moved(grid, way) for way in transforms(grid)]
    images = np.empty((*line.shape, len(ways)), dtype)
    rows = images.reshape(-1, len(ways))
    for start in range(0, line.size, CHUNK):
        chunk = line.reshape(-1)[start : start + CHUNK].astype(dtype)
        _, numbers = _divided(chunk, grid.boards)
        runs = _runs(numbers, grid.cells)
        for column, way in zip(rows[start : start + CHUNK].T, ways, strict=True):
            column[:] = chunk - numbers + _moved(way, runs)
    return images


def _grid(variant: str) -> "Grid":
    """Return the board of a variant; a name that does not tell it needs the tables."""
    if isinstance(variant, str):
        with suppress(UnknownVariantError):
            return named(variant).grid
    return load(variant).grid


def _look_up(
    boards: "ArrayLike", turns: "ArrayLike | None", variant: str
) -> "tuple[Table, NDArray[np.unsignedinteger[Any]], NDArray[np.int8]]":
    """Return the table, and the index and value of each state, all with a meaning."""
    table = load(variant)
    indices = _encode(boards, turns, table.grid)
    values = np.asarray(table.values.take(indices))
    wrong = values == UNDEFINED
    _refuse_first(wrong, indices, table.grid, both_have_a_line, f"{variant}: ")
    return table, indices, values


def _encode(
    boards: "ArrayLike", turns: "ArrayLike | None", grid: "Grid"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the index of each state."""
    dtype = _dtype_of(grid)
    if turns is None:
        indices = each_board(_join_with_turn, boards, grid, dtype)
        if indices.max(initial=0) >= grid.states:
            _refuse_first(indices >= grid.states, indices, grid, impossible)
        return indices
    numbers = each_board(_join_digits, boards, grid, dtype)
    given = read_integers(_TURNS, turns)
    try:
        numbers += given.astype(dtype) * dtype.type(grid.boards)
    except ValueError:
        raise InvalidBoardError(
            f"turns has shape {given.shape}, "
            f"expected one that broadcasts to {numbers.shape}, that of the boards"
        ) from None
    return numbers


def _classes(
    indices: "NDArray[np.unsignedinteger[Any]]", grid: "Grid"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Put the smallest index of its class in the place of each index."""
    # What each run of cells adds to the number of an image is looked up: that takes 19
    # ns a board of 4x4, 11 on 3x3, a tenth of the time to write the digits, to put them
    # in another order and to read them. (The least of 40 runs on eight chunks.)
    tables = [_runs_moved(grid, way) for way in transforms(grid)[1:]]
    line = indices.reshape(-1)
    for start in range(0, line.size, CHUNK):
        chunk = line[start : start + CHUNK]
        _, numbers = _divided(chunk, grid.boards)
        runs, smallest = _runs(numbers, grid.cells), numbers.copy()
        for table in tables:
            np.minimum(smallest, _moved(table, runs), out=smallest)
        chunk -= numbers - smallest
    return indices


def _moved(
    table: "list[NDArray[np.unsignedinteger[Any]]]",
    runs: "list[NDArray[np.unsignedinteger[Any]]]",
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the numbers of the images by a transform that `_runs_moved` tabulates."""
    shares = [each.take(run) for each, run in zip(table, runs, strict=True)]
    return reduce(np.add, shares)


def _runs_moved(
    grid: "Grid", transform: tuple[int, ...]
) -> "list[NDArray[np.unsignedinteger[Any]]]":
    """Return, for each of `_runs`, what its numbers add to the number of the image."""
    dtype = _dtype_of(grid)
    weights = [grid.powers[transform.index(cell)] for cell in range(grid.cells)]
    first = grid.cells % _RUN or _RUN
    runs = [
        weights[max(end - _RUN, 0) : end] for end in range(first, grid.cells + 1, _RUN)
    ]
    return [
        reduce(np.add.outer, np.outer(run, range(3)).astype(dtype)).ravel()
        for run in runs
    ]


def _refuse_first(
    wrong: "NDArray[np.bool_]",
    indices: "NDArray[np.unsignedinteger[Any]]",
    grid: "Grid",
    reason: "Callable[[str], str]",
    rules: str = "",
) -> None:
    """Raise an error that gives the reason for the first wrong board, if there is one.

    The indices are of the same shape, and may be of any turn, or of none: 2.
    """
    if wrong.any():
        at = int(wrong.argmax())
        board, _ = grid.decode(indices.item(at) % grid.boards)
        where = place(at, wrong.shape)
        raise InvalidBoardError(f"boards{where}: {rules}{reason(board)}")


def _dtype_of(grid: "Grid") -> "np.dtype[np.unsignedinteger[Any]]":
    """Return the smallest dtype that holds every index."""
    return np.min_scalar_type(grid.states - 1)


def _join_with_turn(
    digits: "NDArray[np.uint8]", grid: "Grid"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the index of each row's state, grid.states or more if no turn follows."""
    numbers = _join_digits(digits, grid)
    leads = [_LEADS.take(run) for run in _runs(numbers, grid.cells)]
    turns = reduce(np.add, leads).view(np.uint16)  # makes -1 a large one
    if turns.max() > 1:
        turns = np.minimum(turns, 2)
    numbers += np.multiply(turns, grid.boards, dtype=numbers.dtype)
    return numbers


def _join_digits(
    digits: "NDArray[np.uint8]", grid: "Grid"
) -> "NDArray[np.unsignedinteger[Any]]":
    """Return the number that the digits of each row write in base 3."""
    # Horner's rule by fours. At every place of all the rows in line, take the number
    # that two digits make, then four, though few are needed: 3.1 ns a board, where
    # digit by digit down the columns takes 5.5.
    cells = grid.cells
    digits = digits.ravel()
    twos = digits[:-1] * 3
    twos += digits[1:]
    fours = twos[:-2] * 9
    fours += twos[2:]
    first = cells % 4
    numbers = (digits if first else fours)[::cells].astype(_dtype_of(grid))
    for cell in range(1, first):
        numbers *= 3
        numbers += digits[cell::cells]
    for cell in range(first or 4, cells, 4):
        numbers *= 3**4
        numbers += fours[cell::cells]
    return numbers


def _runs(
    numbers: "NDArray[np.unsignedinteger[Any]]", cells: int
) -> "list[NDArray[np.unsignedinteger[Any]]]":
    """Return the numbers of the last nine cells, after those of the cells before."""
    if cells <= _RUN:
        return [numbers]
    leading, trailing = _divided(numbers, 3**_RUN)
    return [*_runs(leading, cells - _RUN), trailing]


def _divided(
    numbers: "NDArray[np.unsignedinteger[Any]]", divisor: int
) -> "tuple[NDArray[np.unsignedinteger[Any]], NDArray[np.unsignedinteger[Any]]]":
    """Return quotients and remainders: four times as fast as ``np.divmod``."""
    quotients = numbers // np.uint32(divisor)
    return quotients, numbers - quotients * np.uint32(divisor)
