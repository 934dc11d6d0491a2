"""Read whatever is given as boards or integers, or say what is wrong with it and where.

Boards become digits in chunks: what is made of a chunk on the way stays in the cache.
"""

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..boards import MARKS, as_integer, hint, shown
from ..errors import InvalidBoardError, InvalidIndexError, TTTError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ..boards import Grid

# Reading costs, in ns a board: 0.2 to check digits of one byte, 2.6 for S9, 4.1 for U9,
# 67 for str objects. (The least of 400 runs on a chunk; NumPy 2.4, one core of an AMD
# EPYC with 1 MiB of L2 cache.)
CHUNK = 1 << 15
"""How many boards to read at once."""

FOREIGN = len(MARKS)
"""The digit for whatever is not a mark."""


class Wanted(NamedTuple):
    """What is to be read, and how to refuse anything else."""

    name: str
    integers: range
    expected: str
    error: type[TTTError] = InvalidBoardError
    kinds: str = "iu"

    def refusal(self, found: str) -> TTTError:
        """Return the error about what was found, which follows the name."""
        return self.error(f"{self.name}{found}, expected {self.expected}")


def _boards_of(grid: "Grid") -> Wanted:
    return Wanted(
        "boards",
        range(FOREIGN),
        f"text of {grid.cells} marks, or integers: 0 (empty), 1 (X) and 2 (O)",
        kinds="OSTUiu",
    )


def indices_of(grid: "Grid") -> Wanted:
    """Return how to read indices of states."""
    expected = f"an integer from 0 to {grid.states - 1}"
    return Wanted("indices", range(grid.states), expected, InvalidIndexError)


def each_board(
    function: "Callable[[NDArray[np.uint8], Grid], NDArray[Any]]",
    boards: "ArrayLike",
    grid: "Grid",
    dtype: "DTypeLike",
) -> "NDArray[Any]":
    """Return what a function makes of digits (n, cells), in the shape of the boards."""
    array = _read_array(_boards_of(grid), boards)
    rows, shape = rows_of(array, grid)
    answers = np.empty(len(rows), dtype)
    for start in range(0, len(rows), CHUNK):
        digits = _read_digits(rows[start : start + CHUNK], grid.cells)
        if digits.max() >= FOREIGN:
            at = start * grid.cells + int((digits >= FOREIGN).argmax())
            raise _fault(array, at, rows.ndim == 2, grid)
        answers[start : start + CHUNK] = function(digits, grid)
    return answers.reshape(shape)


def rows_of(
    boards: "NDArray[Any]", grid: "Grid"
) -> "tuple[NDArray[Any], tuple[int, ...]]":
    """Return all boards in a row, and their shape.

    The rows are texts, (n,), or one mark (text or an integer) a cell, (n, cells). The
    first text tells which.
    """
    # A frame without rows is an array of objects.
    first = boards.item(0) if boards.size else "." if boards.dtype == object else ""
    integers = boards.dtype.kind in "iu"
    by_cell = isinstance(first, (str, bytes)) and len(first) == 1 < grid.cells
    if integers or by_cell:
        for cells in ((grid.cells,), (grid.rows, grid.columns)):
            if boards.shape[-len(cells) :] == cells:
                shape = boards.shape[: -len(cells)]
                return boards.reshape(prod(shape), grid.cells), shape
    if integers or (by_cell and boards.size and boards.ndim):
        raise InvalidBoardError(
            f"boards has shape {boards.shape}, expected (..., {grid.cells}) "
            f"or (..., {grid.rows}, {grid.columns})"
        )
    return boards.reshape(-1), boards.shape


def read_integers(wanted: Wanted, given: "ArrayLike") -> "NDArray[Any]":
    """Return what is given as an array of the wanted integers."""
    array = _read_array(wanted, given)
    low, high = wanted.integers[0], wanted.integers[-1]
    if array.size and not low <= array.min() <= array.max() <= high:
        at = int(((array < low) | (array > high)).argmax())
        raise wanted.refusal(f"{place(at, array.shape)} is {array.item(at)}")
    return array


def place(at: int, shape: tuple[int, ...]) -> str:
    """Return how to write an item, counted in C order, of an array of this shape."""
    return f"[{', '.join(map(str, np.unravel_index(at, shape)))}]" if shape else ""


