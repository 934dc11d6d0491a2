"""Tests of the README: what its terminal sessions show is what the commands print."""

import re
from pathlib import Path

import pytest

from tests.sessions import replay

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
    replay(session, tmp_path)
