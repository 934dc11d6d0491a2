"""Tests of docs/recipes.md: every block runs, and prints what is shown.

A section is skipped if a package that it imports is missing, but with CI set in the
environment it fails: the optional group ``recipes`` has them all.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.sessions import ENVIRONMENT, replay

DOCS = Path(__file__).resolve().parent.parent / "docs"
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
    packages = missing(blocks)
    if packages and not os.environ.get("CI"):
        pytest.skip(f"not installed: {', '.join(packages)}; pip install '.[recipes]'")
    assert not packages
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
