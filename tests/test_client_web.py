"""``clients/web``: what it serves are the files of the repository."""

from tests.clients import CLIENTS, ROOT, install, run
from tests.files import snapshot

CLIENT = CLIENTS / "web"
JAVASCRIPT = CLIENTS / "javascript"
MSGPACK = JAVASCRIPT / "node_modules" / "@msgpack" / "msgpack"
NOBLE = CLIENT / "node_modules" / "@noble" / "hashes"


def test_what_is_served_are_copies_and_no_other_files() -> None:
    install(JAVASCRIPT)
    install(CLIENT)
    assert run("sh", "assemble.sh", cwd=CLIENT) == (0, b"", b"")
    names = "index.html", "style.css", "icon.svg", "start.js", "page.js", "board.js"
    more = "game.js", "sha256.js", "strip.js", "words.js"
    hashes = "LICENSE", "sha2.js", "_md.js", "_u64.js", "utils.js"
    expected = {name: CLIENT / name for name in names + more} | {
        "LICENSE": ROOT / "LICENSE",
        "msgpack/LICENSE": MSGPACK / "LICENSE",
        "tables.msgpack": ROOT / "tables" / "tables.msgpack",
    }
    expected |= {path.name: path for path in JAVASCRIPT.glob("*.js")}
    expected |= {f"noble/{name}": NOBLE / name for name in hashes}
    modules = MSGPACK / "dist.esm"
    for path in modules.rglob("*.mjs"):
        expected[f"msgpack/{path.relative_to(modules).as_posix()}"] = path
    served = {name: path.read_bytes() for name, path in expected.items()}
    assert snapshot(CLIENT / "dist") == served