def _read_array(wanted: Wanted, given: object) -> "NDArray[Any]":
    """Return what is given as an array, without a copy if it is one.

    Of an array of objects that begins with a text the others are not looked at here.
    """
    first = next(iter(given), None) if isinstance(given, (list, tuple)) else None
    if isinstance(given, np.ma.MaskedArray) or isinstance(first, np.ma.MaskedArray):
        raise wanted.error(f"{wanted.name} has a mask, expected an array without one")
    try:
        array = np.asarray(given, object if isinstance(first, (str, bytes)) else None)
        # Of itself NumPy writes out what stands among texts, cuts zeros off their ends,
        # and takes a list of nothing for one of floats.
        unsure = array.dtype.kind in "SU" or not array.size
        if unsure and not isinstance(given, np.ndarray):
            array = np.asarray(given, object)
    except ValueError:
        if not isinstance(given, (list, tuple)):
            raise
        raise wanted.error(f"{wanted.name}{_unequal(given, wanted)}") from None
    if array.dtype != object:
        if array.dtype.kind in wanted.kinds:
            return array
        # Frames hand out a column of integers with gaps as floats with NaN.
        if array.dtype.kind == "f" and np.isnan(array).any():
            gap = int(np.isnan(array).argmax())
            raise wanted.refusal(f"{place(gap, array.shape)} is nan")
        raise wanted.refusal(f" has dtype {array.dtype}")
    first = array.item(0) if array.size else ""
    if isinstance(first, (list, tuple, np.ndarray)):
        return _read_array(wanted, array.tolist())
    if isinstance(first, (str, bytes)) and "O" in wanted.kinds:
        return array
    for at, item in enumerate(array.flat):
        if as_integer(item) not in wanted.integers:
            raise wanted.refusal(f"{place(at, array.shape)} is {shown(item)}")
    return array.astype(np.int64)


def _unequal(given: "Sequence[Any]", wanted: Wanted) -> str:
    """Say which item of a sequence first differs in kind or length from the first."""
    sizes = [
        len(item) if isinstance(item, (list, tuple, np.ndarray)) else None
        for item in given
    ]
    at = next((at for at, size in enumerate(sizes) if size != sizes[0]), None)
    if at is None:
        return f" is {shown(given)}, expected sequences of equal length"
    if sizes[0] is None or sizes[at] is None:
        return f"[{at}] is {shown(given[at])}, expected {wanted.expected}"
    return f"[{at}] has length {sizes[at]}, expected {sizes[0]} as {wanted.name}[0] has"


def _read_digits(chunk: "NDArray[Any]", cells: int) -> "NDArray[np.uint8]":
    """Return the digits of rows, (n, cells): FOREIGN or more is none."""
    kind = chunk.dtype.kind
    if kind in "iu":
        digits = chunk.view(chunk.dtype.str.replace("i", "u"))  # makes -1 a large one
        if digits.itemsize > 1 and digits.max() >= FOREIGN:
            digits = np.minimum(digits, FOREIGN)
        return digits.astype(np.uint8, copy=False)
    length = cells if chunk.ndim == 1 else 1
    if kind in "OT":
        texts = chunk.reshape(-1).tolist()
        if set(map(type, texts)) != {str} or set(map(len, texts)) != {length}:
            texts = [
                text if len(text) == length else "?" * length
                for text in map(_as_text, texts)
            ]
        joined = "".join(texts).encode("ascii", "replace")
        codes = np.frombuffer(joined, np.uint8).reshape(-1, length)
    else:
        size = 1 if kind == "S" else 4
        width = max(length, chunk.dtype.itemsize // size)
        chunk = chunk.astype(f"{kind}{width}", "C", copy=False)
        codes = chunk.view(f"u{size}").reshape(-1, width)

    # A digit counts which of ". X O" the character is not, up to the one that it is. In
    # bytes one after the other that is 2.6 ns a board, bytes.translate takes 8.3.
    marks = np.ascontiguousarray(codes[:, :length])
    other = marks != ord(MARKS[0])
    digits = np.array(other, np.uint8)
    for mark in MARKS[1:]:
        other &= marks != ord(mark)
        digits += other.view(np.uint8)
    beyond = codes[:, length:]
    if beyond.any():
        digits[beyond.any(axis=1)] = FOREIGN
    return digits.reshape(-1, cells)


def _as_text(item: object) -> str:
    """Return a text as a str, and "" for anything else."""
    if isinstance(item, bytes):
        return item.decode("latin-1")
    return item if isinstance(item, str) else ""


def _fault(array: "NDArray[Any]", cell: int, by_cell: bool, grid: "Grid") -> TTTError:
    """Return the error about a cell of boards, counted through all of them."""
    at = cell if by_cell else cell // grid.cells
    wanted = _boards_of(grid)
    where = place(at, array.shape)
    try:
        found = array.item(at)
        if not isinstance(found, (str, bytes)):
            signed = "; from_signed takes boards of -1, 0 and 1" * (found == -1)
            error = wanted.refusal(f"{where} is {shown(found)}")
            return InvalidBoardError(f"{error}{signed}")
        text = str(_as_text(found))
        if by_cell:
            return InvalidBoardError(f"boards{where} is {text!r}; {hint(text[:1])}")
        return InvalidBoardError(f"boards{where}: {grid.malformed(text)}")
    except SystemError:  # NumPy makes a str of any number, Python then stumbles over it
        return wanted.refusal(f"{where} has a character beyond the last of Unicode")
