"""Tests of `ttt_runtime.judge.parts`: two processes answer as one does."""

import os
import random
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests import UNMEASURED, oracle
from tests.queries import contest_file
from ttt_runtime import JudgeInputError
from ttt_runtime.judge import parts, situation, stream
from ttt_runtime.judge.command import main

JUDGE = Path(sysconfig.get_path("scripts"), "ttt-judge")
QUERY = 14  # bytes, in the layout of "Situation"
QUERIES = 4  # in a part

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="one process answers where there is no fork"
)


@pytest.fixture
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a part of four queries and a few bytes."""
    monkeypatch.setattr(parts, "PART", QUERIES * QUERY + 5)


@pytest.fixture(autouse=True)
def _stay(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no process but a second one end in the middle of a test, and none go on."""
    own, leave = os.getpid(), os._exit

    def leave_if_second(status: int) -> None:
        assert os.getpid() != own
        leave(status if type(status) is int else 99)

    monkeypatch.setattr(os, "_exit", leave_if_second)
    yield
    if os.getpid() != own:
        leave(99)


small_parts = pytest.mark.usefixtures("_small_parts")


def judged(path: Path, file: bool) -> tuple[bytes, str, int]:
    """Answer a file: the answers, the complaint, and how many bytes were read."""
    answers: list[bytes] = []
    complaint = ""
    source = os.open(path, os.O_RDONLY)
    read = 0

    def reader(size: int) -> bytes:
        nonlocal read
        chunk = os.read(source, min(size, 50))
        read += len(chunk)
        return chunk

    try:
        stream.answer(situation, reader, answers.append, source if file else None)
    except JudgeInputError as error:
        complaint = str(error)
    finally:
        os.close(source)
    return b"".join(answers), complaint, read


