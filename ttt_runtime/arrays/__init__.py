"""Many boards at once, in NumPy.

Everywhere below, `boards` holds boards in one of these forms; its other axes give the
answers their shape, `()` for a single board:

- text, nine marks an item as in ``encode``: arrays of dtype ``U``, ``S`` or StringDType
  or of str and bytes as objects; lists and tuples of text, nested to any depth;
- integers, 0 for an empty cell, 1 for X, 2 for O: arrays of any integer dtype, and
  whatever NumPy makes one of. A last axis of 9 holds the cells of a board; otherwise
  the last two must be 3 x 3, its rows and columns. So ``(3, 3)`` is one board,
  ``(9, 3, 3)`` are nine, and so are ``(3, 3, 9)``, in three rows of three.

`turns` is 0 where X moves next, 1 where O does: one integer for all boards, or an array
that broadcasts to the shape of the answers. Left out, each turn is inferred from the
counts of X and O, which must then be ones that a game can have.

One bad board or turn raises an error that names its place, and there are no answers. No
array that is given is changed; one in C order is not copied as a whole either.
"""

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..boards import BOARDS, CELLS, MARKS, STATES, UNDEFINED, decode, encode, shown
from ..errors import InvalidBoardError, InvalidIndexError, TTTError
from ..tables import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

# What a value costs, in ns a board: 0.3 to check digits of one byte, or 3.3 to read S9,
# 5.3 U9, 66 str objects; 3.1 to join the digits; 1.1 to look up the turn and 1.1 the
# value. (The least of 400 runs on a chunk; NumPy 2.4, one core of a Xeon with AVX-512.)
CHUNK = 1 << 14
"""How many boards to read at once: what is made of them on the way stays in cache."""

FOREIGN = len(MARKS)
"""The digit for whatever is not a mark."""

_DIGITS = np.indices((3,) * CELLS, np.int8).reshape(CELLS, BOARDS).T.copy()
"""Each board by its number, as nine digits."""

_TEXTS = np.array([*map(ord, MARKS)], np.uint32)[_DIGITS].view(f"U{CELLS}")[:, 0]

_LEADS = np.array([0, 1, -1])[_DIGITS].sum(axis=1)
_INFERRED = np.where(
    (_LEADS == 0) | (_LEADS == 1), BOARDS * _LEADS + np.arange(BOARDS), STATES
).astype(np.uint16)
"""The index of each board with the turn that its counts imply, STATES if none does."""


def encode_many(
    boards: "ArrayLike", turns: "ArrayLike | None" = None
) -> "NDArray[np.uint16]":
    """Return the index of each state, made for ``table.values.take(indices)``.

    They wrap round at 65,536, as uint16 does: for arithmetic beyond, convert them.

    Raises
    ------
    InvalidBoardError
        At the first board or turn that ``encode`` would refuse.

    Examples
    --------
    >>> encode_many(["XX.OO....", "X........"])
    array([ 9396, 26244], dtype=uint16)
    >>> encode_many(np.array([[1, 1, 0], [2, 2, 0], [0, 0, 0]]), 1)
    array(29079, dtype=uint16)
    """
    numbers = _numbers(boards)
    if turns is None:
        indices = np.asarray(_INFERRED.take(numbers))
        _refuse(indices == STATES, lambda at: encode(decode(numbers.item(at))[0]))
        return indices
    expected = "0 (X moves next) or 1 (O moves next)"
    given = _integers("turns", turns, 2, expected, InvalidBoardError)
    try:
        numbers += given.astype(np.uint16) * np.uint16(BOARDS)
    except ValueError:
        raise InvalidBoardError(
            f"turns has shape {given.shape}, "
            f"expected one that broadcasts to {numbers.shape}, that of the boards"
        ) from None
    return numbers


