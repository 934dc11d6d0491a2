"""Tests of ``clients/javascript``: its own suite, and what its README shows."""

import re
from pathlib import Path

import pytest

from tests.clients import CLIENTS, TABLES, assert_suite_passes, install, run

CLIENT = CLIENTS / "javascript"


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    install(CLIENT)


def in_readme(language: str) -> str:
    """Return the first program in this language in the README."""
    readme = (CLIENT / "README.md").read_text(encoding="utf-8")
    block = re.search(rf"^```{language}\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert block is not None
    return block[1]


def test_the_suite_passes() -> None:
    assert_suite_passes(CLIENT, least=30)


def test_the_first_program_in_the_readme_prints_2() -> None:
    program = in_readme("js").encode()
    outcome = run("node", "--input-type=module", stdin=program, cwd=CLIENT)
    assert outcome == (0, b"2\n", b"")


def test_the_readme_makes_a_small_bundle_that_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tables").symlink_to(TABLES)
    exec(in_readme("python"), {})
    small = tmp_path / "small.msgpack"
    assert 79_000 < small.stat().st_size < 80_500
    program = f"""
        import {{ load }} from "ttt-runtime";
        const tables = await load({str(small)!r});
        console.log(tables.situationScore(".OOX.OOXO", 1));
        console.log(tables.table("fill").move("XX.OO...."));
    """
    outcome = run("node", "--input-type=module", stdin=program.encode(), cwd=CLIENT)
    assert outcome == (0, b"2\n2\n", b"")


@pytest.mark.parametrize("client", ["javascript", "web"])
def test_the_lock_file_leaves_the_host_to_npm(client: str) -> None:
    lock = (CLIENTS / client / "package-lock.json").read_text(encoding="utf-8")
    assert "node_modules/" in lock
    assert '"resolved"' not in lock
