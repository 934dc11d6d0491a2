"""The files of the tables: where they are, what is in them, whether they are whole.

Each file is read and checked to the byte before any of it is used: against its line in
``checksums.txt`` and, for an array, against the one header that it may have.
"""

import os
import sys
from zlib import crc32

from .boards import Grid, shown
from .errors import InvalidVariantError, TableError, UnknownVariantError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

    from .variants import Variant

VERSION = "1.0"
"""Version of the files' format: a reader of 1.x can read every 1.y."""

VERSION_LINE = f"ttt-tables {VERSION}\n"

ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "values": ("|i1", ()),
    "moves": ("|i1", ()),
    "optimal": ("<u2", ()),
    "reachable": ("|b1", ()),
    "continuations": ("<i4", (3,)),
}
"""Each array of a variant: its dtype as NumPy writes it, and the shape of an entry."""

COMMON = ("values", "moves", "optimal", "reachable")
"""The arrays of every variant. Continuations are counted for some of them only."""

DTYPE_NAMES = {"|i1": "int8", "<u2": "uint16", "|b1": "bool", "<i4": "int32"}
"""Each dtype as ``tables.msgpack`` names it."""

NPY_HEADER_SIZE = 128

ABOUT = "about.json"
"""What a variant is, beside its arrays; those that come with the package need none."""

MAPPED = 1 << 24
"""From how many bytes on a file is mapped, not read: a 4x4 table has 430 MB."""

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def npy_header(name: str, grid: Grid) -> bytes:
    """Return the one ``.npy`` 1.0 header that an array of this name may have."""
    dtype, entry = ARRAYS[name]
    shape = (grid.states, *entry)
    fields = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    size = NPY_HEADER_SIZE - 10
    return (
        b"\x93NUMPY\x01\x00"
        + size.to_bytes(2, "little")
        + (fields.ljust(size - 1) + "\n").encode()
    )


def npy_size(name: str, grid: Grid) -> int:
    """Return how many bytes an array's ``.npy`` file has."""
    dtype, entry = ARRAYS[name]
    items: int = grid.states * (entry[0] if entry else 1)
    return NPY_HEADER_SIZE + items * int(dtype[2])


