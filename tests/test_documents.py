"""Tests of the documents: what their terminal sessions show is what commands print."""

import re
from pathlib import Path

import pytest

from tests.files import ROOT
from tests.sessions import replay

PAGES = [ROOT / name for name in ("README.md", "docs/commands.md", "docs/variants.md")]
FILES = {
    name: content
    for page in PAGES
    for name, content in re.findall(
        r"```python\n# (\w+\.py)\n(.*?)```", page.read_text(), re.S
    )
}
SESSIONS = [
    session
    for page in PAGES
    for session in re.findall(r"```console\n(.*?)```", page.read_text(), re.S)
]


def test_every_command_is_shown() -> None:
    commands = " ".join(re.findall(r"^\$ (.*)", "".join(SESSIONS), re.M))
    names = ["move", "value", "show", "play", "review", "events", "draw", "map"]
    for name in [*names, "classes", "evaluate", "export", "queries", "verify", "info"]:
        assert f"ttt {name}" in commands
    assert "ttt-judge" in commands


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_prints_what_it_shows(session: str, tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    replay(session, tmp_path)
