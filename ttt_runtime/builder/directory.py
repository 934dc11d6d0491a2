"""Write files into a directory, or check those that are there.

Each file is written under a temporary name and then takes its own. ``checksums.txt``
comes last: a build that is cut off leaves files that are as before, or that the
checksums do not match and every reader refuses. The next build heals that. Of two
builds at once, one waits for the other, except on Windows, where there is no lock.

Nothing waits for the disk: what a loss of power takes is refused in the same way, and
with `os.fsync` the build of 4x4 took 1.2 to 1.6 times as long.
"""

import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from mmap import mmap
from pathlib import Path
from typing import Any

from ..errors import TableError
from ..files import ABOUT, ARRAYS, check_version, read_checksums
from ..variants import is_name

if sys.platform != "win32":
    import fcntl

Files = dict[str, Sequence[Any]]
"""Each file's path below the directory, and its content: buffers, in their order."""

Reserve = Callable[[str, int], Any]
"""Returns the content of a file, to be filled: a buffer of zeros, by path and size."""

BLOCK = 1 << 18
"""How many zeros are written at once: the system takes that much memory in one piece.

4x4 took 1.5 to 1.9 s with 256 KiB, 1.6 to 1.9 with 1 MiB; with 2 and 8 MiB up to 6 s,
as the system has to clear up, or maps single pages.
"""


def size(content: Sequence[Any]) -> int:
    """Return how many bytes a file's content has."""
    return sum([memoryview(part).nbytes for part in content])


def checksums(files: Files) -> bytes:
    """Return ``checksums.txt``: a line a file with CRC-32 in hex, size and path."""
    lines = []
    for path, content in sorted(files.items()):
        crc = 0
        for part in content:
            crc = zlib.crc32(part, crc)
        lines.append(f"{crc:08x} {size(content)} {path}\n")
    return "".join(lines).encode()


def write(files: Files, directory: Path) -> None:
    """Write every file, and nothing else."""
    directory.mkdir(parents=True, exist_ok=True)
    with _locked(directory):
        for path, content in files.items():
            _write_file(directory / path, content)


def add(name: str, make: Callable[[Reserve], Files], directory: Path) -> int:
    """Write a variant's files beside those of others; return how many bytes they have.

    `make` returns them. What it reserves is the file itself, mapped: so the system has
    4x4 in memory once, and needs 0.2 s for that, not 0.7 to 1.4 s for arrays and then
    files. A disk that is too small is full before the work begins.
    """
    is_new = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    reserved = []

    def reserve(path: str, size: int) -> mmap:
        reserved.append(path)
        return _mapped(directory / path, size)

    with _locked(directory):
        try:
            others = _others(name, directory)
        except TableError as error:
            print(f"{error}: every variant that was listed there", file=sys.stderr)
            others = []
        try:
            files = make(reserve)
            lines = checksums(files)
            sizes = [size(files[path]) for path in files if path != "VERSION"]
            for path in reserved:
                del files[path]  # Windows does not rename what is mapped
                with _blaming(directory / path):
                    _temporary(directory / path).replace(directory / path)
        finally:
            for path in reserved:
                _temporary(directory / path).unlink(missing_ok=True)
            for empty in [directory / name, *[directory] * is_new]:
                with suppress(OSError):
                    empty.rmdir()
        for path, content in files.items():
            _write_file(directory / path, content)
        _write_file(directory / "checksums.txt", [_merged(others, lines)])
    return sum(sizes)


def remove(name: str, directory: Path) -> int:
    """Take a variant's files out of a directory; return how many bytes they had."""
    if not directory.is_dir() or not is_name(name):
        return 0
    written = [f"{array}.npy" for array in ARRAYS] + [ABOUT]
    with _locked(directory):
        sizes = {
            path: path.stat().st_size
            for file in written
            for path in (directory / name / file, _temporary(directory / name / file))
            if path.is_file()
        }
        if sizes:
            others = _merged(_others(name, directory), b"")
            _write_file(directory / "checksums.txt", [others])
            for path in sizes:
                path.unlink()
            with suppress(OSError):  # somebody else's files stay there
                (directory / name).rmdir()
    return sum(sizes.values())


def _others(name: str, directory: Path) -> list[bytes]:
    """Return the lines of checksums.txt, if it is there, that are not a variant's.

    Raises
    ------
    TableError
        If the list is damaged, or the tables are of another version: nothing that is
        listed would be loaded.
    """
    if not (directory / "checksums.txt").exists():
        return []
    listed = read_checksums(str(directory))
    check_version(str(directory), listed)
    return [
        f"{crc} {length} {path}\n".encode()
        for path, (crc, length) in listed.items()
        if not path.startswith(f"{name}/")
    ]


def _merged(lines: list[bytes], more: bytes) -> bytes:
    """Return lines of checksums.txt in the order of their paths, each path once."""
    by_path = {line.split()[2]: line for line in [*lines, *more.splitlines(True)]}
    return b"".join([by_path[path] for path in sorted(by_path)])


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name}.tmp")


@contextmanager
def _blaming(target: Path) -> Iterator[None]:
    """Name a file, by its own name, in the error of what cannot be done to it."""
    try:
        yield
    except OSError as error:
        error.filename = target
        raise


def _write_file(target: Path, content: Sequence[Any]) -> None:
    target.parent.mkdir(exist_ok=True)
    temporary = _temporary(target)
    try:
        with _blaming(target):
            with temporary.open("wb") as file:
                for part in content:
                    file.write(part)
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _mapped(target: Path, size: int) -> mmap:
    """Write zeros under a file's temporary name, and map them."""
    target.parent.mkdir(exist_ok=True)
    with _blaming(target), _temporary(target).open("w+b") as file:
        for start in range(0, size, BLOCK):
            file.write(bytes(min(BLOCK, size - start)))
        file.flush()
        return mmap(file.fileno(), size)


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keep other builds out of a directory; the lock goes when the process does."""
    if sys.platform == "win32":  # directories cannot be opened there
        yield
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def check(files: Files, directory: Path, alone: bool = True) -> list[str]:
    """Return a line for each file that differs or is missing.

    Waits for a build that is writing there. Where the files should be `alone`, there is
    a line for each file, too, that is not one of them.
    """
    if not directory.is_dir():
        return [f"{directory}: is not a directory"]
    with _locked(directory):
        return _differences(files, directory, alone)


def _differences(files: Files, directory: Path, alone: bool) -> list[str]:
    faults = []
    for path, content in sorted(files.items()):
        target = directory / path
        try:
            if not _same(target, content):
                faults.append(f"{target}: differs from what a build writes")
        except FileNotFoundError:
            faults.append(f"{target}: is missing")
        except OSError as error:
            faults.append(f"{target}: cannot be read ({error.strerror})")
    expected = {directory / path for path in files}
    expected |= {path.parent for path in expected}
    if alone:
        faults += [
            f"{path}: should not be there; remove it"
            for path in sorted(directory.rglob("*"))
            if path not in expected
        ]
    return faults


def _same(path: Path, content: Sequence[Any]) -> bool:
    """Return whether a file has this content."""
    with path.open("rb") as file:
        same = all(
            file.read(memoryview(part).nbytes) == memoryview(part).cast("B")
            for part in content
        )
        return same and not file.read(1)
