"""Tests of the command ``ttt-judge``: arguments, files, how it ends."""

import os
import random
import runpy
import select
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ttt_runtime
from tests import UNMEASURED, oracle
from tests.queries import contest_file, random_query
from ttt_runtime.judge.command import PROBLEMS, main

HERE = Path(__file__).resolve().parent
JUDGE = [sys.executable, str(Path(sysconfig.get_path("scripts"), "ttt-judge"))]
USAGE = "usage: ttt-judge [PROBLEM] [FILE]\n"
QUERY = b"1\n1 OOO ... ...\n"


class Done(NamedTuple):
    """What the command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run the command with a file as standard input and functions of `os` replaced."""

    def run(*arguments: str, given: bytes = b"", **functions: Any) -> Done:
        (tmp_path / "stdin").write_bytes(given)
        kept = os.dup(0)
        with open(tmp_path / "stdin", "rb") as file:
            os.dup2(file.fileno(), 0)
        try:
            with monkeypatch.context() as patch:
                for name, function in functions.items():
                    patch.setattr(os, name, function)
                status = main(list(arguments))
        finally:
            os.dup2(kept, 0)
            os.close(kept)
        return Done(status, *capfd.readouterr())

    return run


def test_a_file_a_dash_or_standard_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "toe1"  # with its directory in front it is a file
    path.write_bytes(QUERY)
    expected = Done(0, "3\n", "")
    assert run(str(path)) == run("situation", str(path)) == expected
    assert run(given=QUERY) == run("-", given=QUERY) == expected
    assert run("situation", given=QUERY) == run("situation", "-", given=QUERY)
    assert run("toe1", given=b"1\nX.. .O. ...\n") == Done(0, "yes\n", "")


def test_options_stand_before_or_after_a_problem(run: Run) -> None:
    everything = run("--list").out
    for name in PROBLEMS:
        entry = run("--list", name)
        assert entry == run(name, "--list")
        assert entry.out.startswith(f"{name}: ")
        assert entry.out in everything
        assert run("--help", name) == run(name, "-h") == run(name, "--help")
    assert everything.count("  input\n") == len(PROBLEMS)


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"ttt-judge {ttt_runtime.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["a", "b"], "more than one file, and a is no problem; 'ttt-judge --list' "
         "shows them all"),
        (["toe1", "a", "b"], "more than one file, and a is no problem; 'ttt-judge "
         "--list' shows them all"),
        (["cuonting", "b"], "more than one file, and cuonting is no problem; did you "
         "mean counting?"),
        (["--list", "x"], "x is no problem; 'ttt-judge --list' shows them all"),
        (["--list", "TOE2"], "TOE2 is no problem; did you mean toe2?"),
        (["--fast"], "unknown option --fast"),
        (["-x", "--fast"], "unknown option -x"),
        (["a", "-x"], "unknown option -x"),
        (["toe1", "--lst"], "unknown option --lst; did you mean --list?"),
        (["-help"], "unknown option -help; did you mean --help?"),
        (["sitation"], "sitation: No such file or directory; did you mean situation?"),
        (["Situation"], "Situation: No such file or directory; did you mean "
         "situation?"),
        (["3c"], "3c: No such file or directory; did you mean 3C?"),
        (["TOE1"], "TOE1: No such file or directory; did you mean toe1?"),
        (["csp_201803_4"], "csp_201803_4: No such file or directory; did you mean "
         "csp-201803-4?"),
        (["counting", "toe1"], "toe1: No such file or directory"),
        (["/nowhere/at/all"], "/nowhere/at/all: No such file or directory"),
        ([""], ": No such file or directory"),
        (["a\0b"], "a\0b: embedded null byte"),
        (["/\udcff/\u00e9"], "/\\udcff/\u00e9: No such file or directory"),
    ],
)  # fmt: skip
def test_wrong_usage_says_what_is_meant(
    arguments: list[str],
    complaint: str,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments, given=QUERY)
    assert done == (2, "", f"ttt-judge: {complaint}\n{USAGE}")


def test_bad_input_exits_with_1_and_the_answers_before_it(run: Run) -> None:
    done = run(given=b"2\n1 OOO ... ...\n0 OOO ... ..z\n")
    complaint = "row 3 is '..z', expected 3 marks, each . or X or O"
    assert done == (1, "3\n", f"ttt-judge: line 3, query 2: {complaint}\n")


def failing(error: BaseException, number: int) -> Callable[[int, bytes], int]:
    """Return a function that fails for this file, and writes to others."""

    def fail(file: int, text: bytes) -> int:
        if file == number:
            raise error
        return WRITE(file, text)

    return fail


WRITE = os.write
FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("arguments", "functions", "expected"),
    [
        (["-"], {"read": failing(OSError(5, "Input/output error"), 0)},
         (1, "ttt-judge: standard input: Input/output error\n")),
        (["/"], {}, (1, "ttt-judge: /: Is a directory\n")),
        (["-"], {"read": failing(MemoryError(), 0)}, (1, "ttt-judge: out of memory\n")),
        (["-"], {"read": failing(KeyboardInterrupt(), 0)}, (130, "")),
        (["-"], {"write": failing(BrokenPipeError(), 1)}, (0, "")),
        (["-"], {"write": failing(FULL, 1)},
         (1, "ttt-judge: standard output: No space left on device\n")),
        (["--list"], {"write": failing(BrokenPipeError(), 1)}, (0, "")),
        (["--help"], {"write": failing(FULL, 1)},
         (1, "ttt-judge: standard output: No space left on device\n")),
        (["--fast"], {"write": failing(BrokenPipeError(), 2)}, (2, "")),
    ],
)  # fmt: skip
def test_streams_that_fail(
    arguments: list[str], functions: Any, expected: tuple[int, str], run: Run
) -> None:
    done = run(*arguments, given=QUERY, **functions)
    assert (done.status, done.out, done.err) == (expected[0], "", expected[1])


