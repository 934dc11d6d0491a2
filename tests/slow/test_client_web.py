"""``clients/web``: its own suite, which plays on the page in Chromium."""

import os

from tests.clients import CLIENTS, assert_suite_passes, install, need, run

CLIENT = CLIENTS / "web"


def test_the_suite_passes() -> None:
    need(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
    for directory in CLIENTS / "javascript", CLIENT:
        install(directory)
    assert run("sh", "assemble.sh", cwd=CLIENT)[0] == 0
    assert_suite_passes(CLIENT, least=60)
