"""Boards, turns and the index: the numbers every other module agrees on.

A board is written as nine marks in cell order, row by row from the top left::

     0 | 1 | 2        X | X | .
    ---+---+---      ---+---+---
     3 | 4 | 5        O | O | .        "XX.OO...."
    ---+---+---      ---+---+---
     6 | 7 | 8        . | . | .

A state is a board and a turn (0: X moves next, 1: O moves next). Write the marks
``. X O`` as the digits ``0 1 2`` and put the turn in front as a tenth digit: the
state now is a base-3 numeral, and its value is the state's index::

    index = turn * 3**9 + int(digits of the board, 3)

    "XX.OO....", X to move   ->   0 110220000 in base 3   ->   9,396
    "XX.OO....", O to move   ->   1 110220000 in base 3   ->   29,079

Cell 0 is the most significant digit. There are 2 * 3**9 = 39,366 states.

Three sentinels stand in the tables where there is no answer. A finished state has
move -1 and an empty mask. A state on which both sides have a line has, in variants
that end at a line, no meaning at all: its value is `UNDEFINED`, -128.
"""

from .errors import InvalidBoardError, InvalidIndexError

MARKS = ".XO"
CELLS = 9
BOARDS: int = 3**CELLS
STATES = 2 * BOARDS

NO_MOVE = -1
UNDEFINED = -128

POWERS: tuple[int, ...] = tuple(3 ** (CELLS - 1 - cell) for cell in range(CELLS))
"""What a mark in each cell adds to the index, per unit of its digit."""

LINES = (
    *(tuple(3 * row + column for column in range(3)) for row in range(3)),
    *(tuple(3 * row + column for row in range(3)) for column in range(3)),
    tuple(4 * step for step in range(3)),
    tuple(2 + 2 * step for step in range(3)),
)
"""The eight lines, each as its three cells."""

# A board is read a row at a time: one look-up by the row's text validates its marks
# and gives what they add to the board's number and to the lead of X over O. Both are
# in one integer, number * 32 + lead + 3, so that three rows add up to
# number * 32 + lead + 9.
_ROWS = [a + b + c for a in MARKS for b in MARKS for c in MARKS]
_TOP, _MIDDLE, _BOTTOM = (
    {
        row: 32 * number * weight + row.count("X") - row.count("O") + 3
        for number, row in enumerate(_ROWS)
    }
    for weight in (27**2, 27, 1)
)

MEANT = {"x": "X", "o": "O", "0": "O", "_": ".", "-": "."}
"""The mark that is meant by a character other than white space that people write."""

HINTS = {
    "x": "write X in upper case",
    "o": "write O in upper case",
    "0": "write the letter O, not the digit 0",
    "_": "write an empty cell as '.'",
    "-": "write an empty cell as '.'",
    " ": "write an empty cell as '.'",
}


def shown(given: object) -> str:
    """Describe any object for an error message, briefly and without fail.

    A foreign object is asked for nothing but the name of its type.
    """
    kind = type(given)
    if kind is str or kind is bytes:
        size = len(given)  # type: ignore[arg-type]
        return repr(given) if size <= 40 else f"{given[:40]!r}... ({size} long)"  # type: ignore[index]
    if kind is int and given.bit_length() > 128:  # type: ignore[attr-defined]
        return f"an integer of {given.bit_length()} bits"  # type: ignore[attr-defined]
    if kind is int or kind is float or kind is bool or given is None:
        return repr(given)
    try:
        return f"of type {str.__str__(kind.__name__)}"
    except Exception:  # noqa: BLE001 - a metaclass may hide even that
        return "of a type without a name"


def as_integer(given: object) -> int | None:
    """Return the plain `int` that is meant, or None where no integer is.

    NumPy integers are integers here; `True` and `False` are not.
    """
    if type(given) is int:
        return given
    if type(given) is bool:
        return None
    from operator import index

    try:
        return int.__index__(index(given))  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001 - a foreign __index__ may raise anything
        return None


def as_index(given: object) -> int:
    """Return `given` as a plain `int` from 0 to 39,365.

    Raises
    ------
    InvalidIndexError
        If it is no integer, or outside that range; a negative index never wraps.
    """
    index = as_integer(given)
    if index is None or not 0 <= index < STATES:
        raise InvalidIndexError(
            f"index is {shown(given if index is None else index)}, "
            f"expected an integer from 0 to {STATES - 1}"
        )
    return index


