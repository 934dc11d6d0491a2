"""Load a variant's tables and look states up in them.

`load` reads a variant's four arrays and checks every byte before it returns; a `Table`
then answers each question with one read from memory. NumPy is imported only when an
array property is first used.
"""

import os

from .boards import (
    BOARDS,
    CELLS,
    NO_MOVE,
    POWERS,
    STATES,
    UNDEFINED,
    as_index,
    both_have_a_line,
    decode,
    encode,
    shown,
)
from .errors import InvalidBoardError, TableError, UnknownVariantError
from .files import (
    ARRAYS,
    COMMON,
    NPY_HEADER_SIZE,
    PACKAGED,
    VERSION_LINE,
    absolute,
    read_array,
    read_checked,
    read_checksums,
    remedy,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

_loaded: dict[tuple[str, str], "Table"] = {}


def load(
    variant: str = "standard", directory: "str | os.PathLike[str] | None" = None
) -> "Table":
    """Return the table of a rules variant, read and verified once a process.

    Parameters
    ----------
    variant : str
        ``standard``, ``fill``, ``misere`` or ``fastest``.
    directory : path, optional
        Where the tables are; the ones that came with the package if left out.

    Raises
    ------
    UnknownVariantError
        If there are no tables of that name.
    TableError
        If a file is missing, or is not to the byte what ``checksums.txt`` says, or
        the tables are of another version.

    Examples
    --------
    >>> load("fill").value("OOO......", 1)
    3
    """
    if not isinstance(variant, str):
        raise UnknownVariantError(f"variant is {shown(variant)}, expected a str")
    where = PACKAGED if directory is None else absolute(directory)
    table = _loaded.get((variant, where))
    if table is None:
        table = _loaded.setdefault((variant, where), Table(variant, where))
    return table


def _with_array(name: str, listed: dict[str, tuple[str, int]]) -> str:
    """Return the names of the variants that have an array."""
    file = f"/{name}.npy"
    return ", ".join([p.removesuffix(file) for p in listed if p.endswith(file)])


class Table:
    """The solved states of one rules variant. `load` makes them.

    Everywhere below, `board` is a str of nine marks in cell order; `turn` is 0 if X
    moves next, 1 if O does, and inferred from the counts if left out. A value is
    the minimax score from O's viewpoint: O maximises, X minimises.

    Every question raises `InvalidBoardError` for a malformed board or turn and, in
    variants that end at a line, for a board on which both sides have one; questions
    by index raise `InvalidIndexError` for anything but an integer from 0 to 39,365.

    Attributes
    ----------
    variant : str
        The name of the rules variant.
    directory : str
        Where the files were read from.

    Examples
    --------
    >>> load("misere").variant
    'misere'
    """

    def __init__(self, variant: str, directory: str) -> None:
        """Read and verify a variant's files; `load` does so once a process."""
        listed = read_checksums(directory)
        version = read_checked(directory, "VERSION", listed).decode("latin-1")
        major, _, minor = version.removesuffix("\n").partition(".")
        if major != VERSION_LINE.partition(".")[0] or not minor.isdecimal():
            path = os.path.join(directory, "VERSION")
            raise TableError(
                f"{path}: found {shown(version)}, expected {shown(VERSION_LINE)} "
                f"or a later minor version; {remedy(path)}"
            )
        # A variant that has lost its lines, but not its files, is damaged, not unknown.
        there = variant.isidentifier() and os.path.isdir(
            os.path.join(directory, variant)
        )
        if f"{variant}/values.npy" not in listed and not there:
            names = _with_array("values", listed)
            raise UnknownVariantError(
                f"variant is {shown(variant)}, expected one of {names}"
            )
        self.variant = variant
        self.directory = directory
        self._listed = listed
        self._for_numpy: dict[str, bytes] = {}
        self._files = {
            name: read_array(directory, variant, name, listed) for name in COMMON
        }
        self._values = self.raw("values").cast("b")
        self._moves = self.raw("moves").cast("b")
        self._optimal = self.raw("optimal")
        self._reachable = self.raw("reachable")

    def __repr__(self) -> str:
        """Return the call that loads this table."""
        return f"ttt_runtime.load({self.variant!r}, {self.directory!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by name: the other process reads its own files."""
        return load, (self.variant, self.directory)

    def value_at(self, index: int) -> int:
        """Return the value of the state with this index, from O's viewpoint.

        Examples
        --------
        >>> load("fastest").value_at(9396)
        -5
        """
        if type(index) is not int or not 0 <= index < STATES:
            index = as_index(index)
        value = self._values[index]
        if value == UNDEFINED:
            raise self._undefined(index)
        return value

    def mover_value_at(self, index: int) -> int:
        """Return the value from the mover's side: positive is good for who moves next.

        Examples
        --------
        >>> load("fastest").mover_value_at(9396)
        5
        """
        value = self.value_at(index)
        return value if index >= BOARDS else -value

    def move_at(self, index: int) -> int | None:
        """Return the smallest of the best cells, or None if play has ended.

        Examples
        --------
        >>> load().move_at(9396)
        2
        """
        if type(index) is not int or not 0 <= index < STATES:
            index = as_index(index)
        move = self._moves[index]
        if move != NO_MOVE:
            return move
        self.value_at(index)  # refuses a state that has no meaning
        return None

    def optimal_at(self, index: int) -> int:
        """Return the best cells as a 9-bit mask: bit c stands for cell c.

        The mask is 0 if play has ended.

        Examples
        --------
        >>> bin(load().optimal_at(9396))
        '0b100'
        """
        index = as_index(index)
        mask = self._optimal[2 * index] | self._optimal[2 * index + 1] << 8
        if mask == 0:
            self.value_at(index)
        return mask

    def is_reachable_at(self, index: int) -> bool:
        """Return whether a game from the empty board, X first, can lead here.

        Examples
        --------
        >>> load().is_reachable_at(9396)
        True
        """
        index = as_index(index)
        self.value_at(index)
        return self._reachable[index] != 0

    def value(self, board: str, turn: int | None = None) -> int:
        """Return the value of a state, from O's viewpoint.

        Examples
        --------
        >>> load().value("XX.OO....")
        -1
        """
        return self.value_at(encode(board, turn))

    def mover_value(self, board: str, turn: int | None = None) -> int:
        """Return the value from the mover's side: positive is good for who moves next.

        Examples
        --------
        >>> load("fastest").mover_value("XX.OO....")
        5
        """
        return self.mover_value_at(encode(board, turn))

    def move(self, board: str, turn: int | None = None) -> int | None:
        """Return the smallest of the best cells, or None if play has ended.

        Examples
        --------
        >>> load().move("XX.OO....", 1)
        2
        """
        return self.move_at(encode(board, turn))

    def optimal_moves(self, board: str, turn: int | None = None) -> tuple[int, ...]:
        """Return all the best cells, in order; none if play has ended.

        Examples
        --------
        >>> load().optimal_moves("X...O...X")
        (1, 3, 5, 7)
        """
        mask = self.optimal_at(encode(board, turn))
        return tuple([cell for cell in range(CELLS) if mask >> cell & 1])

    def move_values(self, board: str, turn: int | None = None) -> dict[int, int]:
        """Return, for each legal cell, the value of the state after it.

        Examples
        --------
        >>> load("fastest").move_values("XXOOX.O..")
        {5: -1, 7: -3, 8: -3}
        """
        index = encode(board, turn)
        if self.move_at(index) is None:
            return {}
        turn, numeral = divmod(index, BOARDS)
        other_turn = BOARDS * (1 - turn) + numeral
        return {
            cell: self.value_at(other_turn + (turn + 1) * power)
            for cell, power in enumerate(POWERS)
            if numeral // power % 3 == 0
        }

    def is_reachable(self, board: str, turn: int | None = None) -> bool:
        """Return whether a game from the empty board, X first, can lead here.

        Examples
        --------
        >>> load().is_reachable("XX.OO....", 1)
        False
        """
        return self.is_reachable_at(encode(board, turn))

    def continuation_counts(
        self, board: str, turn: int | None = None
    ) -> tuple[int, int, int]:
        """Return how many continuations end with X winning, O winning, a draw.

        Two continuations differ if any move in them does. A finished state has one.
        Counted for ``standard``; a variant without them raises `UnknownVariantError`.

        Examples
        --------
        >>> load().continuation_counts(".........")
        (131184, 77904, 46080)
        """
        return self.continuation_counts_at(encode(board, turn))

    def continuation_counts_at(self, index: int) -> tuple[int, int, int]:
        """Return how many continuations end with X winning, O winning, a draw.

        Examples
        --------
        >>> load().continuation_counts_at(9396)
        (22, 27, 24)
        """
        from struct import unpack_from

        index = as_index(index)
        data = self.raw("continuations")
        self.value_at(index)
        x_wins, o_wins, draws = unpack_from("<3i", data, 12 * index)
        return x_wins, o_wins, draws

    @property
    def values(self) -> "NDArray[np.int8]":
        """Values from O's viewpoint: int8, shape (39366,), read-only, made once.

        Examples
        --------
        >>> load().values[9396].item()
        -1
        """
        return self._array("values")

    @property
    def moves(self) -> "NDArray[np.int8]":
        """Chosen cells, -1 where there is none: int8, shape (39366,), read-only.

        Examples
        --------
        >>> load().moves[9396].item()
        2
        """
        return self._array("moves")

    @property
    def optimal(self) -> "NDArray[np.uint16]":
        """Masks of the best cells: little-endian uint16, shape (39366,), read-only.

        Examples
        --------
        >>> load().optimal[9396].item()
        4
        """
        return self._array("optimal")

    @property
    def reachable(self) -> "NDArray[np.bool_]":
        """Whether a game can lead there: bool, shape (39366,), read-only.

        Examples
        --------
        >>> load().reachable[9396].item()
        True
        """
        return self._array("reachable")

    @property
    def continuations(self) -> "NDArray[np.int32]":
        """Continuations that X wins, O wins, draw: int32, shape (39366, 3), read-only.

        Counted for ``standard``; a variant without them raises `UnknownVariantError`.

        Examples
        --------
        >>> load().continuations[9396].tolist()
        [22, 27, 24]
        """
        return self._array("continuations")

    def raw(self, name: str) -> memoryview:
        """Return an array's items as bytes, in index order, without NumPy.

        Parameters
        ----------
        name : str
            ``values`` and ``moves`` have a byte a state, in two's complement,
            ``optimal`` two, the low one first, ``reachable`` one, and
            ``continuations``, where they are counted, three times four.

        Raises
        ------
        UnknownVariantError
            If the variant has no such array.

        Examples
        --------
        >>> load("fill").raw("values")[0]
        0
        """
        if name not in ARRAYS:
            expected = ", ".join(ARRAYS)
            raise UnknownVariantError(
                f"array is {shown(name)}, expected one of {expected}"
            )
        if name not in self._files:
            # Few questions need this one, so it is read when the first of them does.
            path = os.path.join(self.directory, self.variant, f"{name}.npy")
            if f"{self.variant}/{name}.npy" in self._listed or os.path.exists(path):
                self._files[name] = read_array(
                    self.directory, self.variant, name, self._listed
                )
            else:
                raise UnknownVariantError(
                    f"variant {self.variant!r} has no array {name!r}, which "
                    f"{_with_array(name, self._listed) or 'no variant here'} has"
                )
        return memoryview(self._files[name])[NPY_HEADER_SIZE:]

    def _array(self, name: str) -> "NDArray[Any]":
        from numpy import frombuffer

        # Not the bytes that look-ups read: ufunc.at of NumPy 1.24 to 2.4 writes to
        # arrays that are read-only, and would change the answers.
        if name not in self._for_numpy:
            self._for_numpy[name] = self.raw(name).tobytes()
        dtype, entry = ARRAYS[name]
        return frombuffer(self._for_numpy[name], dtype).reshape(STATES, *entry)

    def _undefined(self, index: int) -> InvalidBoardError:
        board, _ = decode(index)
        return InvalidBoardError(f"{self.variant}: {both_have_a_line(board)}")
