"""Directories of files, as the tests look at them and damage them."""

import zlib
from pathlib import Path

from ttt_runtime.builder.directory import Files

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "tables"


def snapshot(directory: Path) -> dict[str, bytes]:
    """Read every file below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def joined(files: Files) -> dict[str, bytes]:
    """Return what the files of a build hold."""
    return {path: b"".join(map(bytes, parts)) for path, parts in files.items()}


def write(files: dict[str, bytes], directory: Path) -> None:
    """Write files as they are, by no way of the product's."""
    for path, content in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)


def checksums(files: dict[str, bytes]) -> bytes:
    """Return the checksums.txt that fits these files."""
    lines = [
        f"{zlib.crc32(content):08x} {len(content)} {name}\n"
        for name, content in sorted(files.items())
        if name != "checksums.txt"
    ]
    return "".join(lines).encode()


def reseal(tables: Path) -> None:
    """Make checksums.txt list the files that are there, as a build would."""
    (tables / "checksums.txt").write_bytes(checksums(snapshot(tables)))
