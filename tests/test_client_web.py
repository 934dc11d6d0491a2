"""Tests of ``clients/web``: its own suite, which plays on the page in Chromium."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

CLIENT = Path(__file__).resolve().parent.parent / "clients" / "web"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def unavailable(reason: str) -> NoReturn:
    """Skip, or fail where nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and in CI it has to be there")
    pytest.skip(reason)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the client's directory, with its output as text."""
    return subprocess.run(
        command,
        cwd=CLIENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=1800,
        check=False,
    )


def install(npm: str, directory: Path) -> None:
    """Install a client's packages, unless they are there."""
    installed = directory / "node_modules" / ".package-lock.json"
    lock = directory / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        command = run(npm, "ci", "--no-audit", "--no-fund", "--prefix", str(directory))
        if command.returncode != 0:
            unavailable(f"npm ci cannot install the packages: {command.stdout}")


@pytest.fixture(scope="module")
def node() -> str:
    """Return the path of Node, once the page is assembled from its own packages."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        unavailable("Node 20 or later, with npm, is not installed")
    version = run(node, "--version").stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < 20:
        unavailable(f"Node is {version}, and the page's tests need 20 or later")
    for directory in CLIENT.parent / "javascript", CLIENT:
        install(npm, directory)
    assembled = run("sh", "assemble.sh")
    assert assembled.returncode == 0, assembled.stdout
    return node


def test_the_suite_passes(node: str) -> None:
    """All the page's tests ran, and all of them passed."""
    if shutil.which(CHROMIUM) is None:
        unavailable(f"there is no Chromium at {CHROMIUM}")
    suite = run(node, "--test", "--test-reporter=tap")
    assert suite.returncode == 0, suite.stdout
    counts = dict(re.findall(r"^# (tests|pass) (\d+)$", suite.stdout, re.MULTILINE))
    written = sum(
        len(re.findall(r"^ *test\(", path.read_text(encoding="utf-8"), re.MULTILINE))
        for path in (CLIENT / "test").glob("*.test.js")
    )
    assert written > 25
    assert int(counts["tests"]) >= written, suite.stdout
    assert counts["tests"] == counts["pass"], suite.stdout


def test_dist_is_copies(node: str) -> None:
    """What is served are the files of the repository, byte for byte, and no others."""
    dist = CLIENT / "dist"
    javascript = CLIENT.parent / "javascript"
    package = javascript / "node_modules" / "@msgpack" / "msgpack"
    modules = package / "dist.esm"
    expected = {
        name: CLIENT / name
        for name in (
            "index.html",
            "style.css",
            "icon.svg",
            "start.js",
            "page.js",
            "game.js",
        )
    } | {
        "LICENSE": CLIENT.parent.parent / "LICENSE",
        "msgpack/LICENSE": package / "LICENSE",
        "tables.msgpack": CLIENT.parent.parent / "tables" / "tables.msgpack",
        "ttt.js": javascript / "ttt.js",
    }
    for path in modules.rglob("*.mjs"):
        expected[f"msgpack/{path.relative_to(modules).as_posix()}"] = path
    found = {
        path.relative_to(dist).as_posix(): path.read_bytes()
        for path in dist.rglob("*")
        if path.is_file()
    }
    assert found == {name: path.read_bytes() for name, path in expected.items()}


def test_the_lock_file_names_no_host() -> None:
    """The lock file leaves it to npm's configuration where packages come from."""
    lock = (CLIENT / "package-lock.json").read_text(encoding="utf-8")
    assert "playwright-core" in lock
    assert "://" not in lock
