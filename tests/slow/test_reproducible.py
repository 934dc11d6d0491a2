"""Tests that the same bytes come out whoever builds, wherever, whenever, with what.

Building with other releases of NumPy and msgpack needs a package index; where there is
none those tests are skipped, but with CI set in the environment they fail.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[2]
TABLES = HERE / "tables"


def snapshot(directory: Path) -> dict[str, bytes]:
    """Read every file below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def run(*command: str | Path, **environment: str) -> str:
    """Run a command to success, and return what it prints."""
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# The tables


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"TZ": "Pacific/Kiritimati"},
        {"PYTHONOPTIMIZE": "1"},
        {"PYTHONOPTIMIZE": "2"},
        {"SOURCE_DATE_EPOCH": "0"},
    ],
    ids=str,
)
def test_a_build_does_not_depend_on_its_environment(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Hash seed, locale, time zone, optimisation: the committed bytes."""
    run(sys.executable, HERE / "build_tables.py", "--out", tmp_path, **environment)
    assert snapshot(tmp_path) == snapshot(TABLES)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask to speak of")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_build_does_not_depend_on_the_umask(umask: int, tmp_path: Path) -> None:
    """It says who may read the files, and nothing about what is in them."""
    builder, out = str(HERE / "build_tables.py"), str(tmp_path / "tables")
    command = [sys.executable, builder, "--out", out]
    subprocess.run(command, umask=umask, check=True, stdout=subprocess.DEVNULL)
    assert snapshot(tmp_path / "tables") == snapshot(TABLES)
    for path in (tmp_path / "tables").rglob("*.npy"):
        assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_build_does_not_depend_on_where_it_stands(tmp_path: Path) -> None:
    """Another working directory, and a copy of the sources in another place."""
    for name in ("build_tables.py", "docs/tables.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(HERE / name, tmp_path / name)
    shutil.copytree(HERE / "ttt_runtime", tmp_path / "ttt_runtime")
    done = subprocess.run(
        [sys.executable, tmp_path / "build_tables.py"], cwd="/", capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert snapshot(tmp_path / "tables") == snapshot(TABLES)


def requirements() -> list[str]:
    """Read what the package depends on."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    found: list[str] = project["dependencies"]
    return found


def oldest() -> list[str]:
    """Return the oldest releases that the package allows."""
    assert all(">=" in each for each in requirements())
    return [each.replace(">=", "==") for each in requirements()]


BUILD = """
import sys
import msgpack, numpy
assert {where!r} in msgpack.__file__ and {where!r} in numpy.__file__
print(numpy.__version__, ".".join(map(str, msgpack.version)))
sys.argv = ["build_tables.py", "--out", {out!r}]
sys.path.insert(0, {here!r})
import build_tables
sys.exit(build_tables.main(build_tables.serialise, build_tables.HERE, "Build."))
"""


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(
            oldest,
            marks=pytest.mark.skipif(
                sys.version_info >= (3, 12),
                reason="the oldest NumPy allowed has no wheel for this Python",
            ),
        ),
        requirements,
    ],
    ids=["oldest", "newest"],
)
def test_a_build_does_not_depend_on_the_release_of_its_libraries(
    wanted: Callable[[], list[str]], tmp_path: Path
) -> None:
    """The oldest NumPy and msgpack that pyproject.toml allows, and the newest.

    With either of them the runtime reads and verifies these tables, too.
    """
    packages = tmp_path / "packages"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade"]
    command += ["--disable-pip-version-check", "--target", str(packages), *wanted()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        reason = f"cannot install {', '.join(wanted())}: {done.stderr.splitlines()[-1]}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    out = tmp_path / "tables"
    script = BUILD.format(where=str(packages), out=str(out), here=str(HERE))
    printed = run(sys.executable, "-c", script, PYTHONPATH=str(packages))
    if wanted is oldest:
        releases = [each.split("==")[1] for each in oldest()]
        for found, release in zip(printed.split(), releases, strict=False):
            assert f"{found}.0".startswith(f"{release}."), printed
    assert snapshot(out) == snapshot(TABLES)
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import ttt_runtime; "
        "print(ttt_runtime.load('fastest', sys.argv[2]).values[9396]); "
        "print(ttt_runtime.verify(sys.argv[2]).count('follow'))"
    )
    printed = run(
        sys.executable, "-c", script, HERE, str(out), PYTHONPATH=str(packages)
    )
    assert printed.split() == ["-5", "4"]


# The wheel


def copy_sources(to: Path) -> Path:
    """Copy what a wheel is built from to another place."""
    unwanted = shutil.ignore_patterns(
        ".*", "dist", "__pycache__", "node_modules", "clients", "benchmarks"
    )
    return Path(shutil.copytree(HERE, to, ignore=unwanted))


def wheel(sources: Path, out: Path, umask: int = 0o022, **environment: str) -> str:
    """Build a wheel, and return its name and its SHA-256."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=sources,
        umask=umask,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    return f"{path.name} {sha256(path.read_bytes()).hexdigest()}"


def test_a_wheel_is_the_same_from_anywhere_at_any_time(tmp_path: Path) -> None:
    """Twice here; from a copy with other times, permissions, umask, zone and seed."""
    first = wheel(HERE, tmp_path / "first")
    assert wheel(HERE, tmp_path / "second", PYTHONHASHSEED="1") == first
    copy = copy_sources(tmp_path / "elsewhere" / "copy")
    for number, path in enumerate(sorted(copy.rglob("*"))):
        path.chmod(path.stat().st_mode & 0o700)
        os.utime(path, (number * 10**6, number * 10**6))
    other = {"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "2", "LC_ALL": "C"}
    assert wheel(copy, tmp_path / "third", 0o077, **other) == first