def test_streams_that_are_not_ready_are_waited_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read
    calls = {0: 0, 1: 0}
    waits = []

    def not_ready(number: int) -> None:
        calls[number] += 1
        if calls[number] % 2:
            raise BlockingIOError(11, "Resource temporarily unavailable")

    def reads(source: int, size: int) -> bytes:
        not_ready(source)
        return read(source, min(size, 1000))

    def writes(target: int, text: bytes) -> int:
        not_ready(target)
        return WRITE(target, text[:7])

    text = contest_file(300, 16)
    monkeypatch.setattr(select, "select", lambda *files: waits.append(files))
    done = run(given=text.encode(), read=reads, write=writes)
    assert done == (0, oracle.judge(text), "")
    assert waits.count(([0], [], [])) == (calls[0] + 1) // 2
    assert waits.count(([], [1], [])) == (calls[1] + 1) // 2


def test_python_m_is_the_same_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "queries").write_bytes(QUERY)
    for name, status, out in (("queries", 0, "3\n"), ("nothing", 2, "")):
        monkeypatch.setattr(sys, "argv", ["ttt-judge", str(tmp_path / name)])
        with pytest.raises(SystemExit) as caught:
            runpy.run_module("ttt_runtime.judge", run_name="__main__")
        assert caught.value.code == status
        assert capfd.readouterr().out == out


@pytest.mark.process
def test_a_process_answers_40000_random_queries() -> None:
    path = HERE / "data" / "situation-40000.txt"
    given = path.read_text()
    assert given == contest_file(40000, 102800)
    done = subprocess.run([*JUDGE, path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == oracle.judge(given)


@pytest.mark.process
@pytest.mark.parametrize(
    ("shell", "status", "complaint"),
    [
        ('"$@" <&-', 1, "ttt-judge: standard input: Bad file descriptor\n"),
        ('"$@" . <&-', 1, "ttt-judge: .: Is a directory\n"),
        ('yes | "$@" 2>&-', 1, ""),
        ('echo 1 1 OOO ... ... | "$@" >&-', 1,
         "ttt-judge: standard output: Bad file descriptor\n"),
        ('echo 1 1 OOO ... ... | "$@" >/dev/full', 1,
         "ttt-judge: standard output: No space left on device\n"),
    ],
)  # fmt: skip
def test_a_process_whose_streams_are_closed_or_full(
    shell: str, status: int, complaint: str
) -> None:
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *JUDGE], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, "", complaint)


@pytest.mark.process
def test_make_lets_the_script_start_in_a_path_with_a_space(tmp_path: Path) -> None:
    directory = tmp_path / "a b"
    scripts = directory / ".venv" / "bin"
    scripts.mkdir(parents=True)
    python = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
    body = Path(JUDGE[1]).read_text().partition("\n")[2]
    for name, text in (("python", python), ("ttt-judge", f"#!{scripts}\n{body}")):
        (scripts / name).write_text(text)
        (scripts / name).chmod(0o755)
    target = "repair: ; $(START_THROUGH_SH)"
    makefile = str(HERE.parent / "Makefile")
    make = ["make", "-s", "-f", makefile, "--eval", target, "repair"]
    subprocess.run(make, cwd=directory, check=True)
    assert not (scripts / "rest").exists()
    script = str(scripts / "ttt-judge")
    for command in ([script], [sys.executable, script]):
        done = subprocess.run(command, input=QUERY, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"3\n", b"")


def converse(process: subprocess.Popen[bytes], text: str, answers: str) -> None:
    """Write to an open judge, which gives these answers before it is given more."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text.encode())
    process.stdin.flush()
    given = b""
    while len(given) < len(answers) and select.select([process.stdout], [], [], 30)[0]:
        given += os.read(process.stdout.fileno(), 1 << 16)
    assert given.decode() == answers


@pytest.mark.process
def test_a_co_process_until_ctrl_c() -> None:
    chance = random.Random(12)
    with subprocess.Popen(
        JUDGE,
        env=UNMEASURED,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        first, second, third, fourth = (random_query(chance) for _ in range(4))
        converse(process, f"7\n{first}", oracle.judge(f"1 {first}"))
        begun, rest = third.split("\n", 1)
        converse(process, second + begun, oracle.judge(f"1 {second}"))
        converse(process, f"\n{rest}", oracle.judge(f"1 {third}"))
        crlf = (first + fourth).replace("\n", "\r\n")
        converse(process, crlf, oracle.judge(f"2 {crlf}"))
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.process
def test_a_million_queries_take_no_more_than_25_mb_of_memory() -> None:
    body = contest_file(40000, 13).split("\n", 1)[1].encode()
    script = (
        "import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]); "
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss; "
        "print(peak, file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *JUDGE],
        input=b"1000000\n" + body * 25,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=UNMEASURED,
    )
    assert done.returncode == 0
    assert 1000 < int(done.stderr) < 25 * 1024
