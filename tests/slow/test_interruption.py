"""Tests that a build may end at any moment, and that several may run at once.

Whatever happens, a variant loads to the byte as it was before, or as the build wrote
it, or it is refused; and one more build heals what was left.
"""

import errno
import fcntl
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import pytest

import build_tables
from tests import oracle
from ttt_runtime import Table, TableError

if not hasattr(os, "fork"):
    pytest.skip("this system cannot fork", allow_module_level=True)

HERE = Path(__file__).resolve().parents[2]

Files = dict[str, bytes]
Loaded = dict[str, dict[str, bytes] | None]


ARRAYS = ("values", "moves", "optimal", "reachable")


def read_all(directory: Path) -> Loaded:
    """Load every variant anew: all that it answers from, None if it is refused."""
    loaded: Loaded = {}
    for variant in oracle.VARIANTS:
        try:
            table = Table(variant, str(directory))
            loaded[variant] = {name: bytes(table.raw(name)) for name in ARRAYS}
        except TableError:
            loaded[variant] = None
    return loaded


def seal(files: Files) -> Files:
    """Give files the checksums.txt that fits them."""
    files["checksums.txt"] = "".join(
        f"{zlib.crc32(content):08x} {len(content)} {path}\n"
        for path, content in sorted(files.items())
        if path != "checksums.txt"
    ).encode()
    return files


BUILT = build_tables.serialise()

# Nothing is loaded from the bundle, half of all bytes; hundreds of builds spare it.
NEW = seal({**BUILT, "tables.msgpack": b"abridged"})


def another_release() -> Files:
    """Return tables that load, but of which every file has another content.

    Each variant has the arrays of the next one.
    """
    files = {path: content + b"\n" for path, content in NEW.items()}
    names = [*oracle.VARIANTS, oracle.VARIANTS[0]]
    for variant, other in pairwise(names):
        for name in ARRAYS:
            content = bytearray(NEW[f"{other}/{name}.npy"])
            content[-1] ^= 1
            files[f"{variant}/{name}.npy"] = bytes(content)
    counts = NEW["standard/continuations.npy"]
    files["standard/continuations.npy"] = counts[:-1] + b"\1"
    files["VERSION"] = b"ttt-tables 1.1\n"
    return seal(files)


OLD = another_release()


def write(files: Files, directory: Path) -> None:
    """Write files as they are, by no way of the product's."""
    for path, content in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)


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
    return both[0], both[1]


def test_the_other_release_is_another_and_loads(right: tuple[Loaded, Loaded]) -> None:
    """All its files differ, and so do all arrays of all its variants."""
    assert NEW.keys() == OLD.keys()
    assert not [path for path in NEW if NEW[path] == OLD[path]]
    for variant in oracle.VARIANTS:
        old, new = right[0][variant], right[1][variant]
        assert old is not None
        assert new is not None
        assert not [name for name in new if new[name] == old[name]]


# A build in a child, stopped or failed at one of its steps

Stop = Callable[[], NoReturn]