def decode_many(indices: "ArrayLike") -> "tuple[NDArray[np.int8], NDArray[np.int8]]":
    """Return the boards and the turns that indices stand for.

    Parameters
    ----------
    indices : array_like of int
        Any shape, any integer dtype.

    Returns
    -------
    boards : ndarray of int8
        0, 1 and 2, in the shape of `indices` and a last axis of nine cells; `to_text`
        writes them in marks.
    turns : ndarray of int8
        0 and 1, in the shape of `indices`.

    Raises
    ------
    InvalidIndexError
        At the first item that is no integer from 0 to 39,365.

    Examples
    --------
    >>> boards, turns = decode_many([9396, 29079])
    >>> boards.tolist()
    [[1, 1, 0, 2, 2, 0, 0, 0, 0], [1, 1, 0, 2, 2, 0, 0, 0, 0]]
    >>> turns
    array([0, 1], dtype=int8)
    """
    expected = f"an integer from 0 to {STATES - 1}"
    given = _integers("indices", indices, STATES, expected, InvalidIndexError)
    boards = _DIGITS.take(given, axis=0, mode="wrap")  # index modulo BOARDS
    return boards, np.asarray(given >= BOARDS).astype(np.int8)


def to_text(boards: "ArrayLike") -> "NDArray[np.str_]":
    """Return each board in marks, an item of dtype ``U9``.

    Raises
    ------
    InvalidBoardError
        At the first board that is malformed.

    Examples
    --------
    >>> to_text([[1, 1, 0, 2, 2, 0, 0, 0, 0]]).tolist()
    ['XX.OO....']
    """
    return np.asarray(_TEXTS.take(_numbers(boards)))


