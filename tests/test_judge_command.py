"""Tests of `ttt_runtime.judge.command`, in this process: files, failures, statuses."""

import os
import runpy
import select
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import oracle
from tests.queries import contest_file
from ttt_runtime.judge.command import main

USAGE = "usage: ttt-judge [PROBLEM] [FILE]\n"
QUERY = b"1\n1 OOO ... ...\n"
INPUTS = {
    "situation": ("1\n1\n.OO\nX.O\nOXO\n", "2\n"),
    "counting": ("2\nXX..O....\nOOOXXX...\n", "191 194\n-1 -1\n"),
    "csp-201803-4": ("1\n1 2 1\n2 1 2\n0 0 0\n", "3\n"),
    "3C": ("X0X\n.0.\n.X.\n", "second\n"),
    "toe1": ("2\nX.O\nOO.\nXXX\n\nO.X\nXX.\nOOO\n", "yes\nno\n"),
    "toe2": ("XXXOO.XXX\nXOXOXOXOX\nend\n", "invalid\nvalid\n"),
}


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


@pytest.mark.parametrize("name", INPUTS)
def test_a_file_a_dash_and_nothing(name: str, run: Run, tmp_path: Path) -> None:
    """The file is read, or standard input; the status is 0."""
    given, answers = INPUTS[name]
    path = tmp_path / "queries"
    path.write_text(given)
    expected = Done(0, answers, "")
    assert run(name, str(path)) == expected
    assert run(name, "-", given=given.encode()) == expected
    assert run(name, given=given.encode()) == expected


def test_situation_is_the_problem_if_none_is_named(run: Run, tmp_path: Path) -> None:
    """A file may have a problem's name, with its directory in front."""
    path = tmp_path / "toe1"
    path.write_bytes(QUERY)
    expected = Done(0, "3\n", "")
    assert run(str(path)) == expected
    assert run("-", given=QUERY) == run(given=QUERY) == expected


def test_the_arguments_are_those_of_the_command_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Unless they are given; an empty list of them is given, too."""
    monkeypatch.setattr(sys, "argv", ["ttt-judge", "toe1", "--fast"])
    assert main() == 2
    assert capfd.readouterr().err == f"ttt-judge: unknown option --fast\n{USAGE}"
    assert run(given=QUERY).status == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["a", "b"], "more than one file, and a is no problem; 'ttt-judge --list' "
         "shows them all"),
        (["toe1", "a", "b"], "more than one file, and a is no problem; 'ttt-judge "
         "--list' shows them all"),
        (["--fast"], "unknown option --fast"),
        (["-x", "--fast"], "unknown option -x"),
        (["a", "-x"], "unknown option -x"),
        (["--list", "x"], "unknown option --list"),
        (["toe1", "-h", "x"], "unknown option -h"),
        (["/nowhere/at/all"], "/nowhere/at/all: No such file or directory"),
        ([""], ": No such file or directory"),
        (["a\0b"], "a\0b: embedded null byte"),
        (["/\udcff/\u00e9"], "/\\udcff/\u00e9: No such file or directory"),
    ],
)  # fmt: skip
def test_wrong_usage(arguments: list[str], complaint: str, run: Run) -> None:
    """What is wrong, then the usage; status 2, and nothing is answered."""
    done = run(*arguments, given=QUERY)
    assert done == (2, "", f"ttt-judge: {complaint}\n{USAGE}")


def test_bad_input(run: Run) -> None:
    """The answers before the fault, one line about it, status 1."""
    done = run(given=b"2\n1 OOO ... ...\n0 OOO ... ..z\n")
    complaint = "row 3 is '..z', expected 3 marks, each . or X or O"
    assert done == (1, "3\n", f"ttt-judge: line 3, query 2: {complaint}\n")


def test_what_cannot_be_read_is_named(run: Run, tmp_path: Path) -> None:
    """A file by its name, standard input by this."""
    done = run(str(tmp_path))
    assert done == (1, "", f"ttt-judge: {tmp_path}: Is a directory\n")

    def fail(source: int, size: int) -> bytes:
        raise OSError(5, "Input/output error")

    for arguments in ([], ["-"], ["toe2"]):
        done = run(*arguments, read=fail)
        assert done == (1, "", "ttt-judge: standard input: Input/output error\n")


def test_too_little_room_for_a_block(run: Run) -> None:
    """It is said in one line, with status 1."""

    def fail(source: int, size: int) -> bytes:
        raise MemoryError

    assert run(read=fail) == (1, "", "ttt-judge: out of memory\n")


def test_a_file_is_read_as_binary(run: Run, tmp_path: Path) -> None:
    """For reading alone, with the flag that systems which translate lines have."""
    asked = []
    real = os.open

    def opened(path: str, flags: int) -> int:
        asked.append(flags)
        return real(path, flags)

    (tmp_path / "queries").write_bytes(QUERY)
    assert run(str(tmp_path / "queries"), open=opened).out == "3\n"
    assert asked == [os.O_RDONLY | getattr(os, "O_BINARY", 0)]


def test_streams_that_are_not_ready_are_waited_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether for reading or for writing; what is written in pieces is all there."""
    read, write = os.read, os.write
    calls: dict[int, int] = {0: 0, 1: 0}
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
        return write(target, text[:7])

    text = contest_file(300, 16)
    monkeypatch.setattr(select, "select", lambda *files: waits.append(files))
    done = run(given=text.encode(), read=reads, write=writes)
    assert done == (0, oracle.judge(text), "")
    assert waits.count(([0], [], [])) == (calls[0] + 1) // 2
    assert waits.count(([], [1], [])) == (calls[1] + 1) // 2
    assert len(waits) == (calls[0] + 1) // 2 + (calls[1] + 1) // 2


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (BrokenPipeError(32, "Broken pipe"), (0, "", "")),
        (
            OSError(28, "No space left on device"),
            (1, "", "ttt-judge: standard output: No space left on device\n"),
        ),
        (KeyboardInterrupt(), (130, "", "")),
    ],
)
@pytest.mark.parametrize("arguments", [[], ["--list"], ["toe1", "--help"]])
def test_what_cannot_be_written(
    error: BaseException,
    expected: Done,
    arguments: list[str],
    run: Run,
) -> None:
    """A reader that has left is no fault; a full disk is; Ctrl-C is 130."""
    write = os.write

    def fail(target: int, text: bytes) -> int:
        if target == 1:
            raise error
        return write(target, text)

    assert run(*arguments, given=QUERY, write=fail) == expected


@pytest.mark.parametrize(("argument", "status"), [("--fast", 2), ("/", 1)])
def test_a_complaint_that_nobody_hears(argument: str, status: int, run: Run) -> None:
    """The status tells all the same."""

    def fail(target: int, text: bytes) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    assert run(argument, write=fail) == (status, "", "")


def test_python_m_ttt_runtime_judge_is_the_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its status is that of the process, 130 after Ctrl-C at any time."""
    (tmp_path / "queries").write_bytes(QUERY)
    for name, status, out in (("queries", 0, "3\n"), ("nothing", 2, "")):
        monkeypatch.setattr(sys, "argv", ["ttt-judge", str(tmp_path / name)])
        with pytest.raises(SystemExit) as caught:
            runpy.run_module("ttt_runtime.judge", run_name="__main__")
        assert caught.value.code == status
        assert capfd.readouterr().out == out

    def interrupt() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("ttt_runtime.judge.command.main", interrupt)
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("ttt_runtime.judge", run_name="__main__")
    assert caught.value.code == 130
