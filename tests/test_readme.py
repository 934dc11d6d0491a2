"""Tests of the README: what its terminal sessions show is what the commands print."""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent.parent
SESSIONS = re.findall(r"```console\n(.*?)```", (HERE / "README.md").read_text(), re.S)


def test_there_are_sessions_of_every_command() -> None:
    """Move, show, play, events, draw, map, verify, info and the judge are shown."""
    commands = " ".join(re.findall(r"^\$ (.*)", "".join(SESSIONS), re.M))
    for command in ["move", "show", "play", "events", "draw", "map", "verify", "info"]:
        assert f"ttt {command}" in commands
    assert "ttt-judge" in commands


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_prints_what_it_shows(session: str, tmp_path: Path) -> None:
    """Each command, run as it stands there, prints the lines below it."""
    scripts = sysconfig.get_path("scripts")
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    for part in re.split(r"^\$ ", session, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.stdout == shown, command
