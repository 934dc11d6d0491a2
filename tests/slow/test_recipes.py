"""Tests of docs/recipes.md: every block runs, and prints what is shown.

A section is skipped if a package that it imports is missing, but with CI set in the
environment it fails: the optional group ``recipes`` has them all.
"""

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sessions import ENVIRONMENT, replay
from ttt_runtime import load
from ttt_runtime.arrays import decode_many, to_text
from ttt_runtime.boards import UNDEFINED

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "recipes.md").read_text()
FENCED = r"^```(.*)\n((?:.*\n)*?)```$"
SECTIONS = {
    title: re.findall(FENCED, section, re.M)
    for title, section in re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", TEXT, re.M)
}


def missing(blocks: list[tuple[str, str]]) -> list[str]:
    """Return the packages that blocks, or programs they name, import in vain."""
    source = "".join(text for _, text in blocks)
    for program in sorted(set(re.findall(r"\bdocs/(\w+\.py)\b", source))):
        source += (DOCS / program).read_text()
    imported = set(re.findall(r"^ *(?:from|import) (\w+)", source, re.M))
    return sorted(name for name in imported if find_spec(name) is None)


def installed(blocks: list[tuple[str, str]]) -> None:
    """Skip if a package is missing; with CI set that is a failure."""
    packages = missing(blocks)
    if packages and not os.environ.get("CI"):
        pytest.skip(f"not installed: {', '.join(packages)}; pip install '.[recipes]'")
    assert not packages


def test_every_fence_belongs_to_a_block_that_is_run() -> None:
    """There are blocks of three kinds, and what is printed follows a program."""
    blocks = [block for section in SECTIONS.values() for block in section]
    assert 2 * len(blocks) == TEXT.count("```")
    before = ""
    for kind, _ in blocks:
        assert kind in ("python", "console") or (kind, before) == ("text", "python")
        before = kind


@pytest.mark.parametrize("title", SECTIONS)
def test_a_section_prints_what_it_shows(title: str, tmp_path: Path) -> None:
    """The blocks, run in order in one new directory, print the lines below them."""
    blocks = SECTIONS[title]
    installed(blocks)
    directory = tmp_path / "directory"
    directory.mkdir()
    (directory / "docs").symlink_to(DOCS)
    script = tmp_path / "block.py"
    for number, (kind, text) in enumerate(blocks):
        if kind == "console":
            replay(text, directory)
        elif kind == "python":
            script.write_text(text)
            done = subprocess.run(
                [sys.executable, script],
                cwd=directory,
                env=ENVIRONMENT,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{text}\n{done.stderr}"
            after = blocks[number + 1 : number + 2]
            shown = after[0][1] if after and after[0][0] == "text" else ""
            assert done.stdout == shown, text


def definitions(title: str) -> dict[str, Any]:
    """Run the first block of a section up to where it makes its example."""
    installed(SECTIONS[title])
    names: dict[str, Any] = {}
    exec(SECTIONS[title][0][1].partition("\nchosen = ")[0], names)
    return names


TABLES = pytest.mark.parametrize("title", ["DuckDB", "Polars"])


@TABLES
def test_a_turn_in_the_data_is_used(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every state has its own value, move and mask, not those of the counts."""
    names = definitions(title)
    polars = import_module("polars")
    monkeypatch.chdir(tmp_path)
    table = load()
    index = np.flatnonzero(table.values != UNDEFINED)
    boards, turns = decode_many(index)
    given = polars.DataFrame({"board": to_text(boards), "turn": turns, "at": index})
    given.write_parquet("given.parquet")
    names["look_up"]("given.parquet", "found.parquet")
    found = polars.read_parquet("found.parquet").sort("at")
    assert found.columns == ["board", "turn", "at", "value", "move", "optimal"]
    for column, expected in (
        ("at", index),
        ("turn", turns),
        ("value", table.values[index]),
        ("move", table.moves[index]),
        ("optimal", table.optimal[index]),
    ):
        assert found[column].to_list() == expected.tolist()


@TABLES
@pytest.mark.parametrize(
    ("board", "turn"),
    [(None, 0), ("XXXOOO...", 0), ("X...", 0), ("x........", 1), ("X........", None)],
)
def test_a_bad_board_leaves_what_was_there(
    title: str,
    board: str | None,
    turn: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the end of many rows it stops the query, and no part of them is kept."""
    names = definitions(title)
    polars = import_module("polars")
    monkeypatch.chdir(tmp_path)
    sound = 300_000
    columns = {"board": ["X........"] * sound + [board], "turn": [1] * sound + [turn]}
    polars.DataFrame(columns).write_parquet("given.parquet")
    Path("found.parquet").write_text("of yesterday")
    with pytest.raises(Exception, match=r"no answer for board|boards|turns"):
        names["look_up"]("given.parquet", "found.parquet")
    assert Path("found.parquet").read_text() == "of yesterday"
    assert sorted(os.listdir()) == ["found.parquet", "given.parquet"]
