"""Read whatever is given as boards or integers, or say what is wrong with it and where.

Boards become digits in chunks: what is made of a chunk on the way stays in the cache.
"""

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..boards import CELLS, MARKS, as_integer, hint, malformed, shown
from ..errors import InvalidBoardError, TTTError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

# Reading costs, in ns a board: 0.3 to check digits of one byte, 3.3 for S9, 5.3 for U9,
# 66 for str objects. (The least of 400 runs on a chunk; NumPy 2.4, one core of a Xeon
# with AVX-512.)
CHUNK = 1 << 14
"""How many boards to read at once."""

SIDES = (3, 3)
FOREIGN = len(MARKS)
"""The digit for whatever is not a mark."""

BOARDS = "text of 9 marks, or integers: 0 (empty), 1 (X) and 2 (O)"
"""What boards are expected to be."""


def each_board(
    function: "Callable[[NDArray[np.uint8]], NDArray[Any]]",
    boards: "ArrayLike",
    dtype: "DTypeLike",
) -> "NDArray[Any]":
    """Return what a function makes of the digits (n, 9) of boards, in their shape."""
    rows, shape = rows_of(read_boards(boards, BOARDS))
    answers = np.empty(len(rows), dtype)
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        digits = _read_digits(chunk)
        if digits.max() >= FOREIGN:
            row, cell = divmod(int((digits >= FOREIGN).argmax()), CELLS)
            raise InvalidBoardError(
                place("boards", start + row, shape) + _fault(chunk[row : row + 1], cell)
            )
        answers[start : start + CHUNK] = function(digits)
    return answers.reshape(shape)


def read_boards(boards: "ArrayLike", expected: str) -> "NDArray[Any]":
    """Return boards as an array of text or integers."""
    array = _read_array("boards", boards, expected, InvalidBoardError)
    if array.dtype.kind not in "OSTUiu":
        raise _refusal("boards", array, expected, InvalidBoardError)
    return array


def rows_of(boards: "NDArray[Any]") -> "tuple[NDArray[Any], tuple[int, ...]]":
    """Return all boards in a row, and their shape.

    The rows are texts, (n,), or one mark (text or an integer) a cell, (n, 9).
    """
    if boards.dtype.kind not in "iu" and not _is_by_cell(boards):
        return boards.reshape(-1), boards.shape
    for cells in ((CELLS,), SIDES):
        if boards.shape[-len(cells) :] == cells:
            shape = boards.shape[: -len(cells)]
            return boards.reshape(prod(shape), CELLS), shape
    raise InvalidBoardError(
        f"boards has shape {boards.shape}, expected (..., 9) or (..., 3, 3)"
    )


def read_integers(
    name: str, given: "ArrayLike", end: int, expected: str, error: type[TTTError]
) -> "NDArray[Any]":
    """Return what is given as an array, of integers from 0 to below the end."""
    array = _read_array(name, given, expected, error)
    if array.dtype == object and not array.size:
        return array.astype(np.int8)
    if array.dtype.kind not in "iu":
        raise _refusal(name, array, expected, error)
    wrong = (array < 0) | (array >= end)
    if wrong.any():
        at = int(wrong.argmax())
        found = f"{place(name, at, array.shape)} is {array.item(at)}"
        raise error(f"{found}, expected {expected}")
    return array


def place(name: str, at: int, shape: tuple[int, ...]) -> str:
    """Return how to write an item, counted in C order, of an array of this shape."""
    if not shape:
        return name
    return f"{name}[{', '.join(map(str, np.unravel_index(at, shape)))}]"


def _read_array(
    name: str, given: object, expected: str, error: type[TTTError]
) -> "NDArray[Any]":
    """Return what is given as an array, without a copy if it is one.

    Objects remain only where the first of them is not an integer or a sequence.
    """
    ready = isinstance(given, np.ndarray)
    first = next(iter(given), None) if isinstance(given, (list, tuple)) else None
    if isinstance(given, np.ma.MaskedArray) or isinstance(first, np.ma.MaskedArray):
        raise error(f"{name} has a mask, expected an array without one")
    try:
        array = np.asarray(given, object if isinstance(first, (str, bytes)) else None)
    except ValueError:
        if not isinstance(given, (list, tuple)):
            raise
        raise error(_unequal(name, given, expected)) from None
    # Of itself NumPy writes out what stands among texts, cuts zeros off their ends, and
    # takes a list of nothing for one of floats.
    nothing = not array.size and array.dtype.kind == "f"
    if not ready and (nothing or array.dtype.kind in "SU"):
        array = np.asarray(given, object)
    if array.dtype != object or not array.size:
        return array
    first = array.reshape(-1)[0]
    if isinstance(first, (list, tuple, np.ndarray)):
        return _read_array(name, array.tolist(), expected, error)
    if as_integer(first) is None:
        return array
    items = array.reshape(-1).tolist()
    numbers = list(map(as_integer, items))
    try:
        return np.array(numbers, np.int64).reshape(array.shape)
    except (TypeError, OverflowError):
        at = next(
            at
            for at, number in enumerate(numbers)
            if number is None or not -(2**63) <= number < 2**63
        )
        found = f"{place(name, at, array.shape)} is {shown(items[at])}"
        raise error(f"{found}, expected {expected}") from None


