"""Find the tables, check them, and look states up in them.

`load` reads a variant's four arrays and verifies every byte against
``checksums.txt`` before it returns; a `Table` then answers each question with one
read from memory. NumPy is imported only when an array property is first used.
"""

import os
from zlib import crc32

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

VERSION = "1.0"
"""Version of the files' format: a reader of 1.x can read every 1.y."""

VERSION_LINE = f"ttt-tables {VERSION}\n"

ARRAYS = {"values": "|i1", "moves": "|i1", "optimal": "<u2", "reachable": "|b1"}
"""Each array of a variant, with its dtype as NumPy writes it."""

NPY_HEADER_SIZE = 128

REMEDY = "rebuild with 'make tables', or reinstall ttt-runtime"

_loaded: dict[tuple[str, str], "Table"] = {}


def npy_header(dtype: str) -> bytes:
    """Return the one ``.npy`` 1.0 header that an array of this dtype may have."""
    fields = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({STATES},), }}"
    size = NPY_HEADER_SIZE - 10
    return (
        b"\x93NUMPY\x01\x00"
        + size.to_bytes(2, "little")
        + (fields.ljust(size - 1) + "\n").encode("ascii")
    )


def _packaged_tables() -> str:
    """Return the directory of the tables that came with this package.

    An installed package has them inside it, in ``data``; in a checkout, also one
    installed as editable, they stand beside it, in ``tables``.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(package, "data")
    if os.path.isdir(installed):
        return installed
    return os.path.join(os.path.dirname(package), "tables")


PACKAGED = _packaged_tables()


def read(path: str, size: int) -> bytes:
    """Return the file's bytes, one more than `size` at most."""
    try:
        with open(path, "rb") as file:
            return file.read(size + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise TableError(f"{path}: cannot be read ({reason}); {REMEDY}") from error


def checksums(directory: str) -> dict[str, tuple[str, int]]:
    """Return what ``checksums.txt`` promises: path -> (CRC-32 in hex, size)."""
    path = os.path.join(directory, "checksums.txt")
    text = read(path, 1 << 16).decode("latin-1")
    promised = {}
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        fields = line.removesuffix("\n").split(" ")
        if len(fields) != 3 or not fields[1].isdecimal() or line[-1] != "\n":
            raise TableError(
                f"{path}: line {number} is {shown(line)}, "
                f"expected CRC-32, size, path and a newline; {REMEDY}"
            )
        promised[fields[2]] = fields[0], int(fields[1])
    return promised


def checked(directory: str, name: str, promised: dict[str, tuple[str, int]]) -> bytes:
    """Return a file's bytes, once their size and CRC-32 are as promised."""
    path = os.path.join(directory, *name.split("/"))
    if name not in promised:
        raise TableError(f"{path}: not listed in checksums.txt; {REMEDY}")
    expected, size = promised[name]
    content = read(path, size)
    if len(content) != size:
        found = "more" if len(content) > size else len(content)
        raise TableError(f"{path}: expected {size} bytes, found {found}; {REMEDY}")
    found = f"{crc32(content):08x}"
    if found != expected:
        raise TableError(f"{path}: CRC-32 is {found}, expected {expected}; {REMEDY}")
    return content


def checked_array(
    directory: str, name: str, dtype: str, promised: dict[str, tuple[str, int]]
) -> bytes:
    """Return the bytes of a ``.npy`` file, once its header is the expected one."""
    content = checked(directory, name, promised)
    header = npy_header(dtype)
    size = NPY_HEADER_SIZE + STATES * int(dtype[2])
    if not content.startswith(header) or len(content) != size:
        path = os.path.join(directory, *name.split("/"))
        raise TableError(
            f"{path}: expected a .npy 1.0 file of {STATES} items of dtype {dtype}, "
            f"{size} bytes with the header, found {len(content)} bytes that begin "
            f"with {shown(content[:NPY_HEADER_SIZE].rstrip())}; {REMEDY}"
        )
    return content


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
    if type(variant) is not str:
        if not issubclass(type(variant), str):
            raise UnknownVariantError(f"variant is {shown(variant)}, expected a str")
        variant = str.__str__(variant)
    where = PACKAGED if directory is None else absolute(directory)
    table = _loaded.get((variant, where))
    if table is None:
        table = _loaded.setdefault((variant, where), Table(variant, where))
    return table


def verify(directory: "str | os.PathLike[str] | None" = None) -> str:
    """Check every file and every entry of the tables, and say what has been proved.

    Files are held against ``checksums.txt``, entries against the rules: a table that is
    wrong but has a fitting checksum is refused too. Takes about a second.

    Parameters
    ----------
    directory : path, optional
        Where the tables are; the ones that came with the package if left out.

    Returns
    -------
    str
        A line for each thing proved.

    Raises
    ------
    TableError
        At the first file that is missing, damaged or should not be there, and at the
        first entry that the rules contradict.

    Examples
    --------
    >>> print(verify())
    20 files: size and CRC-32 are as listed, there is no other file
    standard: all 39366 states follow from the rules and each other
    fill: all 39366 states follow from the rules and each other
    misere: all 39366 states follow from the rules and each other
    fastest: all 39366 states follow from the rules and each other
    tables.msgpack: the same 4 variants, to the byte
    """
    from .certificate import certify  # costs more to import than all the look-ups need

    return certify(PACKAGED if directory is None else absolute(directory))


def absolute(directory: "str | os.PathLike[str]") -> str:
    """Return a directory that was given as any kind of path as an absolute one."""
    try:
        return os.path.abspath(os.fsdecode(directory))
    except Exception as error:  # a foreign __fspath__ may raise anything
        raise TableError(f"directory is {shown(directory)}, expected a path") from error


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
    """

    def __init__(self, variant: str, directory: str) -> None:
        """Read and verify a variant's files; `load` does so once a process."""
        promised = checksums(directory)
        version = checked(directory, "VERSION", promised).decode("latin-1")
        if version.partition(".")[:2] != VERSION_LINE.partition(".")[:2]:
            raise TableError(
                f"{os.path.join(directory, 'VERSION')}: found {shown(version)}, "
                f"expected {shown(VERSION_LINE)} or a later minor version; {REMEDY}"
            )
        if f"{variant}/values.npy" not in promised:
            names = [path.split("/")[0] for path in promised if "/values" in path]
            raise UnknownVariantError(
                f"variant is {shown(variant)}, expected one of {', '.join(names)}"
            )
        self.variant = variant
        self.directory = directory
        self._files = {
            name: checked_array(directory, f"{variant}/{name}.npy", dtype, promised)
            for name, dtype in ARRAYS.items()
        }
        data = {
            name: memoryview(content)[NPY_HEADER_SIZE:]
            for name, content in self._files.items()
        }
        self._values = data["values"].cast("b")
        self._moves = data["moves"].cast("b")
        self._optimal = data["optimal"]
        self._reachable = data["reachable"]

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

    @property
    def values(self) -> "NDArray[np.int8]":
        """Values from O's viewpoint: int8, shape (39366,), read-only, not a copy."""
        return self._array("values")

    @property
    def moves(self) -> "NDArray[np.int8]":
        """Chosen cells, -1 where there is none: int8, shape (39366,), read-only."""
        return self._array("moves")

    @property
    def optimal(self) -> "NDArray[np.uint16]":
        """Masks of the best cells: little-endian uint16, shape (39366,), read-only."""
        return self._array("optimal")

    @property
    def reachable(self) -> "NDArray[np.bool_]":
        """Whether a game can lead there: bool, shape (39366,), read-only."""
        return self._array("reachable")

    def raw(self, name: str) -> bytes:
        """Return an array's items as bytes, in index order, without NumPy.

        Parameters
        ----------
        name : str
            ``values`` and ``moves`` have a byte a state, in two's complement,
            ``optimal`` two, the low one first, ``reachable`` one.

        Examples
        --------
        >>> load("fill").raw("values")[0]
        0
        """
        return self._files[name][NPY_HEADER_SIZE:]

    def _array(self, name: str) -> "NDArray[Any]":
        from numpy import frombuffer

        return frombuffer(self._files[name], ARRAYS[name], offset=NPY_HEADER_SIZE)

    def _undefined(self, index: int) -> InvalidBoardError:
        board, _ = decode(index)
        return InvalidBoardError(f"{self.variant}: {both_have_a_line(board)}")
