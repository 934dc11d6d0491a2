"""Tests that a build may end at any moment, and that several may run at once.

Whatever happens, a variant loads to the byte as it was before, or as the build wrote
it, or it is refused; and one more build heals what was left.
"""

import errno
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import pytest

import build_tables
from tests import oracle
from tests.files import ROOT, checksums, joined, snapshot, write
from ttt_runtime import Table, TableError, verify
from ttt_runtime.builder import command
from ttt_runtime.builder.directory import Files as Parts
from ttt_runtime.builder.directory import Reserve, add
from ttt_runtime.builder.variants import files_of
from ttt_runtime.variants import named

if sys.platform == "win32":
    pytest.skip("this system cannot fork", allow_module_level=True)

import fcntl
import resource

Files = dict[str, bytes]
Loaded = dict[str, dict[str, bytes] | None]

ARRAYS = ("values", "moves", "optimal", "reachable")


def read_all(directory: Path, variants: Iterable[str] = oracle.VARIANTS) -> Loaded:
    """Load variants anew: all that each answers from, None if it is refused."""
    loaded: Loaded = {}
    for variant in variants:
        try:
            table = Table(variant, str(directory))
            loaded[variant] = {name: bytes(table.raw(name)) for name in ARRAYS}
        except TableError:
            loaded[variant] = None
    return loaded


def sealed(files: Files) -> Files:
    """Put the checksums.txt that fits them last, as a build does."""
    others = {path: files[path] for path in files if path != "checksums.txt"}
    return {**others, "checksums.txt": checksums(others)}


BUILT = joined(build_tables.serialise())

# Nothing is loaded from the bundle, half of all bytes; hundreds of builds spare it.
NEW = sealed({**BUILT, "tables.msgpack": b"abridged"})


def another_release() -> Files:
    """Return tables that load, with other bytes: each variant has the next one's."""
    files = {path: content + b"\n" for path, content in NEW.items()}
    for variant, other in pairwise([*oracle.VARIANTS, oracle.VARIANTS[0]]):
        for name in ARRAYS:
            content = bytearray(NEW[f"{other}/{name}.npy"])
            content[-1] ^= 1
            files[f"{variant}/{name}.npy"] = bytes(content)
    files["standard/continuations.npy"] = NEW["standard/continuations.npy"][:-1] + b"\1"
    files["VERSION"] = b"ttt-tables 1.1\n"
    return sealed(files)


OLD = another_release()

NAME, OTHER = "standard-2x2x2", "fill-1x2x1"


def of_a_variant(name: str) -> Files:
    """Return the files of a variant, under the name of the one that is built."""
    files = joined(files_of(named(name)))
    return {path.replace(f"{name}/", f"{NAME}/"): files[path] for path in files}


VARIANT = of_a_variant(NAME)
BESIDE = joined(files_of(named(OTHER)))
STARTS: dict[str, Files] = {
    "no tables": {},
    "another variant": sealed(BESIDE),
    "another release": sealed({**BESIDE, **of_a_variant("misere-2x2x2")}),
    "a damaged list": {**BESIDE, "checksums.txt": b"damaged"},
}


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Make a directory, in memory if the system has one there: builds are many."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(
        dir=memory if os.access(memory, os.W_OK) else tmp_path
    ) as directory:
        yield Path(directory)


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> tuple[Loaded, Loaded]:
    """Return what the old files answer from, and what the new ones do."""
    both = []
    for files in (OLD, NEW):
        directory = tmp_path_factory.mktemp("right")
        write(files, directory)
        both.append(read_all(directory))
    old, new = both
    assert all(loaded and loaded != new[variant] for variant, loaded in old.items())
    return old, new


Stop = Callable[[], NoReturn]


