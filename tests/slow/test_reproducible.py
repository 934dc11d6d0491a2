"""Tests that the same bytes come out whoever builds, wherever, whenever, with what.

Building with other releases of NumPy and the rest needs a package index; where there is
none that test is skipped, but with CI set in the environment it fails.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from tests import run
from tests.files import ROOT, TABLES, checksums, joined, snapshot
from ttt_runtime.builder.variants import files_of
from ttt_runtime.variants import named

BUILDER = ROOT / "build_tables.py"


@pytest.fixture(scope="module")
def more() -> dict[str, bytes]:
    """Return what a build of another size writes here."""
    files = joined(files_of(named("misere-3x4x3")))
    return {**files, "checksums.txt": checksums(files)}


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "SOURCE_DATE_EPOCH": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONOPTIMIZE": "1"},
        {"PYTHONHASHSEED": "0", "PYTHONOPTIMIZE": "2"},
    ],
    ids=str,
)
def test_a_build_does_not_depend_on_its_environment(
    environment: dict[str, str], tmp_path: Path, more: dict[str, bytes]
) -> None:
    whole = os.environ | environment
    run(sys.executable, BUILDER, "--out", tmp_path / "tables", env=whole)
    assert snapshot(tmp_path / "tables") == snapshot(TABLES)
    out = tmp_path / "more"
    run(sys.executable, BUILDER, "misere-3x4x3", "--out", out, env=whole)
    assert snapshot(out) == more


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask to speak of")
@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_the_umask_decides_who_may_read_the_tables_not_what_is_in_them(
    umask: int, tmp_path: Path
) -> None:
    run(sys.executable, BUILDER, "--out", tmp_path / "tables", umask=umask)
    assert snapshot(tmp_path / "tables") == snapshot(TABLES)
    for path in (tmp_path / "tables").rglob("*.npy"):
        assert path.stat().st_mode & 0o777 == 0o666 & ~umask


UNWANTED = shutil.ignore_patterns(
    ".*", "dist", "__pycache__", "node_modules", "clients", "benchmarks"
)


def test_a_build_does_not_depend_on_where_it_stands(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT, tmp_path / "a copy", ignore=UNWANTED)
    shutil.rmtree(copy / "tables")
    run(sys.executable, copy / "build_tables.py", cwd="/")
    assert snapshot(copy / "tables") == snapshot(TABLES)


DEPENDENCIES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())[
    "project"
]["dependencies"]

BUILD = """
import sys
packages, here, out, *wanted = sys.argv[1:]
sys.path[:0] = [packages, here]
import re
from importlib import import_module
from importlib.metadata import version
for requirement in wanted:
    name, release = re.split("[=>]=", requirement)
    assert import_module(name).__file__.startswith(packages)
    assert ">" in requirement or f"{version(name)}.".startswith(f"{release}."), name
import build_tables, ttt_runtime
from pathlib import Path
from ttt_runtime.builder.command import build_named, main
assert main(Path(out), build_tables.serialise, "Build.", []) == 0
assert build_named(["misere-3x4x3"], None, f"{out}-more", False) == 0
print(ttt_runtime.load("fastest", out).values[9396])
print(ttt_runtime.verify(out).count("follow"))
"""


@pytest.mark.parametrize(
    "relation",
    [
        pytest.param(
            "==",
            marks=pytest.mark.skipif(
                sys.version_info >= (3, 12),
                reason="the oldest NumPy allowed has no wheel for this Python",
            ),
            id="oldest",
        ),
        pytest.param(">=", id="newest"),
    ],
)
def test_the_oldest_and_the_newest_packages_build_and_verify_the_same_bytes(
    relation: str, tmp_path: Path, more: dict[str, bytes]
) -> None:
    packages, out = str(tmp_path / "packages"), str(tmp_path / "tables")
    wanted = [each.replace(">=", relation) for each in DEPENDENCIES]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade"]
    command += ["--disable-pip-version-check", "--target", packages, *wanted]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        reason = f"cannot install {', '.join(wanted)}: {done.stderr.splitlines()[-1]}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    printed = run(sys.executable, "-c", BUILD, packages, ROOT, out, *wanted)
    assert printed.split()[-2:] == ["-5", "4"]
    assert snapshot(Path(out)) == snapshot(TABLES)
    assert snapshot(Path(f"{out}-more")) == more


def wheel(sources: Path, out: Path, umask: int = 0o022, **environment: str) -> str:
    """Build a wheel, and return its name and its SHA-256."""
    build = "-m", "hatchling", "build", "-t", "wheel", "-d", out
    more = os.environ | environment
    run(sys.executable, *build, cwd=sources, umask=umask, env=more)
    (path,) = out.glob("*.whl")
    return f"{path.name} {sha256(path.read_bytes()).hexdigest()}"


def test_a_wheel_is_the_same_from_anywhere_at_any_time(tmp_path: Path) -> None:
    first = wheel(ROOT, tmp_path / "first", PYTHONHASHSEED="1")
    copy = shutil.copytree(ROOT, tmp_path / "elsewhere" / "copy", ignore=UNWANTED)
    for number, path in enumerate(sorted(copy.rglob("*"))):
        path.chmod(path.stat().st_mode & 0o700)
        os.utime(path, (number * 10**6, number * 10**6))
    other = {"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "2", "LC_ALL": "C"}
    assert wheel(copy, tmp_path / "second", 0o077, **other) == first
