"""Directories of files, as the tests look at them and damage them."""

import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "tables"


def snapshot(directory: Path) -> dict[str, bytes]:
    """Read every file below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def reseal(tables: Path) -> None:
    """Make checksums.txt list the files that are there, as a build would."""
    lines = [
        f"{zlib.crc32(content):08x} {len(content)} {name}\n"
        for name, content in sorted(snapshot(tables).items())
        if name != "checksums.txt"
    ]
    (tables / "checksums.txt").write_text("".join(lines), newline="")