def killed() -> NoReturn:
    """End this process as a power switch would."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def failed(number: int) -> Stop:
    """Return what the operating system does when it cannot: an error of that number."""

    def fail() -> NoReturn:
        raise OSError(number, os.strerror(number))

    return fail


class Steps:
    """Every operation on files that a build asks the system for, counted.

    Before step number `last` comes the `stop`; if that is a write and `half` is set,
    half of it is written first.
    """

    def __init__(self, last: int = 0, stop: Stop = killed, half: bool = False) -> None:
        self.names: list[str] = []
        self.last, self.stop, self.half = last, stop, half

    def wrap(self, module: Any, name: str) -> None:
        """Count a function of a module."""
        real = getattr(module, name)

        def counted(*arguments: Any, **options: Any) -> Any:
            self.step(name)
            return real(*arguments, **options)

        setattr(module, name, counted)

    def step(self, name: str, before: Callable[[], object] = lambda: None) -> None:
        """Count one step, and stop if it is the last."""
        self.names.append(name)
        if len(self.names) == self.last:
            before()
            self.stop()

    def install(self) -> None:
        """Wrap all that a build uses. Only ever done in a child."""
        for name in ("open", "close", "fsync", "replace", "unlink", "mkdir"):
            self.wrap(os, name)
        self.wrap(fcntl, "flock")
        really_open = io.open

        def open_counted(name: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
            self.step("open file")
            return File(really_open(name, mode, *rest, **options), self)

        vars(io)["open"] = open_counted


class File:
    """A file whose operations are steps."""

    def __init__(self, file: Any, steps: Steps) -> None:
        self.file, self.steps = file, steps
        self.fileno = file.fileno

    def __enter__(self) -> "File":
        """Enter the file's own block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, which is a step too."""
        try:
            self.steps.step("close file")
        finally:
            self.file.close()

    def write(self, content: bytes) -> int:
        """Write all, or half of it if the disk is full in the midst of it."""

        def half() -> None:
            if self.steps.half:
                self.file.write(content[: len(content) // 2])
                self.file.flush()

        self.steps.step("write", half)
        written: int = self.file.write(content)
        return written

    def flush(self) -> None:
        """Hand over what is buffered."""
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


def without_waiting_for_the_disk() -> None:
    """Skip fsync: it guards against a loss of power, which no test here can bring."""
    os.fsync = lambda fd: None


def build(files: Files, directory: Path, steps: Steps | None = None) -> int:
    """Run the build's `main` with these files; leave its complaint beside."""
    with directory.with_name("complaint").open("w") as complaint:
        without_waiting_for_the_disk()
        if steps:
            steps.install()
        sys.stdout = io.StringIO()
        sys.stderr = complaint
        return build_tables.main(lambda: files, directory, "Build.", [])


def steps_of_a_build(directory: Path) -> list[str]:
    """Let a build come to its end, and list its steps."""
    report = directory.with_name("steps")

    def action() -> int:
        steps = Steps()
        status = build(NEW, directory, steps)
        with open(report, "w") as file:
            json.dump(steps.names, file)
        return status

    assert outcome(in_child(action)) == 0
    names: list[str] = json.loads(report.read_text())
    return names


def prepare(files: Files, scratch: Path) -> Path:
    """Make a fresh directory with these files."""
    directory = scratch / "tables"
    shutil.rmtree(directory, ignore_errors=True)
    if files:
        write(files, directory)
    return directory


def assert_old_or_new_or_refused(
    directory: Path, right: tuple[Loaded, Loaded], may_be_old: bool
) -> None:
    """Check every variant, then heal, and check the files."""
    for variant, found in read_all(directory).items():
        allowed = [None, right[1][variant]]
        if may_be_old:
            allowed.append(right[0][variant])
        assert found in allowed, variant


def heal(directory: Path) -> None:
    """Build once more; every file is then as built, and there is no other."""
    assert outcome(in_child(partial(build, NEW, directory))) == 0
    assert build_tables.check(NEW, directory) == []


STARTS = pytest.mark.parametrize(
    "start", [{}, OLD], ids=["no tables", "another release"]
)


@STARTS
def test_a_build_killed_at_any_step(
    start: Files, scratch: Path, right: tuple[Loaded, Loaded]
) -> None:
    """Before each of about 170 steps, in the midst of each write, and after the last.

    Before a step is after the one before it. A step is an open, write, flush, fsync,
    close, replace, unlink, mkdir or lock. That makes about 190 killed builds.
    """
    names = steps_of_a_build(prepare(start, scratch))
    writes = [number for number, name in enumerate(names, 1) if name == "write"]
    assert names.count("write") == names.count("replace") == len(NEW)
    assert names.count("fsync") == len(NEW)
    cases = [(number, False) for number in range(1, len(names) + 1)]
    cases += [(number, True) for number in writes]
    for number, half in cases:
        directory = prepare(start, scratch)
        steps = Steps(number, killed, half)
        child = in_child(partial(build, NEW, directory, steps))
        assert outcome(child) == -signal.SIGKILL
        assert_old_or_new_or_refused(directory, right, bool(start))
        heal(directory)


CAUSES = {
    "write": errno.ENOSPC,
    "open file": errno.ENOSPC,
    "flush": errno.EDQUOT,
    "mkdir": errno.EROFS,
    "replace": errno.EACCES,
}


@STARTS
def test_a_build_that_fails_at_any_step(
    start: Files, scratch: Path, right: tuple[Loaded, Loaded]
) -> None:
    """A full disk, an I/O error, a read-only file system at each of about 170 steps.

    The build exits with 1 and one line that gives the reason, without a traceback, and
    leaves no temporary file behind unless it was not allowed to remove it.
    """
    names = steps_of_a_build(prepare(start, scratch))
    for number, name in enumerate(names, 1):
        cause = CAUSES.get(name, errno.EIO)
        directory = prepare(start, scratch)
        steps = Steps(number, failed(cause), half=True)
        child = in_child(partial(build, NEW, directory, steps))
        status, complaint = outcome(child), directory.with_name("complaint").read_text()
        if name == "mkdir" and status == 0:  # the directory was there already
            assert build_tables.check(NEW, directory) == []
            continue
        assert status == 1, (number, name, complaint)
        assert complaint.endswith(f": {os.strerror(cause)}\n")
        assert complaint.count("\n") == 1
        assert_old_or_new_or_refused(directory, right, bool(start))
        if name != "unlink":
            assert not list(directory.rglob(".*.tmp"))
        heal(directory)


def test_a_build_into_a_read_only_directory(
    scratch: Path, right: tuple[Loaded, Loaded]
) -> None:
    """It says so and changes nothing: the old tables load as before."""
    directory = prepare(OLD, scratch)
    for path in [directory, *directory.iterdir()]:
        if path.is_dir():
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
    assert read_all(directory) == right[0]
    for path in [directory, *directory.iterdir()]:
        if path.is_dir():
            path.chmod(0o755)
    heal(directory)


# Several at once


def test_builds_at_once_leave_the_work_of_one(scratch: Path) -> None:
    """Four builds of two releases into one directory, twelve times; all succeed."""
    directory = prepare({}, scratch)
    for _ in range(12):
        children = [
            in_child(partial(build, files, directory)) for files in (NEW, OLD, NEW, OLD)
        ]
        assert [outcome(child) for child in children] == [0, 0, 0, 0]
        faults = [build_tables.check(files, directory) for files in (NEW, OLD)]
        assert [] in faults, faults


def test_two_commands_at_once(scratch: Path) -> None:
    """As a user would start them, with the disk waited for."""
    builder, directory = str(HERE / "build_tables.py"), str(scratch / "tables")
    command = [sys.executable, builder, "--out", directory]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    assert build_tables.check(BUILT, scratch / "tables") == []


def test_readers_during_builds(scratch: Path, right: tuple[Loaded, Loaded]) -> None:
    """Two processes load all variants again and again while two others rebuild.

    None of some hundred loads mixes two releases.
    """
    directory = prepare(OLD, scratch)
    stop = scratch / "stop"

    def rebuild() -> int:
        files = [NEW, OLD]
        while not stop.exists():
            if build(files[0], directory):
                return 1
            time.sleep(0.01)
            files.reverse()
        return 0

    def read(report: Path) -> int:
        seen = {"old": 0, "new": 0, "refused": 0, "wrong": 0}
        until = time.monotonic() + 4
        while time.monotonic() < until:
            for variant, found in read_all(directory).items():
                if found is None:
                    seen["refused"] += 1
                elif found == right[0][variant]:
                    seen["old"] += 1
                elif found == right[1][variant]:
                    seen["new"] += 1
                else:
                    seen["wrong"] += 1
        report.write_text(json.dumps(seen))
        return 0

    writers = [in_child(rebuild) for _ in range(2)]
    reports = [scratch / "first", scratch / "second"]
    readers = [in_child(partial(read, report)) for report in reports]
    statuses = [outcome(child) for child in readers]
    stop.touch()
    assert statuses + [outcome(child) for child in writers] == [0, 0, 0, 0]
    for report in reports:
        seen = json.loads(report.read_text())
        assert seen["wrong"] == 0, seen
        assert seen["old"] > 0, seen
        assert seen["new"] > 0, seen


def test_a_table_stays_of_one_release(scratch: Path) -> None:
    """Rebuilt after it was loaded, it does not take its continuations from the new one.

    They are read late: they are the old ones or refused.
    """
    directory = prepare(OLD, scratch)
    table = Table("standard", str(directory))
    write(NEW, directory)
    with pytest.raises(TableError, match=r"standard/continuations\.npy"):
        table.raw("continuations")
