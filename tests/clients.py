"""What the tests of ``clients`` share: how they run programs, and Node's packages."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = ROOT / "clients"
TABLES = ROOT / "tables"
VECTORS = ROOT / "tests" / "vectors"

Outcome = tuple[int, bytes, bytes]
"""Exit status, standard output, standard error."""


def unavailable(reason: str) -> NoReturn:
    """Skip the test and say why; where CI is set, fail instead."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and in CI it has to be there")
    pytest.skip(reason)


def need(*programs: str) -> None:
    """Skip the test if one of these programs is not there."""
    for program in programs:
        if shutil.which(program) is None:
            unavailable(f"there is no {program!r} on this machine")


def run(
    *command: object, stdin: bytes = b"", cwd: Path | None = None, **environment: str
) -> Outcome:
    """Return how a program ended."""
    done = subprocess.run(
        [str(word) for word in command],
        input=stdin,
        capture_output=True,
        timeout=600,
        cwd=cwd,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stdout, done.stderr


def install(directory: Path) -> None:
    """Have npm install what a client's lock file lists, unless it is there."""
    import fcntl  # the tests run side by side, and only one of them may install

    need("node", "npm")
    version = run("node", "--version")[1].decode().strip()
    if [int(part) for part in version[1:].split(".")[:2]] < [20, 16]:
        unavailable(f"Node is {version}, and the clients need 20.16 or later")
    lock = directory / "package-lock.json"
    installed = directory / "node_modules" / ".package-lock.json"
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
            return
        status, output, fault = run(
            "npm", "ci", "--no-audit", "--no-fund", cwd=directory
        )
    if status != 0:
        unavailable(f"npm ci cannot install the packages: {(output + fault).decode()}")


def assert_suite_passes(client: Path, least: int) -> None:
    """Run a client's own tests: as many as expected pass, and none is skipped."""
    status, output, _ = run("node", "--test", "--test-reporter=tap", cwd=client)
    text = output.decode()
    assert status == 0, text
    counts = dict(re.findall(r"^# (tests|pass) (\d+)$", text, re.MULTILINE))
    assert int(counts["tests"]) >= least, text
    assert counts["tests"] == counts["pass"], text