def assert_as_one(path: Path) -> int:
    """Check two processes against one, and return how many bytes the rest had."""
    helpers: list[int] = []
    fork = os.fork

    def recorded() -> int:
        helpers.append(fork())
        return helpers[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fork", recorded)
        answers, complaint, read = judged(path, file=True)
    assert (answers, complaint) == judged(path, file=False)[:2]
    for helper in helpers:
        with pytest.raises(ChildProcessError):
            os.waitpid(helper, os.WNOHANG)  # nobody is left behind
    return read


@small_parts
def test_files_of_any_length(tmp_path: Path) -> None:
    """From no query to eleven parts, with and without a byte-order mark."""
    path = tmp_path / "queries"
    for count in range(11 * QUERIES + 1):
        for mark in ("", "\ufeff"):
            path.write_text(mark + contest_file(count, count))
            read = assert_as_one(path)
            whole = count // QUERIES * QUERIES * QUERY
            assert read <= 50 + path.stat().st_size - whole


@small_parts
def test_the_second_process_ends_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its status is 0, whether it has answered all its parts or met a fault."""
    path = tmp_path / "queries"
    text = contest_file(20 * QUERIES, 11)
    statuses = []
    waitpid = os.waitpid

    def waited(process: int, options: int) -> tuple[int, int]:
        found = waitpid(process, options)
        statuses.append(found[1])
        return found

    monkeypatch.setattr(os, "waitpid", waited)
    for given in (text, text[: len(text) // 2] + "z" + text[len(text) // 2 + 1 :]):
        path.write_text(given)
        assert_as_one(path)
    assert statuses == [0, 0]


@small_parts
def test_a_fault_anywhere(tmp_path: Path) -> None:
    """A bad mark in any query is reported as one process does."""
    path = tmp_path / "queries"
    for query in range(6 * QUERIES):
        text = bytearray(contest_file(6 * QUERIES, 1).encode())
        text[3 + QUERY * query + 5] = ord("z")
        path.write_bytes(text)
        assert_as_one(path)


@small_parts
@pytest.mark.parametrize(
    "change",
    [
        lambda text, at: text[:at] + b" " + text[at:],
        lambda text, at: text[:at] + text[at:].replace(b"\n", b"\r\n"),
        lambda text, at: text[:at],
        lambda text, at: text[:at] + b"\0" + text[at:],
        lambda text, at: text[:at] + text[at + 1 :],
    ],
    ids=["blank", "CRLF", "cut", "NUL", "a byte less"],
)
def test_another_layout_anywhere(
    tmp_path: Path, change: Callable[[bytes, int], bytes]
) -> None:
    """Whatever changes in the middle of a file, the answers are as from one process."""
    path = tmp_path / "queries"
    text = contest_file(6 * QUERIES, 2).encode()
    for at in range(3, len(text)):
        path.write_bytes(change(text, at))
        assert_as_one(path)


@small_parts
def test_more_or_fewer_queries_than_promised(tmp_path: Path) -> None:
    """What stands after the last query is found, and that queries are missing."""
    path = tmp_path / "queries"
    body = contest_file(6 * QUERIES, 3).split("\n", 1)[1]
    for count in range(8 * QUERIES):
        path.write_text(f"{count}\n{body}")
        assert_as_one(path)


@small_parts
def test_a_helper_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is killed at once, or within what it sends, loses no answer."""
    path = tmp_path / "queries"
    path.write_text(contest_file(20 * QUERIES, 4))
    fork = os.fork

    def killed() -> int:
        helper = fork()
        if helper:
            os.kill(helper, signal.SIGKILL)
        return helper

    monkeypatch.setattr(os, "fork", killed)
    assert_as_one(path)

    def cut_short() -> int:
        helper = fork()
        if not helper:
            monkeypatch.setattr(
                parts, "open", lambda sender, _mode: CutShort(sender), raising=False
            )
        return helper

    lengths: list[int] = []

    class CutShort:
        """A file that ends the process within what it is given."""

        def __init__(self, sender: int) -> None:
            self.sender = sender

        def __enter__(self) -> "CutShort":
            return self

        def __exit__(self, *_: object) -> None:
            """Leave it open."""

        def write(self, text: bytes) -> None:
            os.write(self.sender, text[: lengths[-1]])
            os._exit(1)

    monkeypatch.setattr(os, "fork", cut_short)
    for cut in range(9):
        lengths.append(cut)
        assert_as_one(path)


@small_parts
def test_a_last_byte_that_is_read_again(tmp_path: Path) -> None:
    """One or two bytes are all that is left of a file: they are not forgotten."""
    path = tmp_path / "queries"
    for text in ("0", "1", "00", "X", "7\n", "\n", "é"):
        path.write_text(text)
        assert_as_one(path)


@small_parts
def test_a_helper_that_nobody_need_wait_for(tmp_path: Path) -> None:
    """Where SIGCHLD is ignored, as below some daemons, every query is answered."""
    path = tmp_path / "queries"
    path.write_text(contest_file(20 * QUERIES + 1, 9))
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert_as_one(path)
    finally:
        signal.signal(signal.SIGCHLD, before)


@small_parts
@pytest.mark.parametrize("call", ["pipe", "fork"])
def test_no_second_process_to_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """One process answers everything then, and no file stays open."""
    path = tmp_path / "queries"
    path.write_text(contest_file(20 * QUERIES, 5))

    def refuse() -> int:
        raise OSError("no more")

    monkeypatch.setattr(os, call, refuse)
    before = os.listdir("/proc/self/fd")
    assert assert_as_one(path) >= path.stat().st_size
    assert os.listdir("/proc/self/fd") == before


@small_parts
def test_a_file_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be read at a place is left to whoever reads on, and reports it."""
    path = tmp_path / "queries"
    path.write_text(contest_file(20 * QUERIES, 6))

    def fail(*_: int) -> bytes:
        raise OSError("bad sector")

    monkeypatch.setattr(os, "pread", fail)
    assert_as_one(path)


@small_parts
def test_a_file_that_gives_less_than_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a part that is not there as a whole, no query is answered."""
    path = tmp_path / "queries"
    path.write_text(contest_file(20 * QUERIES, 10))
    pread = os.pread

    def less(source: int, size: int, at: int) -> bytes:
        return pread(source, size - QUERY * (at > 5 * QUERY * QUERIES), at)

    monkeypatch.setattr(os, "pread", less)
    assert_as_one(path)


def large(name: str, seed: int) -> bytes:
    """Return an input of more than 4 MB."""
    problem = import_module(f"ttt_runtime.judge.{name}")
    chance = random.Random(seed)
    text = problem.EXAMPLE[0]
    if name == "situation":
        return contest_file(320_000, seed).encode()
    if name == "toe2":
        boards = ["".join(chance.choices(".XO", k=9)) for _ in range(1000)]
        return ("\n".join(boards * 450) + "\nend\n").encode()
    head, body = text.split("\n", 1)
    count = 2 * parts.WORTHWHILE // len(body)
    return f"{count * int(head)}\n{body * count}".encode()


@pytest.mark.process
@pytest.mark.parametrize("name", ["situation", "counting", "toe1", "toe2"])
def test_a_large_file_as_through_a_pipe(name: str, tmp_path: Path) -> None:
    """By name and as standard input, two processes print what one prints of a pipe."""
    given = large(name, 7)
    path = tmp_path / "queries"
    path.write_bytes(given)
    assert parts.worthwhile(os.open(path, os.O_RDONLY)) == ((os.cpu_count() or 1) > 1)
    command = [sys.executable, str(JUDGE), name]
    piped = subprocess.run(command, input=given, capture_output=True, check=True)
    named = subprocess.run([*command, str(path)], capture_output=True, check=True)
    with path.open("rb") as file:
        redirected = subprocess.run(
            command, stdin=file, capture_output=True, check=True
        )
    assert piped.stdout == named.stdout == redirected.stdout
    assert piped.stderr == named.stderr == redirected.stderr == b""


def test_small_files_and_others_have_one_process(tmp_path: Path) -> None:
    """A file below 4 MB, a pipe and a directory are not shared."""
    path = tmp_path / "queries"
    path.write_bytes(bytes(parts.WORTHWHILE - 1))
    receiver, sender = os.pipe()
    for source in (
        os.open(path, os.O_RDONLY),
        os.open(tmp_path, os.O_RDONLY),
        receiver,
        sender,
    ):
        assert not parts.worthwhile(source)
        os.close(source)


def test_a_second_process_is_worth_its_start_where_there_are_two_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where there is fork; from 4 MB on."""
    with (tmp_path / "queries").open("wb") as file:
        file.truncate(parts.WORTHWHILE)
        for processors, worth in ((None, False), (1, False), (2, True), (3, True)):
            monkeypatch.setattr(os, "cpu_count", lambda count=processors: count)
            assert parts.worthwhile(file.fileno()) is worth
        monkeypatch.delattr(os, "fork")
        assert parts.worthwhile(file.fileno()) is False
    monkeypatch.undo()
    closed, sender = os.pipe()
    os.close(closed)
    assert parts.worthwhile(closed) is False
    os.close(sender)


def test_the_command_asks_whether_it_is_worth_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A large file is answered by two processes, a smaller one by one."""
    path = tmp_path / "queries"
    path.write_text(contest_file(100, 9))
    helpers = []
    fork = os.fork

    def counted() -> int:
        helpers.append(fork())
        return helpers[-1]

    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "fork", counted)
    outs = []
    for worthwhile, expected in ((path.stat().st_size + 1, 0), (1000, 1)):
        monkeypatch.setattr(parts, "WORTHWHILE", worthwhile)
        assert main([str(path)]) == 0
        assert len(helpers) == expected
        outs.append(capfd.readouterr().out)
    assert outs[0] == outs[1] == oracle.judge(path.read_text())


@pytest.mark.process
@pytest.mark.parametrize("ending", ["reader leaves", "Ctrl-C", "disk full"])
def test_a_large_file_that_is_not_answered_to_the_end(
    ending: str, tmp_path: Path
) -> None:
    """The judge ends as with a small one, and leaves no process behind."""
    path = tmp_path / "queries"
    path.write_bytes(large("situation", 8))
    if ending == "disk full":
        if not os.path.exists("/dev/full"):
            pytest.skip("this system has no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, JUDGE, path], stdout=full, stderr=subprocess.PIPE
            )
        assert done.returncode == 1
        assert done.stderr == b"ttt-judge: standard output: No space left on device\n"
        return
    with subprocess.Popen(
        [sys.executable, JUDGE, path],
        env=UNMEASURED,  # threading, which coverage imports, complains of Ctrl-C itself
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.read(1000)) == 1000
        if ending == "Ctrl-C":
            os.killpg(process.pid, signal.SIGINT)
        process.stdout.close()
        assert process.wait() == (130 if ending == "Ctrl-C" else 0)
        assert process.stderr.read() == b""
        for _ in range(100):
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                break
            time.sleep(0.1)
        else:
            pytest.fail("a process is left")