def killed() -> NoReturn:
    """End this process as a power switch would."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def failed(number: int) -> NoReturn:
    """Do what the operating system does when it cannot: raise this error."""
    raise OSError(number, os.strerror(number))


class Steps:
    """Every operation on files that a build asks the system for, counted.

    Step number `last` is the `stop`; if that is a write, half of it is written first.
    """

    def __init__(self, last: int = 0, stop: Stop = killed) -> None:
        self.names: list[str] = []
        self.last, self.stop = last, stop

    def step(self, name: str, before: Callable[[], object] = bool) -> None:
        """Count a step, and stop if it is the last."""
        self.names.append(name)
        if len(self.names) == self.last:
            before()
            self.stop()

    def install(self) -> None:
        """Wrap all that a build uses. Only ever done in a child."""
        really_open = io.open

        def counted(name: str, real: Any, *arguments: Any, **options: Any) -> Any:
            self.step(name)
            return real(*arguments, **options)

        def open_counted(*arguments: Any, **options: Any) -> Any:
            self.step("open file")
            return File(really_open(*arguments, **options), self)

        for name in ("open", "close", "replace", "unlink", "mkdir"):
            setattr(os, name, partial(counted, name, getattr(os, name)))
        vars(fcntl)["flock"] = partial(counted, "flock", fcntl.flock)
        vars(io)["open"] = open_counted


class File:
    """A file whose operations are steps."""

    def __init__(self, file: Any, steps: Steps) -> None:
        self.file, self.steps = file, steps
        self.fileno = file.fileno

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.steps.step("close file")
        finally:
            self.file.close()

    def write(self, content: bytes) -> None:
        def half() -> None:
            self.file.write(content[: len(content) // 2])
            self.file.flush()

        self.steps.step("write", half)
        self.file.write(content)

    def flush(self) -> None:
        self.steps.step("flush")
        self.file.flush()


def in_child(action: Callable[[], int]) -> int:
    """Fork, act there, and return the process id."""
    with warnings.catch_warnings():
        # NumPy has threads of its own; the child uses none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return child
    status = 99
    try:
        status = action()
    finally:
        os._exit(status)


def outcome(child: int) -> int:
    """Wait for a child; its exit status, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def reported(action: Callable[[], int], directory: Path, steps: Steps | None) -> int:
    """Act in a child; leave complaint and steps beside the directory."""
    with directory.with_name("complaint").open("w") as complaint:
        sys.stdout, sys.stderr = io.StringIO(), complaint
        if steps:
            steps.install()
        status = action()
    if steps:
        names = json.dumps(steps.names)  # without those of this report
        os.write(
            os.open(directory.with_name("steps"), os.O_CREAT | os.O_WRONLY),
            names.encode(),
        )
    return status


def build(files: Files, directory: Path, steps: Steps | None = None) -> int:
    """Run the build's `main` with these files."""
    parts: Parts = {path: [content] for path, content in files.items()}
    main = partial(command.main, directory, lambda: parts, "Build.", [])
    return reported(main, directory, steps)


def reserved(files: Parts, reserve: Reserve) -> Parts:
    """Return files whose arrays are mapped, as those of a build are."""
    for path, (content,) in files.items():
        if path.endswith(".npy"):
            space = reserve(path, len(content))
            space[:] = content
            files[path] = [space]
    return files


def build_variant(files: Files, directory: Path, steps: Steps | None = None) -> int:
    """Put a variant's files beside those of others."""
    parts: Parts = {path: [content] for path, content in files.items()}

    def job() -> list[str]:
        add(NAME, partial(reserved, parts), directory)
        return []

    return reported(lambda: command.finished(job), directory, steps)


def fresh(files: Files, scratch: Path) -> Path:
    """Make a directory with these files alone."""
    directory = scratch / "tables"
    shutil.rmtree(directory, ignore_errors=True)
    if files:
        write(files, directory)
    return directory


def steps_of_a_build(directory: Path) -> list[str]:
    """Let a build come to its end, and list its steps."""
    assert outcome(in_child(partial(build, NEW, directory, Steps()))) == 0
    names: list[str] = json.loads(directory.with_name("steps").read_text())
    assert names.count("write") == names.count("replace") == len(NEW)
    assert names.count("replace") == len(NEW)
    return names


