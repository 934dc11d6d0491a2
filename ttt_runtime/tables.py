"""Load a variant's tables and look states up in them.

`load` reads the four arrays of 3x3 and checks every byte before it returns; a `Table`
then answers each question with one read from memory. The arrays of a large board are
mapped, and each is checked when the first question needs it. NumPy is imported only
when an array property is first used.
"""

import os

from .boards import NO_MOVE, THREE, UNDEFINED, both_have_a_line, shown
from .errors import InvalidBoardError, UnknownVariantError
from .files import (
    ARRAYS,
    COMMON,
    MAPPED,
    NPY_HEADER_SIZE,
    PACKAGED,
    absolute,
    built_tables,
    comes_with_the_package,
    read_array,
    read_variant,
    with_array,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from .variants import Rules, Variant

_loaded: dict[tuple[str, str], "Table"] = {}


def load(
    variant: str = "standard", directory: "str | os.PathLike[str] | None" = None
) -> "Table":
    """Return the table of a variant, read and verified once a process.

    Parameters
    ----------
    variant : str
        ``standard``, ``fill``, ``misere`` or ``fastest``, which come with the package;
        or the name of a variant that you have built, such as ``standard-4x4x4``.
    directory : path, optional
        Where the tables are. If left out: those that came with the package, or the
        directory in the environment variable ``TTT_TABLES``, or the user's cache.

    Raises
    ------
    UnknownVariantError
        If there is no variant of that name.
    TableError
        If the variant is not built, a file is missing, or is not to the byte what
        ``checksums.txt`` says, or the tables are of another version. Of a large board
        each array is checked when the first question needs it.

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
        if directory is None and not comes_with_the_package(variant):
            where = built_tables()
        table = _loaded.get((variant, where)) or Table(variant, where)
        table = _loaded.setdefault((variant, where), table)
    return table


class Table:
    """The solved states of one variant. `load` makes them.

    Everywhere below, `board` is a str of marks in cell order, nine of them on 3x3;
    `turn` is 0 if X moves next, 1 if O does, and inferred from the counts if left out.
    A value is the minimax score from O's viewpoint: O maximises, X minimises.

    Every question raises `InvalidBoardError` for a malformed board or turn and, in
    variants that end at a line, for a board on which both sides have one; questions
    by index raise `InvalidIndexError` for anything but an integer from 0 to the number
    of states - 1, on 3x3 39,365. Tables of a large board are mapped, and each array is
    checked when the first question needs it; then it may raise `TableError`.

    Attributes
    ----------
    variant : str
        The variant's name.
    grid : Grid
        The board's shape.
    directory : str
        Where the files were read from.

    Examples
    --------
    >>> load("misere").variant
    'misere'
    """

    _listed: "dict[str, tuple[str, int]]"
    _known: "Variant | None"
    _is_mapped = False

    def __new__(cls, variant: str, directory: str) -> "Table":
        """Give a large table a class of its own, whose arrays wait to be asked for."""
        listed, known = read_variant(variant, directory)
        if known and 2 * known.grid.states >= MAPPED:  # `optimal` has two bytes a state
            codes = {"values": "b", "moves": "b", "optimal": "B", "reachable": "B"}
            arrays = {f"_{name}": _Array(name, code) for name, code in codes.items()}
            cls = type("Table", (cls,), {**arrays, "_is_mapped": True})
        table = super().__new__(cls)
        table._listed, table._known = listed, known
        return table

    def __init__(self, variant: str, directory: str) -> None:
        """Read and verify a variant's files; `load` does so once a process."""
        known = self._known
        self._rules = known.rules if known else None
        self.variant = variant
        self.grid = known.grid if known else THREE
        self.directory = directory
        self._files: dict[str, bytes | mmap] = {}
        self._for_numpy: dict[str, bytes | mmap] = {}
        self._states = self.grid.states
        self._encode = self.grid.encode
        if not self._is_mapped:
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

    @property
    def rules(self) -> "Rules":
        """When play ends, and how the end is scored.

        Examples
        --------
        >>> load("fill").rules.unit
        'lines'
        """
        if self._rules is None:
            from .variants import named

            self._rules = named(self.variant).rules
        return self._rules

    def value_at(self, index: int) -> int:
        """Return the value of the state with this index, from O's viewpoint.

        Examples
        --------
        >>> load("fastest").value_at(9396)
        -5
        """
        if type(index) is not int or not 0 <= index < self._states:
            index = self.grid.as_index(index)
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
        return value if index >= self.grid.boards else -value

    def move_at(self, index: int) -> int | None:
        """Return the smallest of the best cells, or None if play has ended.

        Examples
        --------
        >>> load().move_at(9396)
        2
        """
        if type(index) is not int or not 0 <= index < self._states:
            index = self.grid.as_index(index)
        move = self._moves[index]
        if move != NO_MOVE:
            return move
        self.value_at(index)  # refuses a state that has no meaning
        return None

    def optimal_at(self, index: int) -> int:
        """Return the best cells as a mask: bit c stands for cell c.

        The mask is 0 if play has ended.

        Examples
        --------
        >>> bin(load().optimal_at(9396))
        '0b100'
        """
        index = self.grid.as_index(index)
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
        index = self.grid.as_index(index)
        self.value_at(index)
        return self._reachable[index] != 0

    def value(self, board: str, turn: int | None = None) -> int:
        """Return the value of a state, from O's viewpoint.

        Examples
        --------
        >>> load().value("XX.OO....")
        -1
        """
        return self.value_at(self._encode(board, turn))

    def mover_value(self, board: str, turn: int | None = None) -> int:
        """Return the value from the mover's side: positive is good for who moves next.

        Examples
        --------
        >>> load("fastest").mover_value("XX.OO....")
        5
        """
        return self.mover_value_at(self._encode(board, turn))

    def move(self, board: str, turn: int | None = None) -> int | None:
        """Return the smallest of the best cells, or None if play has ended.

        Examples
        --------
        >>> load().move("XX.OO....", 1)
        2
        """
        return self.move_at(self._encode(board, turn))

    def optimal_moves(self, board: str, turn: int | None = None) -> tuple[int, ...]:
        """Return all the best cells, in order; none if play has ended.

        Examples
        --------
        >>> load().optimal_moves("X...O...X")
        (1, 3, 5, 7)
        """
        mask = self.optimal_at(self._encode(board, turn))
        return tuple([cell for cell in range(self.grid.cells) if mask >> cell & 1])

    def move_values(self, board: str, turn: int | None = None) -> dict[int, int]:
        """Return, for each legal cell, the value of the state after it.

        Examples
        --------
        >>> load("fastest").move_values("XXOOX.O..")
        {5: -1, 7: -3, 8: -3}
        """
        index = self._encode(board, turn)
        if self.move_at(index) is None:
            return {}
        turn, numeral = divmod(index, self.grid.boards)
        other_turn = self.grid.boards * (1 - turn) + numeral
        return {
            cell: self.value_at(other_turn + (turn + 1) * power)
            for cell, power in enumerate(self.grid.powers)
            if numeral // power % 3 == 0
        }

    def is_reachable(self, board: str, turn: int | None = None) -> bool:
        """Return whether a game from the empty board, X first, can lead here.

        Examples
        --------
        >>> load().is_reachable("XX.OO....", 1)
        False
        """
        return self.is_reachable_at(self._encode(board, turn))

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
        return self.continuation_counts_at(self._encode(board, turn))

    def continuation_counts_at(self, index: int) -> tuple[int, int, int]:
        """Return how many continuations end with X winning, O winning, a draw.

        Examples
        --------
        >>> load().continuation_counts_at(9396)
        (22, 27, 24)
        """
        from struct import unpack_from

        index = self.grid.as_index(index)
        data = self.raw("continuations")
        self.value_at(index)
        x_wins, o_wins, draws = unpack_from("<3i", data, 12 * index)
        return x_wins, o_wins, draws

    @property
    def values(self) -> "NDArray[np.int8]":
        """Values from O's viewpoint: int8, shape (states,), read-only, made once.

        Examples
        --------
        >>> load().values[9396].item()
        -1
        """
        return self._array("values")

    @property
    def moves(self) -> "NDArray[np.int8]":
        """Chosen cells, -1 where there is none: int8, shape (states,), read-only.

        Examples
        --------
        >>> load().moves[9396].item()
        2
        """
        return self._array("moves")

    @property
    def optimal(self) -> "NDArray[np.uint16]":
        """Masks of the best cells: little-endian uint16, shape (states,), read-only.

        Examples
        --------
        >>> load().optimal[9396].item()
        4
        """
        return self._array("optimal")

    @property
    def reachable(self) -> "NDArray[np.bool_]":
        """Whether a game can lead there: bool, shape (states,), read-only.

        Examples
        --------
        >>> load().reachable[9396].item()
        True
        """
        return self._array("reachable")

    @property
    def continuations(self) -> "NDArray[np.int32]":
        """Continuations that X wins, O wins, draw: int32, shape (states, 3), read-only.

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
            file = f"{self.variant}/{name}.npy"
            absent = not os.path.exists(os.path.join(self.directory, file))
            if name not in COMMON and file not in self._listed and absent:
                raise UnknownVariantError(
                    f"variant {self.variant!r} has no array {name!r}, which "
                    f"{with_array(name, self._listed) or 'no variant here'} has"
                )
            self._files[name] = read_array(
                self.directory, self.variant, self.grid, name, self._listed
            )
        return memoryview(self._files[name])[NPY_HEADER_SIZE:]

    def _array(self, name: str) -> "NDArray[Any]":
        from numpy import frombuffer

        # Not the bytes that look-ups read: ufunc.at of NumPy 1.24 to 2.4 writes to
        # arrays that are read-only, and would change the answers. Mapped files are
        # too large to copy, and the system guards them.
        if name not in self._for_numpy:
            data = self.raw(name)
            content = self._files[name]
            self._for_numpy[name] = bytes(data) if len(content) < MAPPED else content
        content = self._for_numpy[name]
        dtype, entry = ARRAYS[name]
        start = len(content) - len(self.raw(name))
        return frombuffer(content, dtype, offset=start).reshape(self._states, *entry)

    def _undefined(self, index: int) -> InvalidBoardError:
        board, _ = self.grid.decode(index)
        return InvalidBoardError(f"{self.variant}: {both_have_a_line(board)}")


class _Array:
    """An array that is read and checked when the first question needs it.

    It then gives way to an attribute of the instance. The class, which is that of one
    table alone, loses it: Python looks an attribute up more slowly, 60 ns each time, as
    long as the class has something of the same name.
    """

    def __init__(self, name: str, code: str) -> None:
        self.name = name
        self.code = code

    def __get__(self, table: Table, owner: type[Table]) -> memoryview:
        from contextlib import suppress  # a module that 3x3 does without

        view: memoryview = table.raw(self.name).cast(self.code)  # type: ignore[call-overload]
        setattr(table, f"_{self.name}", view)
        with suppress(AttributeError):  # another thread may have been as fast
            delattr(owner, f"_{self.name}")
        return view
