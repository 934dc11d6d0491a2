"""Tests of the recipes: each block, run as it stands there, prints what it shows.

Where a package that a section imports is not installed, the section is skipped, but
with CI set in the environment it fails.
"""

import ast
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TEXT = (Path(__file__).resolve().parent.parent / "docs/recipes-origins.md").read_text()
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S))
BLOCKS = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.S)


def imported(script: str) -> set[str]:
    """Return the names of the packages that a script imports."""
    names = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module))
    return {name.partition(".")[0] for name in names}


def test_every_fence_belongs_to_a_script_and_what_it_prints() -> None:
    """There is no other block, so none goes untested."""
    pairs = sum(len(BLOCKS.findall(section)) for section in SECTIONS.values())
    assert pairs
    assert len(re.findall("^```", TEXT, re.M)) == 4 * pairs


@pytest.mark.parametrize("title", SECTIONS)
def test_a_script_prints_what_it_shows(title: str, tmp_path: Path) -> None:
    """In a new process, in a directory that a section has for itself."""
    blocks = BLOCKS.findall(SECTIONS[title])
    names = set[str]().union(*(imported(script) for script, _ in blocks))
    missing = sorted(name for name in names if not find_spec(name))
    if missing and not os.environ.get("CI"):
        pytest.skip(f"not installed: {', '.join(missing)}; pip install '.[recipes]'")
    for script, shown in blocks:
        (tmp_path / "recipe.py").write_text(script)
        done = subprocess.run(
            [sys.executable, "recipe.py"], cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.stdout, done.returncode) == (shown, 0), done.stderr
