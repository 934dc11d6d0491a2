"""``clients/javascript`` in an app of two bundlers; its suite with a wrong table."""

import hashlib
import re
from pathlib import Path

import msgpack
import pytest

from tests.clients import CLIENTS, TABLES, install, need, run, unavailable

CLIENT = CLIENTS / "javascript"

APP = """
import { load } from "ttt-runtime";
const tables = await load(globalThis.source ?? "tables.msgpack");
console.log(tables.bestMove("XX.OO...."));
"""
PAGE = '<!DOCTYPE html><title>App</title><script type="module" src="/app.js"></script>'
# The polyfill wants a document, and the test runs the built app in Node.
CONFIG = "export default { build: { modulePreload: { polyfill: false } } };"
BUILDS = {
    "vite": ["build", "--outDir=vite"],
    "esbuild": ["--bundle", "app.js", "--format=esm", "--outfile=esbuild/app.js"],
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an app beside a checkout, with the client installed as the README says."""
    need("node", "npm")
    root = tmp_path_factory.mktemp("apps")
    (root / "ttt-runtime").symlink_to(CLIENTS.parent)
    app = root / "app"
    app.mkdir()
    (app / "package.json").write_text('{ "type": "module" }')
    (app / "app.js").write_text(APP)
    (app / "index.html").write_text(PAGE)
    (app / "vite.config.js").write_text(CONFIG)
    status, output, fault = run("npm", "install", "vite", "esbuild", cwd=app)
    if status != 0:
        unavailable(f"npm cannot install vite and esbuild: {(output + fault).decode()}")
    readme = (CLIENT / "README.md").read_text(encoding="utf-8")
    command = re.search(r"^npm install .*", readme, re.MULTILINE)
    assert command is not None
    status, output, fault = run("sh", "-c", command[0], cwd=app)
    assert status == 0, (output + fault).decode()
    run("npm", "install", "ms", cwd=app)  # what npm installs later leaves it in place
    return app


@pytest.mark.parametrize("bundler", BUILDS)
def test_a_bundled_app_prints_the_best_move(app: Path, bundler: str) -> None:
    status, output, fault = run("npx", bundler, *BUILDS[bundler], cwd=app)
    text = (output + fault).decode()
    assert status == 0, text
    assert "node:" not in text, text
    (bundle,) = app.glob(f"{bundler}/**/*.js")
    source = TABLES / "tables.msgpack"
    program = f"globalThis.source = {str(source)!r}; await import({str(bundle)!r});"
    outcome = run("node", "--input-type=module", stdin=program.encode(), cwd=app.parent)
    assert outcome == (0, b"2\n", b"")


def test_the_suite_names_the_line_of_a_wrong_move(tmp_path: Path) -> None:
    install(CLIENT)
    content = msgpack.unpackb((TABLES / "tables.msgpack").read_bytes())
    moves = content["variants"]["fill"]["arrays"]["moves"]
    data = bytearray(moves["data"])
    data[9396] ^= 1
    moves |= {"data": bytes(data), "sha256": hashlib.sha256(data).hexdigest()}
    wrong = tmp_path / "wrong.msgpack"
    wrong.write_bytes(msgpack.packb(content))
    status, output, _ = run(
        "node", "--test", "test/vectors.test.js", cwd=CLIENT, TTT_TABLES=str(wrong)
    )
    assert status != 0
    assert b"line 9398" in output
