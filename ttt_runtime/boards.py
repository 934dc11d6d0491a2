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
move -1 and an empty mask. A board on which both sides have a line cannot occur in
variants that end at a line: there the value of its states is `UNDEFINED`, -128.
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

SLIPS = {
    "x": ("X", "write X in upper case"),
    "o": ("O", "write O in upper case"),
    "0": ("O", "write the letter O, not the digit 0"),
    "_": (".", "write an empty cell as '.'"),
    "-": (".", "write an empty cell as '.'"),
    " ": (".", "write an empty cell as '.'"),
}
"""Characters that people write, the mark that each one means, and what to do."""

# Cyrillic and Greek letters, and signs: who types or pastes them sees an X or an O.
_LOOK_ALIKES = {
    "X": "\u0425\u0445\u03a7\u03c7\u00d7\u2715\u2716\u274c",
    "O": "\u041e\u043e\u039f\u03bf\u25cb\u25ef\u2b55",
    ".": "\u00b7\u2219\u2022",
}
_PLAIN = {
    "X": "the Latin letter X",
    "O": "the Latin letter O",
    ".": "an empty cell as '.'",
}


def shown(given: object) -> str:
    """Describe what was given on one short line of an error message."""
    if isinstance(given, (str, bytes)):
        size = len(given)
        return repr(given) if size <= 40 else f"{given[:40]!r}... ({size} long)"
    if isinstance(given, int) and given.bit_length() > 128:  # repr may refuse them
        return f"an integer of {given.bit_length()} bits"
    if given is None or isinstance(given, (int, float)):
        return repr(given)
    return f"of type {type(given).__name__}"


def hint(character: str) -> str:
    """Say what to write instead of a character that is not a mark."""
    if character in SLIPS:
        return SLIPS[character][1]
    choices = "the marks are 'X', 'O' and '.'"
    if character.isascii():
        return choices
    from unicodedata import name, normalize

    found = f"that is {name(character, f'U+{ord(character):04X}')}"
    plain = normalize("NFKC", character).upper()  # of full-width and bold letters
    for mark, alike in _LOOK_ALIKES.items():
        if plain == mark or character in alike:
            return f"{found}, write {_PLAIN[mark]}"
    return f"{found}, {choices}"


def as_integer(given: object) -> int | None:
    """Return what is given as a plain `int`, or None if it is not an integer.

    NumPy integers are integers here; `True` and `False` are not.
    """
    if type(given) is int:
        return given
    if isinstance(given, bool):
        return None
    from operator import index

    try:
        return int(index(given))  # type: ignore[arg-type]
    except TypeError:
        return None


def as_index(given: object) -> int:
    """Return `given` as a plain `int` from 0 to 39,365.

    Raises
    ------
    InvalidIndexError
        If it is not an integer, or outside that range; a negative index never wraps.
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
    try:
        packed = _TOP[board[:3]] + _MIDDLE[board[3:6]] + _BOTTOM[board[6:]]
    except (KeyError, TypeError, IndexError):  # NumPy's scalars have no slices
        raise InvalidBoardError(malformed(board)) from None
    return packed >> 5, (packed & 31) - 9


def malformed(board: object) -> str:
    """Say why a board is not nine marks."""
    if not isinstance(board, str):
        return f"board is {shown(board)}, expected a str of 9 marks such as 'XX.OO....'"
    if len(board) != CELLS:
        return (
            f"board {shown(board)} has {len(board)} marks, expected {CELLS}: "
            "row by row from the top left, '.' for an empty cell"
        )
    cell = next(cell for cell, mark in enumerate(board) if mark not in MARKS)
    mark = board[cell]
    return f"board {shown(board)} has {mark!r} in cell {cell}; {hint(mark)}"


def impossible(board: str) -> str:
    """Say why no turn follows from the counts of a board."""
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
            raise InvalidBoardError(impossible(board))
    elif type(turn) is not int or not 0 <= turn <= 1:
        turn = _as_turn(turn)
    return BOARDS * turn + number


def decode(index: int) -> tuple[str, int]:
    """Return the board and the turn that an index stands for.

    Raises
    ------
    InvalidIndexError
        If `index` is not an integer from 0 to 39,365.

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
    lines = {"".join([board[cell] for cell in line]) for line in LINES}
    if "XXX" in lines and "OOO" in lines:
        raise InvalidBoardError(both_have_a_line(board))
    if "XXX" in lines:
        return "X_WON"
    if "OOO" in lines:
        return "O_WON"
    return "IN_PROGRESS" if "." in board else "DRAW"


def both_have_a_line(board: str) -> str:
    """Say why a variant that ends at a line has no answer for this board."""
    return (
        f"board {board!r} shows a line of X and a line of O; "
        "play ends at the first line, so no game leads there"
    )