def _packaged_tables() -> tuple[str, str]:
    """Return the directory of the tables that came with this package, and a remedy.

    An installed package has them inside it, in ``data``; in a checkout, also one that
    is installed as editable, they stand beside it, in ``tables``. Both may be in a zip
    file.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(package, "data")
    beside = os.path.join(os.path.dirname(package), "tables")
    if _archive:
        remedy = f"make {_archive} anew with the tables in ttt_runtime/data"
        return (beside if _archived(beside, "VERSION") else inside), remedy
    if hasattr(sys, "frozen"):
        remedy = f"freeze {sys.executable} anew with the tables in ttt_runtime/data"
        return inside, f"{remedy} (PyInstaller: --collect-data ttt_runtime)"
    builder = os.path.join(os.path.dirname(package), "build_tables.py")
    if os.path.isfile(builder) and not os.path.isdir(inside):
        return beside, "rebuild with 'make tables'"
    return inside, "reinstall ttt-runtime"


def _archived(*path: str) -> bytes | None:
    """Return a file of the zip file that this package is imported from, if it is."""
    if not _archive:
        return None
    try:
        content: bytes = __loader__.get_data(os.path.join(*path))  # type: ignore[name-defined]
    except OSError:
        return None
    return content


_archive: str = getattr(globals().get("__loader__"), "archive", "")
PACKAGED, _REMEDY = _packaged_tables()


def remedy(path: str) -> str:
    """Say what mends the tables that this file is one of."""
    if path.startswith(PACKAGED + os.sep):
        return _REMEDY
    directory, name = os.path.split(path)
    variant = "VARIANT"
    if name == ABOUT or name.endswith(".npy"):
        from .variants import named

        directory, variant = os.path.split(directory)
        try:
            named(variant)
        except UnknownVariantError:
            variant += " --variants FILE.py"
    return f"build it again with 'ttt build {variant} --out {directory}'"


def built_tables() -> str:
    """Return where variants are built unless a directory is given.

    It is the one in the environment variable ``TTT_TABLES``, or else `ttt-runtime` in
    the user's cache directory.
    """
    chosen = os.environ.get("TTT_TABLES")
    if chosen:
        return absolute(chosen)
    from platformdirs import user_cache_dir

    return user_cache_dir("ttt-runtime", appauthor=False)


def _at_once(path: str, flags: int) -> int:
    """Open a file, or a pipe in its place, without waiting for who writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read(path: str, size: int) -> "bytes | mmap":
    """Return the file's bytes, not many more than `size`; large files are mapped."""
    content: bytes | mmap | None = _archived(path)
    if content is None:
        try:
            with open(path, "rb", opener=_at_once) as file:
                if size < MAPPED or os.fstat(file.fileno()).st_size < MAPPED:
                    content = file.read(max(size, len(_LFS_POINTER)) + 1) or b""
                else:
                    import mmap as mapping

                    content = mapping.mmap(file.fileno(), 0, access=mapping.ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            reason = getattr(error, "strerror", None) or error
            if _archive and path.startswith(_archive):
                reason = f"{_archive} does not have it"
            raise TableError(
                f"{path}: cannot be read ({reason}); {remedy(path)}"
            ) from error
    if content[: len(_LFS_POINTER)] == _LFS_POINTER:
        raise TableError(
            f"{path}: is a Git LFS pointer, expected the file itself; "
            "fetch it with 'git lfs pull'"
        )
    return content


def read_checksums(directory: str) -> dict[str, tuple[str, int]]:
    """Return what ``checksums.txt`` lists: path -> (CRC-32 in hex, size)."""
    path = os.path.join(directory, "checksums.txt")
    text = bytes(read(path, 1 << 16)).decode("latin-1")
    if "\r" in text:
        raise TableError(
            f"{path}: its lines end with CR LF, expected LF; something has converted "
            f"them, such as Git with core.autocrlf; {remedy(path)}"
        )
    listed = {}
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        fields = line.removesuffix("\n").split(" ")
        sound = len(fields) == 3 and line[-1] == "\n"
        if not sound or not fields[1].isdecimal() or len(fields[1]) > 9:
            raise TableError(
                f"{path}: line {number} is {shown(line)}, "
                f"expected CRC-32, size, path and a newline; {remedy(path)}"
            )
        listed[fields[2]] = fields[0], int(fields[1])
    return listed


def comes_with_the_package(name: str) -> bool:
    """Return whether the package's own tables have a variant of this name."""
    return f"{name}/values.npy" in read_checksums(PACKAGED)


def read_variant(
    name: str, directory: str
) -> "tuple[dict[str, tuple[str, int]], Variant | None]":
    """Return what a directory lists, and the variant of this name that it has.

    None stands for a variant without a description: those that come with the package
    have none, and are on 3x3. To look something up there takes no rules.

    Raises
    ------
    UnknownVariantError
        If there is no such variant.
    TableError
        If it is not built there, or a file is damaged.
    """
    listed = {}
    checksums = os.path.join(directory, "checksums.txt")
    if directory == PACKAGED or os.path.exists(checksums):
        listed = read_checksums(directory)
        check_version(directory, listed)
    if f"{name}/values.npy" in listed and f"{name}/{ABOUT}" not in listed:
        return listed, None
    from .variants import named  # brings a module that 3x3 does without

    own = ""
    try:
        variant = named(name)
    except UnknownVariantError as error:
        if f"{name}/{ABOUT}" not in listed:
            raise UnknownVariantError(
                f"{error}; or one of your own, but {directory} has none of that name"
            ) from None
        variant, own = _own_variant(name, directory, listed), " --variants FILE.py"
    # A variant that has lost its lines, but not its files, is damaged, not unknown.
    left = os.path.exists(os.path.join(directory, name, "values.npy"))
    if f"{name}/values.npy" not in listed and not left:
        size = 5 * variant.grid.states
        usual = directory == built_tables()
        there, out = (f"{directory}: ", "") if usual else ("", f" --out {directory}")
        raise TableError(
            f"{there}{name} is not built; build it with "
            f"'ttt build {name}{own}{out}', which takes some {1 + size // 10**8} s "
            f"and {1 + size // 10**6} MB"
        )
    return listed, variant


def _own_variant(
    name: str, directory: str, listed: dict[str, tuple[str, int]]
) -> "Variant":
    """Return a variant of somebody's own making, as its directory describes it."""
    from .variants import described

    content = bytes(read_checked(directory, f"{name}/{ABOUT}", listed))
    try:
        variant = described(content)
    except (ValueError, LookupError, TypeError, InvalidVariantError):
        variant = None
    if variant is None or variant.name != name:
        path = os.path.join(directory, name, ABOUT)
        raise TableError(
            f"{path}: found other data, expected what {name} is; {remedy(path)}"
        )
    return variant


def check_version(directory: str, listed: dict[str, tuple[str, int]]) -> None:
    """Refuse tables of another major version."""
    version = bytes(read_checked(directory, "VERSION", listed)).decode("latin-1")
    major, _, minor = version.removesuffix("\n").partition(".")
    if major != VERSION_LINE.partition(".")[0] or not minor.isdecimal():
        path = os.path.join(directory, "VERSION")
        raise TableError(
            f"{path}: found {shown(version)}, expected {shown(VERSION_LINE)} "
            f"or a later minor version; {remedy(path)}"
        )


def with_array(name: str, listed: dict[str, tuple[str, int]]) -> str:
    """Return the names of the variants that have an array."""
    file = f"/{name}.npy"
    return ", ".join([p.removesuffix(file) for p in listed if p.endswith(file)])


def read_checked(
    directory: str, name: str, listed: dict[str, tuple[str, int]]
) -> "bytes | mmap":
    """Return a file's bytes, once their size and CRC-32 are as listed."""
    path = os.path.join(directory, name)
    if name not in listed:
        raise TableError(f"{path}: not listed in checksums.txt; {remedy(path)}")
    expected, size = listed[name]
    content = read(path, size)
    if len(content) != size:
        found = "more" if len(content) > size else len(content)
        raise TableError(
            f"{path}: expected {size} bytes, found {found}; {remedy(path)}"
        )
    found = f"{crc32(content):08x}"
    if found != expected:
        raise TableError(
            f"{path}: CRC-32 is {found}, expected {expected}; {remedy(path)}"
        )
    return content


def read_array(
    directory: str,
    variant: str,
    grid: Grid,
    name: str,
    listed: dict[str, tuple[str, int]],
) -> "bytes | mmap":
    """Return the bytes of an array's ``.npy`` file, once it has the right header."""
    content = read_checked(directory, f"{variant}/{name}.npy", listed)
    dtype, size = ARRAYS[name][0], npy_size(name, grid)
    header = npy_header(name, grid)
    if content[:NPY_HEADER_SIZE] != header or len(content) != size:
        path = os.path.join(directory, variant, f"{name}.npy")
        items = (size - NPY_HEADER_SIZE) // int(dtype[2])
        raise TableError(
            f"{path}: expected a .npy 1.0 file of {items} items of dtype {dtype}, "
            f"{size} bytes with the header, found {len(content)} bytes that begin "
            f"with {shown(content[:NPY_HEADER_SIZE].rstrip())}; {remedy(path)}"
        )
    return content


def files_below(directory: str) -> list[str]:
    """Return the path of every file below a directory, with ``/``, in order."""
    if _archived(directory, "checksums.txt") is not None:
        from zipfile import ZipFile

        inside = os.path.relpath(directory, _archive).replace(os.sep, "/") + "/"
        with ZipFile(_archive) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
        return sorted([n.removeprefix(inside) for n in names if n.startswith(inside)])
    return sorted(
        [
            os.path.relpath(os.path.join(folder, name), directory).replace(os.sep, "/")
            for folder, _, names in os.walk(directory)
            for name in names
        ]
    )


def absolute(directory: "str | os.PathLike[str]") -> str:
    """Return a directory that was given as any kind of path as an absolute one."""
    try:
        return os.path.abspath(os.fsdecode(directory))
    except TypeError:
        raise TableError(f"directory is {shown(directory)}, expected a path") from None