def _unequal(name: str, given: "Sequence[Any]", expected: str) -> str:
    """Return which item of a sequence first is of another length than the first."""
    sizes = [
        len(item) if isinstance(item, (list, tuple, np.ndarray)) else None
        for item in given
    ]
    at = next((at for at, size in enumerate(sizes) if size != sizes[0]), None)
    if at is None:
        return f"{name} is {shown(given)}, expected sequences of equal length"
    if sizes[0] is None or sizes[at] is None:
        return f"{name}[{at}] is {shown(given[at])}, expected {expected}"
    return f"{name}[{at}] has length {sizes[at]}, expected {sizes[0]} as {name}[0] has"


def _refusal(
    name: str, array: "NDArray[Any]", expected: str, error: type[TTTError]
) -> TTTError:
    """Return the error about an array of another dtype, at its first gap if it has one.

    Frames hand out a column of integers with gaps as floats with NaN.
    """
    found = f"{name} has dtype {array.dtype}"
    gaps = np.isnan(array) if array.dtype.kind == "f" else np.False_
    if not array.ndim or array.dtype == object:
        found = f"{place(name, 0, array.shape)} is {shown(array.item(0))}"
    elif gaps.any():
        found = f"{place(name, int(gaps.argmax()), array.shape)} is nan"
    return error(f"{found}, expected {expected}")


def _is_by_cell(texts: "NDArray[Any]") -> bool:
    """Tell, by the first item, whether texts are one mark each in axes of cells."""
    if texts.shape[-1:] != (CELLS,) and texts.shape[-2:] != SIDES:
        return False
    if not texts.size:
        return texts.dtype == object  # a frame without rows
    first = texts.reshape(-1)[:1]
    if texts.dtype.kind in "SU":
        return bool((first == first.astype(f"{texts.dtype.kind}1")).all())
    return all(isinstance(item, (str, bytes)) and len(item) == 1 for item in first)


def _read_digits(chunk: "NDArray[Any]") -> "NDArray[np.uint8]":
    """Return the digits of rows, (n, 9): FOREIGN or more is none."""
    kind = chunk.dtype.kind
    if kind in "iu":
        digits = chunk.view(chunk.dtype.str.replace("i", "u"))  # makes -1 a large one
        if digits.max() >= FOREIGN:
            digits = np.minimum(digits, FOREIGN)
        return digits.astype(np.uint8, copy=False)
    length = CELLS if chunk.ndim == 1 else 1
    if kind in "OT":
        codes = _read_codes(chunk.reshape(-1).tolist(), length)
    else:
        size = 1 if kind == "S" else 4
        width = max(length, chunk.dtype.itemsize // size)
        texts = chunk.astype(f"{kind}{width}", "C", copy=False)
        codes = texts.view(f"u{size}").reshape(-1, width)

    # A digit counts which of ". X O" the character is not, up to the one that it is. In
    # bytes one after the other that is 3.3 ns a board, bytes.translate takes 4.8.
    marks = np.ascontiguousarray(codes[:, :length])
    other = np.ones(marks.shape, np.bool_)
    digits = np.zeros(marks.shape, np.uint8)
    for mark in MARKS:
        other &= marks != ord(mark)
        digits += other.view(np.uint8)
    beyond = codes[:, length:]
    if beyond.any():
        digits[beyond.any(axis=1)] = FOREIGN
    return digits.reshape(-1, CELLS)


def _read_codes(texts: "list[Any]", length: int) -> "NDArray[np.uint8]":
    """Return the characters of texts, (n, length), '?' for one of another length."""
    try:
        sound = set(map(str.__len__, texts)) == {length}
    except TypeError:
        sound = False
    if not sound:
        texts = [
            text.decode("latin-1") if isinstance(text, bytes) else text
            for text in texts
        ]
        texts = [
            text if isinstance(text, str) and len(text) == length else "?" * length
            for text in texts
        ]
    joined = "".join(texts).encode("ascii", "replace")
    return np.frombuffer(joined, np.uint8).reshape(-1, length)


def _fault(row: "NDArray[Any]", cell: int) -> str:
    """Return what is wrong with the one board in a row, to be put behind its place."""
    if row.dtype.kind in "iu":
        signed = "; from_signed takes boards of -1, 0 and 1"
        return (
            f" has {row[0, cell]} in cell {cell}; the marks are 0 (empty), 1 (X) "
            f"and 2 (O){signed if row[0, cell] == -1 else ''}"
        )
    found = row[0].tolist()[cell] if row.ndim == 2 else row[0]
    if isinstance(found, bytes):
        found = found.decode("latin-1")
    if row.ndim == 2:
        if isinstance(found, str) and len(found) == 1:
            return f" has {found!r} in cell {cell}; {hint(found)}"
        return f": cell {cell} is {shown(found)}, expected '.', 'X' or 'O'"
    if not isinstance(found, str):
        return f" is {shown(found)}, expected {BOARDS}"
    try:
        return f": {malformed(str(found))}"
    except SystemError:  # NumPy makes a str of any number, Python then stumbles over it
        return ": the text has a character beyond the last one of Unicode"