def assert_nothing_is_wrong(directory: Path, right: tuple[Loaded, Loaded]) -> None:
    """Check that every variant is as it was, as built, or refused."""
    old, new = right
    for variant, found in read_all(directory).items():
        assert found in (None, old[variant], new[variant]), variant


@pytest.mark.parametrize("start", [{}, OLD], ids=["no tables", "another release"])
def test_what_a_killed_build_leaves_is_never_wrong_and_the_next_build_heals_it(
    start: Files, scratch: Path, right: tuple[Loaded, Loaded]
) -> None:
    count = len(steps_of_a_build(fresh(start, scratch)))
    for number in range(1, count + 1):  # about 170, each write cut in the middle
        directory = fresh(start, scratch)
        child = in_child(partial(build, NEW, directory, Steps(number)))
        assert outcome(child) == -signal.SIGKILL
        assert_nothing_is_wrong(directory, right)
        assert outcome(in_child(partial(build, NEW, directory))) == 0
        assert snapshot(directory) == NEW


@pytest.mark.parametrize("start", STARTS)
def test_a_killed_build_of_a_variant_leaves_the_others_as_they_were(
    start: str, scratch: Path
) -> None:
    directory = fresh(STARTS[start], scratch)
    before = read_all(directory, (NAME, OTHER))
    assert outcome(in_child(partial(build_variant, VARIANT, directory, Steps()))) == 0
    count = len(json.loads(directory.with_name("steps").read_text()))
    built, after = snapshot(directory), read_all(directory, (NAME, OTHER))
    assert after[NAME] not in (None, before[NAME])
    assert after[OTHER] == before[OTHER]
    for number in range(1, count + 1):
        directory = fresh(STARTS[start], scratch)
        child = in_child(partial(build_variant, VARIANT, directory, Steps(number)))
        assert outcome(child) == -signal.SIGKILL
        found = read_all(directory, (NAME, OTHER))
        assert found[NAME] in (None, before[NAME], after[NAME])
        assert found[OTHER] == before[OTHER]
        assert outcome(in_child(partial(build_variant, VARIANT, directory))) == 0
        assert snapshot(directory) == built


CAUSES = {"write": errno.ENOSPC, "mkdir": errno.EROFS, "replace": errno.EACCES}


def test_a_build_that_fails_at_any_step_says_why_and_cleans_up(
    scratch: Path, right: tuple[Loaded, Loaded]
) -> None:
    names = steps_of_a_build(fresh(OLD, scratch))
    for number, name in enumerate(names, 1):
        cause = CAUSES.get(name, errno.EIO)
        directory = fresh(OLD, scratch)
        steps = Steps(number, partial(failed, cause))
        status = outcome(in_child(partial(build, NEW, directory, steps)))
        complaint = directory.with_name("complaint").read_text()
        if name == "mkdir" and status == 0:  # the directory was there already
            assert snapshot(directory) == NEW
            continue
        assert status == 1, (number, name, complaint)
        assert complaint.endswith(f": {os.strerror(cause)}\n")
        assert complaint.count("\n") == 1
        if name != "unlink":
            assert not list(directory.rglob(".*.tmp"))
        assert_nothing_is_wrong(directory, right)


def test_a_build_into_a_read_only_directory_says_so_and_changes_nothing(
    scratch: Path,
) -> None:
    directory = fresh(OLD, scratch)
    folders = [directory, *(path for path in directory.iterdir() if path.is_dir())]
    for path in folders:
        path.chmod(0o555)
    scratch.chmod(0o777)

    def action() -> int:
        os.chdir(scratch)  # the directories above are closed to others
        if os.geteuid() == 0:
            os.setuid(65534)  # root may write everywhere
        return build(NEW, Path("tables"))

    assert outcome(in_child(action)) == 1
    complaint = (scratch / "complaint").read_text()
    assert complaint.endswith(": Permission denied\n")
    assert complaint.count("\n") == 1
    assert snapshot(directory) == OLD
    for path in folders:
        path.chmod(0o755)


