"""Boards, turns and the index: the numbers every other module agrees on.

A board is written as its marks in cell order, row by row from the top left::

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

Cell 0 is the most significant digit. There are 2 * 3**9 = 39,366 states. A board of
another size is read in the same way, with as many digits as it has cells.

Three sentinels stand in the tables where there is no answer. A finished state has
move -1 and an empty mask. A board on which both sides have a line cannot occur in
variants that end at a line: there the value of its states is `UNDEFINED`, -128.
"""

from .errors import InvalidBoardError, InvalidIndexError, InvalidVariantError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MARKS = ".XO"
LARGEST = 16
"""The most cells that a board may have: 86 million states, a byte each."""

NO_MOVE = -1
UNDEFINED = -128

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


def played(board: str, cell: int, turn: int) -> str:
    """Return the board with one more mark.

    Examples
    --------
    >>> played("XX.OO....", 5, 1)
    'XX.OOO...'
    """
    return board[:cell] + MARKS[turn + 1] + board[cell + 1 :]


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


class Grid:
    """A board's shape: rows x columns of cells, and the lines that count.

    Parameters
    ----------
    rows, columns : int
        At least 1 each, at most 16 cells in all.
    lines : int, or sequences of cells
        How many marks in a row make a line, in every row, column and diagonal; or each
        line as the cells that it takes.
    name : str
        What errors about a board of another size call this one.

    Attributes
    ----------
    cells, boards, states : int
        How many there are: rows * columns, 3**cells, 2 * 3**cells.
    powers : tuple of int
        What a mark in each cell adds to the index, per unit of its digit.
    lines : tuple of tuples of int
        The cells of each line, in order.

    Raises
    ------
    InvalidVariantError
        If there is no cell, there are more than 16, or a line does not fit.

    Examples
    --------
    >>> Grid(4, 4, 4).states
    86093442
    >>> Grid(1, 3, 2).lines
    ((0, 1), (1, 2))
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        lines: "int | Iterable[Iterable[int]]",
        name: str = "",
    ) -> None:
        self.name = name
        self.rows = rows
        self.columns = columns
        self.cells = rows * columns
        if rows < 1 or columns < 1 or self.cells > LARGEST:
            raise InvalidVariantError(
                f"a board of {rows}x{columns} has {max(self.cells, 0)} cells, "
                f"expected 1 to {LARGEST}"
            )
        self.boards: int = 3**self.cells
        self.states = 2 * self.boards
        self.powers = tuple([3**place for place in reversed(range(self.cells))])
        if isinstance(lines, int):
            self.lines = _lines_in_a_row(rows, columns, lines)
        else:
            self.lines = tuple([_checked_line(line, self.cells) for line in lines])
        # A board is read in thirds, on 3x3 its rows: one look-up by the text of a third
        # checks its marks and gives what they add to the board's number and to the lead
        # of X over O, both in one integer, number * 64 + lead + cells. Halves are 5 %
        # faster on 3x3, but on 4x4 their dicts leave the cache: 2,000 boards took 1.1
        # to 2.2 times as long.
        one, two = self.cells // 3, 2 * self.cells // 3
        self._first, self._second = slice(one), slice(one, two)
        self._third = slice(two, None)
        self._of_first = _shares(one, 3 ** (self.cells - one))
        self._of_second = _shares(two - one, 3 ** (self.cells - two))
        self._of_third = _shares(self.cells - two, 1)

    def encode(self, board: str, turn: int | None = None) -> int:
        """Return the index of a state.

        Parameters
        ----------
        board : str
            A mark for each cell, ``X``, ``O`` or ``.``, in cell order. With an explicit
            turn any such board will do.
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
        try:
            packed = (
                self._of_first[board[self._first]]
                + self._of_second[board[self._second]]
                + self._of_third[board[self._third]]
            )
        except (KeyError, TypeError, IndexError):  # NumPy's scalars have no slices
            raise InvalidBoardError(self.malformed(board)) from None
        if turn is None:
            turn = (packed & 63) - self.cells
            if turn != 0 and turn != 1:
                raise InvalidBoardError(impossible(board))
        elif type(turn) is not int or not 0 <= turn <= 1:
            turn = _as_turn(turn)
        return self.boards * turn + (packed >> 6)

    def decode(self, index: int) -> tuple[str, int]:
        """Return the board and the turn that an index stands for.

        Raises
        ------
        InvalidIndexError
            If `index` is not an integer from 0 to the number of states - 1.

        Examples
        --------
        >>> decode(9396)
        ('XX.OO....', 0)
        """
        turn, numeral = divmod(self.as_index(index), self.boards)
        return "".join([MARKS[numeral // power % 3] for power in self.powers]), turn

    def infer_turn(self, board: str) -> int:
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
        return self.encode(board) // self.boards

    def outcome(self, board: str) -> str:
        """Return ``IN_PROGRESS``, ``X_WON``, ``O_WON`` or ``DRAW``, by the usual rules.

        A line is seen before a full board: a last mark that makes a line wins.

        Raises
        ------
        InvalidBoardError
            If the board is malformed, or both sides have a line.

        Examples
        --------
        >>> outcome("XOOXOXXXO")
        'X_WON'
        """
        self.encode(board, 0)
        held = {frozenset([board[cell] for cell in line]) for line in self.lines}
        x_line, o_line = frozenset("X") in held, frozenset("O") in held
        if x_line and o_line:
            raise InvalidBoardError(both_have_a_line(board))
        if x_line or o_line:
            return "X_WON" if x_line else "O_WON"
        return "IN_PROGRESS" if "." in board else "DRAW"

    def as_index(self, given: object) -> int:
        """Return `given` as a plain `int` from 0 to the number of states - 1.

        Raises
        ------
        InvalidIndexError
            If it is not an integer, or outside that range; a negative index never
            wraps.
        """
        index = as_integer(given)
        if index is None or not 0 <= index < self.states:
            raise InvalidIndexError(
                f"index is {shown(given if index is None else index)}, "
                f"expected an integer from 0 to {self.states - 1}"
            )
        return index

    def malformed(self, board: object) -> str:
        """Say why a board is not a mark for each cell."""
        if not isinstance(board, str):
            example = "XX.OO".ljust(self.cells, ".")[: self.cells]
            return (
                f"board is {shown(board)}, "
                f"expected a str of {self.cells} marks such as {example!r}"
            )
        if len(board) != self.cells:
            wanted = f"{self.name} has" if self.name else "expected"
            return (
                f"board {shown(board)} has {len(board)} marks, {wanted} {self.cells}: "
                "row by row from the top left, '.' for an empty cell"
            )
        cell = next(cell for cell, mark in enumerate(board) if mark not in MARKS)
        mark = board[cell]
        return f"board {shown(board)} has {mark!r} in cell {cell}; {hint(mark)}"


def _lines_in_a_row(
    rows: int, columns: int, length: int
) -> "tuple[tuple[int, ...], ...]":
    """Return every run of so many cells: across, down, and along both diagonals."""
    if not 1 <= length <= max(rows, columns):
        raise InvalidVariantError(
            f"a line of {length} does not fit a board of {rows}x{columns}, "
            f"expected 1 to {max(rows, columns)}"
        )
    runs = [
        [(row + down * step, column + across * step) for step in range(length)]
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1))
        for row in range(rows)
        for column in range(columns)
    ]
    inside = [
        tuple([row * columns + column for row, column in run])
        for run in runs
        if run[-1][0] < rows and 0 <= run[-1][1] < columns
    ]
    return tuple(dict.fromkeys(inside))  # a line of one cell runs in all directions


def _checked_line(line: "Iterable[int]", cells: int) -> tuple[int, ...]:
    """Return a line as its cells in order."""
    given = tuple(line)
    taken = [as_integer(cell) for cell in given]
    if not taken or len({*taken} & {*range(cells)}) < len(taken):
        raise InvalidVariantError(
            f"line {given} is not a set of cells, each 0 to {cells - 1}"
        )
    return tuple(sorted([cell for cell in taken if cell is not None]))


def _shares(count: int, weight: int) -> dict[str, int]:
    """Return what each text of so many marks adds to a board, packed as above."""
    shares = {"": count}
    for place in reversed(range(count)):
        step = 64 * weight * 3**place
        marks = (".", 0), ("X", step + 1), ("O", 2 * step - 1)
        shares = {
            text + mark: share + added
            for text, share in shares.items()
            for mark, added in marks
        }
    return shares


def _as_turn(given: object) -> int:
    turn = as_integer(given)
    if turn is None or not 0 <= turn <= 1:
        raise InvalidBoardError(
            f"turn is {shown(given if turn is None else turn)}, "
            "expected 0 (X moves next) or 1 (O moves next)"
        )
    return turn


def impossible(board: str) -> str:
    """Say why no turn follows from the counts of a board."""
    return (
        f"board {board!r} has {board.count('X')} X and {board.count('O')} O; "
        "X moves first, so a game has as many X as O, or one more"
    )


def both_have_a_line(board: str) -> str:
    """Say why a variant that ends at a line has no answer for this board."""
    return (
        f"board {board!r} shows a line of X and a line of O; "
        "play ends at the first line, so no game leads there"
    )


THREE = Grid(3, 3, 3)
"""The board of tic-tac-toe, which everything is about unless it says otherwise."""

CELLS, BOARDS, STATES = THREE.cells, THREE.boards, THREE.states
POWERS, LINES = THREE.powers, THREE.lines
encode, decode = THREE.encode, THREE.decode
infer_turn, outcome = THREE.infer_turn, THREE.outcome
