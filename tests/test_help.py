"""Tests of the help of both commands, `ttt_runtime.cli` and `ttt_runtime.judge`."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.files import TABLES
from tests.sessions import ENVIRONMENT
from ttt_runtime import cli
from ttt_runtime.judge import command as judge
from ttt_runtime.judge.command import PROBLEMS

HERE = Path(__file__).resolve().parent
COMMANDS = ["move", "value", "show", "play", "review", "events", "draw", "map"]
COMMANDS += [
    "classes",
    "evaluate",
    "export",
    "queries",
    "build",
    "remove",
    "verify",
    "info",
]

Help = Callable[..., str]


@pytest.fixture
def help_of(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Help:
    """Run a command in this process, to success, and return what it prints."""

    def run(main: Callable[[list[str]], int], *arguments: str) -> str:
        monkeypatch.setenv("COLUMNS", "80")
        assert main(list(arguments)) == 0
        out, err = capfd.readouterr()
        assert err == ""
        return out

    return run


def sessions(name: str) -> dict[str, str]:
    """Read commands and what they print: ``$ ttt move --help``, then the lines."""
    text = (HERE / "data" / "help" / name).read_text()
    parts = [part.partition("\n") for part in f"\n{text}".split("\n$ ")[1:]]
    return {command: f"{shown}\n".strip("\n") for command, _, shown in parts}


def paragraphs(text: str) -> list[str | list[str]]:
    """Cut a help text into paragraphs; those that argparse lays out, into words."""
    own = ("usage:", "positional arguments:", "options:", "commands:")
    return [
        part.split() if part.startswith(own) else part
        for part in text.strip("\n").split("\n\n")
    ]


def test_ttt(help_of: Help) -> None:
    shown = sessions("ttt.txt")
    commands = ["--help", *[f"{name} --help" for name in COMMANDS]]
    assert list(shown) == [f"ttt {command}" for command in commands]
    for command in commands:
        text = help_of(cli.main, *command.split())
        assert paragraphs(text) == paragraphs(shown[f"ttt {command}"])
        assert text.endswith("\n")
        assert max(map(len, text.splitlines())) <= 80
    assert help_of(cli.main) == help_of(cli.main, "-h") == help_of(cli.main, "--help")


def test_examples_in_the_help_of_ttt_print_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "tables").symlink_to(TABLES)
    for text in sessions("ttt.txt").values():
        for part in re.split(r"^  \$ ", text.partition("\nexit")[0], flags=re.M)[1:]:
            command, _, shown = dedent(f"  {part}").strip("\n").partition("\n")
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=ENVIRONMENT | {"TTT_TABLES": str(tmp_path / "built")},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
            assert (done.returncode, done.stderr) == (0, ""), command
            assert not shown or done.stdout.strip("\n") == shown, command


def test_ttt_without_docstrings_has_less_to_say() -> None:
    command = [sys.executable, "-OO", "-m", "ttt_runtime"]
    for arguments in (["move", "XX.OO...."], ["move", "--help"], []):
        done = subprocess.run([*command, *arguments], capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")


def test_ttt_judge(help_of: Help) -> None:
    """Of the command for each problem, and the list of problems, to the character."""
    shown = sessions("ttt-judge.txt")
    commands = ["--list", *[f"{name} --help" for name in PROBLEMS]]
    assert list(shown) == [f"ttt-judge {command}" for command in commands]
    for command in commands:
        text = help_of(judge.main, *command.split())
        assert text == shown[f"ttt-judge {command}"] + "\n"
        assert max(map(len, text.splitlines())) <= 80
    situation = help_of(judge.main, "situation", "--help")
    assert help_of(judge.main, "--help") == help_of(judge.main, "-h") == situation
