"""Tests of ``clients/javascript``: its own suite, which has to pass, and can fail."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import msgpack
import pytest

HERE = Path(__file__).resolve().parent
CLIENT = HERE.parent / "clients" / "javascript"
BUNDLE = HERE.parent / "tables" / "tables.msgpack"
VECTORS = HERE / "vectors"


def unavailable(reason: str) -> NoReturn:
    """Skip, or fail where nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and in CI it has to be there")
    pytest.skip(reason)


def run(
    *command: str, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in the client's directory, with its output as text."""
    return subprocess.run(
        command,
        cwd=CLIENT,
        input=stdin,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def node() -> str:
    """Return the path of Node, once the client's packages are installed."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        unavailable("Node 20 or later, with npm, is not installed")
    version = run(node, "--version").stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < 20:
        unavailable(f"Node is {version}, and the client needs 20 or later")
    installed = CLIENT / "node_modules" / ".package-lock.json"
    lock = CLIENT / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        install = run(npm, "ci", "--no-audit", "--no-fund")
        if install.returncode != 0:
            unavailable(f"npm ci cannot install the packages: {install.stdout}")
    return node


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """Make a copy of tables.msgpack and of the vectors, to be damaged."""
    shutil.copy(BUNDLE, tmp_path)
    for path in VECTORS.glob("*.txt"):
        shutil.copy(path, tmp_path)
    return tmp_path


def rewrite_vectors(node: str, copies: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests that write both vector files from tables.msgpack, on copies."""
    return run(
        node,
        "--test",
        "--test-reporter=tap",
        r"--test-name-pattern=states\.txt|events\.txt",
        "test/vectors.test.js",
        TTT_TABLES=str(copies / BUNDLE.name),
        TTT_VECTORS=str(copies),
    )


def count(output: str, what: str) -> int:
    """Return a number from the summary at the end of ``node --test``."""
    found = re.findall(rf"^# {what} (\d+)$", output, re.MULTILINE)
    assert len(found) == 1, output
    return int(found[0])


def test_the_suite_passes(node: str) -> None:
    """All the client's tests ran, and all of them passed."""
    suite = run(node, "--test", "--test-reporter=tap")
    assert suite.returncode == 0, suite.stdout
    written = sum(
        len(re.findall(r"^test\(", path.read_text(encoding="utf-8"), re.MULTILINE))
        for path in (CLIENT / "test").glob("*.test.js")
    )
    assert written > 30
    assert count(suite.stdout, "pass") >= written, suite.stdout
    assert count(suite.stdout, "tests") == count(suite.stdout, "pass"), suite.stdout


def test_copies_pass(node: str, copies: Path) -> None:
    """Undamaged copies give both vector files, so what follows is due to damage."""
    suite = rewrite_vectors(node, copies)
    assert suite.returncode == 0, suite.stdout
    assert count(suite.stdout, "pass") == 5, suite.stdout


def test_damaged_tables_fail(node: str, copies: Path) -> None:
    """The suite fails if one bit of one value in tables.msgpack is flipped."""
    bundle = copies / BUNDLE.name
    content = bytearray(bundle.read_bytes())
    values = (BUNDLE.parent / "fill" / "values.npy").read_bytes()[128:]
    content[content.index(values) + 9396] ^= 1
    bundle.write_bytes(content)
    suite = rewrite_vectors(node, copies)
    assert suite.returncode != 0
    assert "fill.values: sha256 of data is" in suite.stdout


def test_truncated_tables_fail(node: str, copies: Path) -> None:
    """The suite fails if tables.msgpack lacks its last byte."""
    bundle = copies / BUNDLE.name
    bundle.write_bytes(bundle.read_bytes()[:-1])
    suite = rewrite_vectors(node, copies)
    assert suite.returncode != 0
    assert "expected one whole MessagePack map" in suite.stdout


@pytest.mark.parametrize(
    ("variant", "array", "item_size"),
    [
        ("standard", "values", 1),
        ("fill", "moves", 1),
        ("misere", "optimal", 2),
        ("fastest", "reachable", 1),
    ],
)
def test_wrong_tables_fail(
    node: str, copies: Path, variant: str, array: str, item_size: int
) -> None:
    """The suite names the line of a wrong item, though the array's sha256 fits it."""
    bundle = copies / BUNDLE.name
    content = msgpack.unpackb(bundle.read_bytes())
    entry = content["variants"][variant]["arrays"][array]
    data = bytearray(entry["data"])
    data[9396 * item_size] ^= 1
    entry["data"] = bytes(data)
    entry["sha256"] = hashlib.sha256(data).hexdigest()
    bundle.write_bytes(msgpack.packb(content))
    suite = rewrite_vectors(node, copies)
    assert suite.returncode != 0
    assert "line 9398" in suite.stdout, suite.stdout


@pytest.mark.parametrize("name", ["states.txt", "events.txt"])
def test_damaged_vectors_fail(node: str, copies: Path, name: str) -> None:
    """The suite names the line of a wrong entry in a file of vectors."""
    path = copies / name
    lines = path.read_text().split("\n")
    line = next(at for at in range(5000, len(lines)) if lines[at][-1].isdecimal())
    lines[line] = lines[line][:-1] + str((int(lines[line][-1]) + 1) % 2)
    path.write_text("\n".join(lines))
    suite = rewrite_vectors(node, copies)
    assert suite.returncode != 0
    assert f"line {line + 1}" in suite.stdout, suite.stdout


@pytest.mark.parametrize("name", ["states.txt", "events.txt"])
def test_truncated_vectors_fail(node: str, copies: Path, name: str) -> None:
    """The suite fails if a file of vectors lacks its last line, or its last byte."""
    path = copies / name
    content = path.read_bytes()
    for size in content.rindex(b"\n", 0, -1) + 1, len(content) - 1:
        path.write_bytes(content[:size])
        suite = rewrite_vectors(node, copies)
        assert suite.returncode != 0, size
        assert count(suite.stdout, "fail") > 0, suite.stdout


def test_the_first_lines_of_the_readme_print_2(node: str) -> None:
    """The first JavaScript in the README prints the best move of ``XX.OO....``."""
    readme = (CLIENT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```js\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert block is not None
    printed = run(node, "--input-type=module", stdin=block[1])
    assert (printed.returncode, printed.stdout) == (0, "2\n")


def test_the_lock_file_names_no_host() -> None:
    """The lock file leaves it to npm's configuration where packages come from."""
    lock = (CLIENT / "package-lock.json").read_text(encoding="utf-8")
    assert "@msgpack/msgpack" in lock
    assert "://" not in lock
