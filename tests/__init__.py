"""What the tests share."""

import os
import subprocess
import zlib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
TABLES = HERE / "tables"

UNMEASURED = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
"""The environment, but for what makes coverage measure processes, and show in them."""


def run(*command: str | Path, **options: Any) -> str:
    """Run a command to success, and return what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def contents(directory: Path) -> dict[str, bytes]:
    """Read every file below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def write(files: dict[str, bytes], directory: Path) -> None:
    """Write files as they are, by no way of the product's."""
    for path, content in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)


def sealed(files: dict[str, bytes]) -> dict[str, bytes]:
    """Give files the checksums.txt that fits them, as a build does."""
    listed = {path: files[path] for path in sorted(files) if path != "checksums.txt"}
    lines = [
        f"{zlib.crc32(content):08x} {len(content)} {path}\n"
        for path, content in listed.items()
    ]
    return {**listed, "checksums.txt": "".join(lines).encode()}
