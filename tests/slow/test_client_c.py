"""The reader and the judge in C under sanitizers, under valgrind, in little memory."""

from pathlib import Path

import pytest

from tests.clients import TABLES, VECTORS, need, run, unavailable
from tests.test_client_c import (
    INPUTS,
    NO_TEXT,
    assert_all_damage_is_refused,
    built,
    copy_client,
    make,
)

__all__ = ["built"]

CHUNK = 7
"""How many bytes the sanitized judge reads at once: most tokens get cut somewhere."""

NO_LEAKS = ["env", "ASAN_OPTIONS=detect_leaks=0"]
"""Looking for leaks takes three quarters of a short run; one test does look."""


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the two programs are that stop at any undefined behaviour."""
    client = copy_client(tmp_path_factory.mktemp("checkout"))
    source, trial = client / "trial.c", client / "trial"
    source.write_text("int main(void) { return 0; }\n")
    flags = ["-fsanitize=address,undefined", "-o"]
    if run("cc", source, *flags, trial)[0] or run(trial)[0]:
        unavailable("this 'cc' has no sanitizers")
    programs = ["build/test_ttt-sanitized", "build/situation-sanitized"]
    return make(client, "CFLAGS=-O1", f"CPPFLAGS=-DCHUNK={CHUNK}", *programs)


def test_no_look_up_reads_astray_or_leaks(sanitized: Path) -> None:
    outcome = run(sanitized / "test_ttt-sanitized", TABLES, VECTORS)
    assert outcome[::2] == (0, b"")


def test_no_damage_is_read_astray(sanitized: Path, tables: Path) -> None:
    program = sanitized / "test_ttt-sanitized"
    assert_all_damage_is_refused(tables, *NO_LEAKS, program)


def test_no_damage_makes_the_reader_use_unset_memory(built: Path, tables: Path) -> None:
    need("valgrind")
    valgrind = ["valgrind", "-q", "--error-exitcode=9"]
    assert_all_damage_is_refused(tables, *valgrind, built / "test_ttt")


def test_the_judge_says_the_same_however_its_input_is_cut_up(
    sanitized: Path, built: Path
) -> None:
    for text in [*INPUTS, *NO_TEXT]:
        if max(map(len, text.split()), default=0) > 64:
            continue  # neither judge waits for the end of such a token
        expected = run(built / "situation", stdin=text)
        program = sanitized / "situation-sanitized"
        assert run(*NO_LEAKS, program, stdin=text) == expected, text


def test_the_judge_needs_constant_memory(built: Path) -> None:
    limited = ["sh", "-c", 'ulimit -v 8192 && exec "$0"', built / "situation"]
    count = 600_000
    text = b"%d" % count + b" " * (9 << 20) + b"\n" + b"1\nOOO\n...\n...\n" * count
    assert run(*limited, stdin=text) == (0, b"3\n" * count, b"")