def _as_turn(given: object) -> int:
    turn = as_integer(given)
    if turn is None or not 0 <= turn <= 1:
        raise InvalidBoardError(
            f"turn is {shown(given if turn is None else turn)}, "
            "expected 0 (X moves next) or 1 (O moves next)"
        )
    return turn


def _number_and_lead(board: str) -> tuple[int, int]:
    """Return the board's number, 0 to 19,682, and how many more X than O it has."""
    if type(board) is not str:
        board = _plain(board)
    try:
        packed = _TOP[board[:3]] + _MIDDLE[board[3:6]] + _BOTTOM[board[6:]]
    except KeyError:
        raise InvalidBoardError(_malformed(board)) from None
    return packed >> 5, (packed & 31) - 9


def _plain(board: str) -> str:
    """Return the text that a kind of str holds, whatever its own methods say."""
    if not issubclass(type(board), str):
        raise InvalidBoardError(
            f"board is {shown(board)}, expected a str of 9 marks such as 'XX.OO....'"
        )
    return str.__str__(board)


def _malformed(board: str) -> str:
    if len(board) != CELLS:
        return (
            f"board {shown(board)} has {len(board)} marks, expected {CELLS}: "
            "row by row from the top left, '.' for an empty cell"
        )
    cell = next(cell for cell, mark in enumerate(board) if mark not in MARKS)
    hint = HINTS.get(board[cell], "the marks are 'X', 'O' and '.'")
    return f"board {shown(board)} has {board[cell]!r} in cell {cell}; {hint}"


def _impossible(board: str) -> str:
    return (
        f"board {board!r} has {board.count('X')} X and {board.count('O')} O; "
        "X moves first, so a game has as many X as O, or one more"
    )


def encode(board: str, turn: int | None = None) -> int:
    """Return the index of a state.

    Parameters
    ----------
    board : str
        Nine marks, ``X``, ``O`` or ``.``, in cell order. With an explicit turn
        any such board will do.
    turn : int, optional
        0 if X moves next, 1 if O does; inferred from the counts if left out.

    Raises
    ------
    InvalidBoardError
        If the board is malformed, the turn is not 0 or 1, or it is to be inferred
        and no game has these counts.

    Examples
    --------
    >>> encode("XX.OO....", 0)
    9396
    >>> encode("XX.OO....", 1) - 3**9
    9396
    """
    number, lead = _number_and_lead(board)
    if turn is None:
        turn = lead
        if turn != 0 and turn != 1:
            raise InvalidBoardError(_impossible(_plain(board)))
    elif type(turn) is not int or not 0 <= turn <= 1:
        turn = _as_turn(turn)
    return BOARDS * turn + number


def decode(index: int) -> tuple[str, int]:
    """Return the board and the turn that an index stands for.

    Raises
    ------
    InvalidIndexError
        If `index` is no integer from 0 to 39,365.

    Examples
    --------
    >>> decode(9396)
    ('XX.OO....', 0)
    """
    turn, numeral = divmod(as_index(index), BOARDS)
    return "".join([MARKS[numeral // power % 3] for power in POWERS]), turn


def infer_turn(board: str) -> int:
    """Return whose turn the counts imply: 0 (X) if they are equal, else 1 (O).

    Raises
    ------
    InvalidBoardError
        If the board is malformed, or no game that X starts has these counts.

    Examples
    --------
    >>> infer_turn("X........")
    1
    """
    return encode(board) // BOARDS


def outcome(board: str) -> str:
    """Return ``IN_PROGRESS``, ``X_WON``, ``O_WON`` or ``DRAW``, by the usual rules.

    A line is seen before a full board: a ninth mark that makes a line wins.

    Raises
    ------
    InvalidBoardError
        If the board is malformed, or both sides have a line.

    Examples
    --------
    >>> outcome("XOOXOXXXO")
    'X_WON'
    """
    _number_and_lead(board)
    marks = _plain(board)
    lines = {"".join([marks[cell] for cell in line]) for line in LINES}
    if "XXX" in lines and "OOO" in lines:
        raise InvalidBoardError(both_have_a_line(marks))
    if "XXX" in lines:
        return "X_WON"
    if "OOO" in lines:
        return "O_WON"
    return "IN_PROGRESS" if "." in marks else "DRAW"


def both_have_a_line(board: str) -> str:
    """Say why a variant that ends at a line has no answer for this board."""
    return (
        f"board {board!r} shows a line of X and a line of O; "
        "play ends at the first line, so no game leads there"
    )
