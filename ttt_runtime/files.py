"""The files of the tables: where they are, what is in them, whether they are whole.

Each file is read and checked to the byte before any of it is used: against its line in
``checksums.txt`` and, for an array, against the one header that it may have.
"""

import os
from zlib import crc32

from .boards import STATES, shown
from .errors import TableError

VERSION = "1.0"
"""Version of the files' format: a reader of 1.x can read every 1.y."""

VERSION_LINE = f"ttt-tables {VERSION}\n"

ARRAYS = {"values": "|i1", "moves": "|i1", "optimal": "<u2", "reachable": "|b1"}
"""Each array of a variant, with its dtype as NumPy writes it. Shape: (39366,)."""

CONTINUATIONS = "<i4"
"""The dtype of one more array, of the variant ``standard`` alone. Shape: (39366, 3)."""

DTYPE_NAMES = {"|i1": "int8", "<u2": "uint16", "|b1": "bool", "<i4": "int32"}
"""Each dtype as ``tables.msgpack`` names it."""

NPY_HEADER_SIZE = 128

REMEDY = "rebuild with 'make tables', or reinstall ttt-runtime"


def npy_header(dtype: str, columns: int) -> bytes:
    """Return the one ``.npy`` 1.0 header that an array of this dtype may have.

    Its shape is (39366,) if `columns` is 0, else (39366, columns).
    """
    shape = f"({STATES}, {columns})" if columns else f"({STATES},)"
    fields = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    size = NPY_HEADER_SIZE - 10
    return (
        b"\x93NUMPY\x01\x00"
        + size.to_bytes(2, "little")
        + (fields.ljust(size - 1) + "\n").encode()
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


def _at_once(path: str, flags: int) -> int:
    """Open a file, or a pipe in its place, without waiting for who writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read(path: str, size: int) -> bytes:
    """Return the file's bytes, one more than `size` at most."""
    try:
        with open(path, "rb", opener=_at_once) as file:
            return file.read(size + 1) or b""
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
        sound = len(fields) == 3 and line[-1] == "\n"
        if not sound or not fields[1].isdecimal() or len(fields[1]) > 9:
            raise TableError(
                f"{path}: line {number} is {shown(line)}, "
                f"expected CRC-32, size, path and a newline; {REMEDY}"
            )
        promised[fields[2]] = fields[0], int(fields[1])
    return promised


def checked(directory: str, name: str, promised: dict[str, tuple[str, int]]) -> bytes:
    """Return a file's bytes, once their size and CRC-32 are as promised."""
    path = os.path.join(directory, name)
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
    directory: str,
    name: str,
    promised: dict[str, tuple[str, int]],
    dtype: str,
    columns: int = 0,
) -> bytes:
    """Return the bytes of a ``.npy`` file, once its header is the expected one."""
    content = checked(directory, name, promised)
    header = npy_header(dtype, columns)
    items = STATES * (columns or 1)
    size = NPY_HEADER_SIZE + items * int(dtype[2])
    if not content.startswith(header) or len(content) != size:
        path = os.path.join(directory, name)
        raise TableError(
            f"{path}: expected a .npy 1.0 file of {items} items of dtype {dtype}, "
            f"{size} bytes with the header, found {len(content)} bytes that begin "
            f"with {shown(content[:NPY_HEADER_SIZE].rstrip())}; {REMEDY}"
        )
    return content


def absolute(directory: "str | os.PathLike[str]") -> str:
    """Return a directory that was given as any kind of path as an absolute one."""
    try:
        return os.path.abspath(os.fsdecode(directory))
    except Exception as error:  # a foreign __fspath__ may raise anything
        raise TableError(f"directory is {shown(directory)}, expected a path") from error