def from_signed(boards: "ArrayLike") -> "NDArray[np.int8]":
    """Return boards of 1 for X, -1 for O and 0 as boards of 1, 2 and 0.

    Parameters
    ----------
    boards : array_like of int
        Shape ``(..., 9)`` or ``(..., 3, 3)``, which the answer has too. Where 1 means
        O, give ``-boards``.

    Raises
    ------
    InvalidBoardError
        At the first board with another number in it.

    Examples
    --------
    >>> encode_many(from_signed([1, 1, 0, -1, -1, 0, 0, 0, 0]))
    array(9396, dtype=uint16)
    """
    array = _array("boards", boards, InvalidBoardError)
    rows, shape = _rows(array)
    if rows.ndim == 1:
        raise InvalidBoardError(
            f"boards has dtype {array.dtype}, expected integers: -1, 0 and 1"
        )
    if rows.size and not -1 <= rows.min() <= rows.max() <= 1:
        row, cell = divmod(int(((rows < -1) | (rows > 1)).argmax()), CELLS)
        raise InvalidBoardError(
            f"{_place('boards', row, shape)} has {rows[row, cell]} in cell {cell}; "
            "the marks are 0 (empty), 1 (X) and -1 (O)"
        )
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
        If there are no tables of that name.

    Examples
    --------
    >>> values_of(["XX.OO....", "X...O...X"], [0, 1], "fastest")
    array([-5,  0], dtype=int8)
    """
    return _answers("values", boards, turns, variant)


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
    return _answers("moves", boards, turns, variant)


def optimal_of(
    boards: "ArrayLike", turns: "ArrayLike | None" = None, variant: str = "standard"
) -> "NDArray[np.uint16]":
    """Return the best cells of each state as a 9-bit mask: bit c stands for cell c.

    The mask is 0 where play has ended. Raises the same as `values_of`.

    Examples
    --------
    >>> [bin(mask) for mask in optimal_of(["X...O...X", "XXXOO...."])]
    ['0b10101010', '0b0']
    """
    return _answers("optimal", boards, turns, variant)


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
    return _answers("reachable", boards, turns, variant)


def _answers(
    name: str, boards: "ArrayLike", turns: "ArrayLike | None", variant: str
) -> "NDArray[Any]":
    table = load(variant)
    indices = encode_many(boards, turns)
    values = np.asarray(table.values.take(indices))
    _refuse(values == UNDEFINED, lambda at: table.value_at(indices.item(at)))
    if name == "values":
        return values
    return np.asarray(getattr(table, name).take(indices))


def _numbers(boards: "ArrayLike") -> "NDArray[np.uint16]":
    """Return the number of each board, 0 to 19,682."""
    rows, shape = _rows(_array("boards", boards, InvalidBoardError))
    numbers = np.empty(len(rows), np.uint16)
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        digits = _digits(chunk)
        if digits.max() >= FOREIGN:
            row, cell = divmod(int((digits >= FOREIGN).argmax()), CELLS)
            raise _fault(_place("boards", start + row, shape), chunk, row, cell)
        numbers[start : start + CHUNK] = _joined(digits)
    return numbers.reshape(shape)


def _rows(array: "NDArray[Any]") -> "tuple[NDArray[Any], tuple[int, ...]]":
    """Return all boards in a row, texts (n,) or integers (n, 9), and their shape."""
    if array.dtype.kind in "OSTU":
        return array.reshape(-1), array.shape
    if array.dtype.kind not in "iu":
        raise InvalidBoardError(
            f"boards has dtype {array.dtype}, expected text, "
            "or integers: 0 (empty), 1 (X) and 2 (O)"
        )
    if array.shape[-1:] == (CELLS,):
        shape = array.shape[:-1]
    elif array.shape[-2:] == (3, 3):
        shape = array.shape[:-2]
    else:
        raise InvalidBoardError(
            f"boards has shape {array.shape}, expected (..., 9) or (..., 3, 3)"
        )
    return array.reshape(prod(shape), CELLS), shape


def _digits(chunk: "NDArray[Any]") -> "NDArray[np.uint8]":
    """Return the digits of boards, (n, 9): FOREIGN or more is none."""
    kind = chunk.dtype.kind
    if kind in "iu":
        digits = chunk.view(chunk.dtype.str.replace("i", "u"))  # makes -1 a large one
        if digits.max() >= FOREIGN:
            digits = np.minimum(digits, FOREIGN)
        return digits.astype(np.uint8, copy=False)
    if kind in "OT":
        codes = _codes(chunk.tolist())
    else:
        size = 1 if kind == "S" else 4
        width = max(CELLS, chunk.dtype.itemsize // size)
        texts = chunk.astype(f"{kind}{width}", "C", copy=False)
        codes = texts.view(f"u{size}").reshape(-1, width)

    # A digit counts which of ". X O" the character is not, up to the one that it is. In
    # bytes one after the other that is 3.3 ns a board, bytes.translate takes 4.8.
    marks = np.ascontiguousarray(codes[:, :CELLS])
    other = np.ones(marks.shape, np.bool_)
    digits = np.zeros(marks.shape, np.uint8)
    for mark in MARKS:
        other &= marks != ord(mark)
        digits += other.view(np.uint8)
    beyond = codes[:, CELLS:]
    if beyond.any():
        digits[beyond.any(axis=1)] = FOREIGN
    return digits


def _codes(texts: "list[Any]") -> "NDArray[np.uint8]":
    """Return the characters of texts, (n, 9), '?' where there are not nine."""
    try:
        sound = set(map(str.__len__, texts)) == {CELLS}
    except TypeError:
        sound = False
    if not sound:
        texts = [_plain(text) for text in texts]
        texts = [text if len(text) == CELLS else "?" * CELLS for text in texts]
    joined = "".join(texts).encode("ascii", "replace")
    return np.frombuffer(joined, np.uint8).reshape(-1, CELLS)


def _plain(text: Any) -> str:
    """Return the text that any kind of str or bytes holds, none for anything else."""
    if issubclass(type(text), bytes):
        return bytes.decode(text, "latin-1")
    return str.__str__(text) if issubclass(type(text), str) else ""


def _joined(digits: "NDArray[np.uint8]") -> "NDArray[np.uint16]":
    """Return the number that the nine digits of each row write in base 3."""
    # At every place of all the rows in line, take the number that two digits make, then
    # four, though each row needs but two of its nine: 3.1 ns a board, where Horner's
    # rule down the columns takes 5.5 and a matrix product in uint16 7.4.
    digits = digits.ravel()
    twos = digits[:-1] * 3
    twos += digits[1:]
    fours = twos[:-2] * 9
    fours += twos[2:]
    numbers = fours[::CELLS].astype(np.uint16)
    numbers *= 3**4
    numbers += fours[4::CELLS]
    numbers *= 3
    numbers += digits[8::CELLS]
    return numbers


def _array(name: str, given: object, error: type[TTTError]) -> "NDArray[Any]":
    """Return what is given as an array, without a copy if it is one."""
    try:
        ready = isinstance(given, np.ndarray)
        masked = ready and hasattr(given, "mask")
        texts = isinstance(given, (list, tuple)) and isinstance(
            next(iter(given), None), (str, bytes)
        )
        array = np.asarray(given, object if texts else None)
        # Of itself NumPy writes out what stands among texts, cuts zeros off their ends,
        # and takes a list of nothing for one of floats.
        nothing = not array.size and array.dtype.kind == "f"
        if not ready and (nothing or array.dtype.kind in "SU"):
            array = np.asarray(given, object)
    except Exception as reason:
        raise error(
            f"{name} is {shown(given)}, expected an array, or sequences of equal length"
        ) from reason
    if masked:
        raise error(f"{name} has a mask, expected an array without one")
    return array


def _integers(
    name: str, given: "ArrayLike", end: int, expected: str, error: type[TTTError]
) -> "NDArray[Any]":
    """Return what is given as an array, of integers from 0 to below the end."""
    array = _array(name, given, error)
    if array.dtype == object and not array.size:
        return array.astype(np.int8)
    if array.dtype.kind not in "iu":
        found = (
            f"has dtype {array.dtype}" if array.ndim else f"is {shown(array.item())}"
        )
        raise error(f"{name} {found}, expected {expected}")
    wrong = (array < 0) | (array >= end)
    if wrong.any():
        at = int(wrong.argmax())
        place = _place(name, at, array.shape)
        raise error(f"{place} is {array.item(at)}, expected {expected}")
    return array


def _place(name: str, at: int, shape: tuple[int, ...]) -> str:
    """Return how to write an item, counted in C order, of an array of this shape."""
    if not shape:
        return name
    return f"{name}[{', '.join(map(str, np.unravel_index(at, shape)))}]"


def _fault(place: str, chunk: "NDArray[Any]", row: int, cell: int) -> InvalidBoardError:
    """Return what is wrong with one board."""
    if chunk.ndim == 2:
        digit = chunk[row, cell]
        hint = "; from_signed takes boards of -1, 0 and 1" if digit == -1 else ""
        return InvalidBoardError(
            f"{place} has {digit} in cell {cell}; "
            f"the marks are 0 (empty), 1 (X) and 2 (O){hint}"
        )
    board = chunk[row]
    if issubclass(type(board), (str, bytes)):
        return _refusal(place, encode, _plain(board))
    return InvalidBoardError(
        f"{place} is {shown(board)}, expected 9 marks as str or bytes, "
        "or integers in an array of integer dtype"
    )


def _refuse(wrong: "NDArray[np.bool_]", question: "Callable[[int], object]") -> None:
    """Raise at the first wrong item what the scalar question raises for it."""
    if wrong.any():
        at = int(wrong.argmax())
        raise _refusal(_place("boards", at, wrong.shape), question, at)


def _refusal(
    place: str, question: "Callable[..., object]", *given: object
) -> InvalidBoardError:
    """Return the error that a scalar question raises, with the place in front."""
    reason = "the text has a character beyond the last one of Unicode"
    try:
        question(*given)
    except InvalidBoardError as error:
        reason = str(error)
    except SystemError:  # NumPy makes a str of any number, Python then stumbles over it
        pass
    return InvalidBoardError(f"{place}: {reason}")