def test_builds_at_once_leave_the_work_of_one(scratch: Path) -> None:
    directory = fresh({}, scratch)
    for _ in range(12):
        children = [
            in_child(partial(build, files, directory)) for files in (NEW, OLD, NEW, OLD)
        ]
        assert [outcome(child) for child in children] == [0, 0, 0, 0]
        assert snapshot(directory) in (NEW, OLD)


def test_two_commands_at_once_wait_for_each_other_and_the_disk(scratch: Path) -> None:
    command = [sys.executable, str(ROOT / "build_tables.py"), "--out", str(scratch)]
    builds = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in builds] == [0, 0]
    assert snapshot(scratch) == BUILT


def run(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    """Start the script."""
    script = [sys.executable, str(ROOT / "build_tables.py"), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(script, stdout=pipe, stderr=pipe, text=True, **options)


def test_commands_at_once_build_variants_side_by_side(scratch: Path) -> None:
    names = ["fill-2x4x2", "misere-2x4x2", "standard-2x4x2", "standard-2x4x2"]
    builds = [run(name, "--out", str(scratch)) for name in names]
    for process in builds:
        assert process.communicate()[1] == ""
    assert verify(scratch).count("follow from the rules") == 3


@pytest.mark.parametrize("seconds", [0, 0.5, 1, 2])
def test_ctrl_c_ends_a_build_with_one_line(seconds: float, tmp_path: Path) -> None:
    at_once = os.environ | {"PYTHONUNBUFFERED": "1"}
    names = OTHER, "standard-4x4x4", "misere-4x4x4"
    build = run(*names, "--out", str(tmp_path), env=at_once)
    assert build.stdout
    while "written" not in build.stdout.readline():
        pass
    time.sleep(seconds)
    build.send_signal(signal.SIGINT)
    message = "interrupted; what is half-built will not be loaded\n"
    assert build.communicate(timeout=60)[1] == message
    assert build.returncode == 130
    assert read_all(tmp_path, [OTHER])[OTHER]
    assert not (tmp_path / "misere-4x4x4").exists()


LIMITS = {
    "File too large": ("standard-3x4x3", resource.RLIMIT_FSIZE, 1 << 20),
    "Cannot allocate memory": ("standard-4x4x4", resource.RLIMIT_AS, 400 << 20),
}


@pytest.mark.parametrize("reason", LIMITS)
def test_a_system_without_room_is_named(reason: str, tmp_path: Path) -> None:
    name, kind, limit = LIMITS[reason]

    def restrain() -> None:
        resource.setrlimit(kind, (limit, limit))

    build = run(name, "--out", str(tmp_path / "out"), preexec_fn=restrain)
    _, err = build.communicate(timeout=60)
    assert (build.returncode, err.count("\n")) == (1, 1), err
    assert reason in err
    assert not list(tmp_path.rglob("*.np*"))


def test_readers_during_builds_never_see_a_mixture_of_two_releases(
    scratch: Path, right: tuple[Loaded, Loaded]
) -> None:
    directory = fresh(OLD, scratch)
    until = time.monotonic() + 4

    def rebuild() -> int:
        files = [NEW, OLD]
        while time.monotonic() < until + 0.5:
            if build(files[0], directory):
                return 1
            time.sleep(0.01)
            files.reverse()
        return 0

    def read() -> int:
        seen = set()
        while time.monotonic() < until:
            for variant, found in read_all(directory).items():
                if found:
                    seen.add([loaded[variant] for loaded in right].index(found))
        return int(seen != {0, 1})

    children = [in_child(action) for action in (rebuild, rebuild, read, read)]
    assert [outcome(child) for child in children] == [0, 0, 0, 0]


def test_a_table_loaded_before_a_rebuild_takes_nothing_from_the_new_release(
    scratch: Path,
) -> None:
    directory = fresh(OLD, scratch)
    table = Table("standard", str(directory))
    write(NEW, directory)
    with pytest.raises(TableError, match=r"standard/continuations\.npy"):
        table.raw("continuations")
