"""The reader and the judge in C: right answers, and plain words for every fault."""

import os
import random
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients import CLIENTS, TABLES, VECTORS, Outcome, need, run, unavailable
from tests.files import ROOT, reseal
from tests.queries import contest_file, random_query
from ttt_runtime import load
from ttt_runtime.boards import STATES, decode
from ttt_runtime.judge.command import main

CLIENT = CLIENTS / "c"
QUERIES = ROOT / "tests" / "data" / "situation-40000.txt"

STRICT = ["-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"]


def copy_client(root: Path) -> Path:
    """Copy the client to where it can be built; tables and vectors are around it."""
    need("cc", "make")
    client = root / "clients" / "c"
    shutil.copytree(CLIENT, client, ignore=shutil.ignore_patterns("build"))
    (root / "tables").symlink_to(TABLES)
    (root / "tests").symlink_to(VECTORS.parent)
    return client


def make(client: Path, *arguments: str) -> Path:
    """Build programs, or fail with what the compiler says."""
    status, output, complaint = run("make", "-j2", *arguments, cwd=client)
    assert status == 0, (output + complaint).decode()
    return client / "build"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where ``test_ttt`` and ``situation`` are, built without any warning."""
    client = copy_client(tmp_path_factory.mktemp("checkout"))
    flags = f"CFLAGS={' '.join(STRICT)}"
    return make(client, flags, "build/test_ttt", "build/situation")


def assert_red(outcome: Outcome, tables: Path, complaint: str) -> None:
    """Make sure that a program stopped with one line that names file and fault."""
    expected = rf"(test_ttt|ttt-judge): {re.escape(str(tables))}/{complaint}.*\n"
    assert outcome[:2] == (1, b""), (complaint, outcome)
    assert re.fullmatch(expected, outcome[2].decode()), (expected, outcome)


# ---- The reader


def test_the_reader_writes_the_vectors(built: Path) -> None:
    status, output, complaint = run(built / "test_ttt", TABLES, VECTORS)
    assert (status, complaint) == (0, b"")
    assert output.startswith(b"39366 states of 4 variants by index and by board, ")


@pytest.mark.parametrize("name", ["values", "moves", "optimal", "reachable"])
def test_a_wrong_answer_is_found(built: Path, tables: Path, name: str) -> None:
    path = tables / "fill" / f"{name}.npy"
    content = bytearray(path.read_bytes())
    content[128 + 60 * (2 if name == "optimal" else 1)] ^= 1
    path.write_bytes(content)
    reseal(tables)
    status, _, complaint = run(built / "test_ttt", tables, VECTORS)
    assert status == 1
    assert b"/states.txt: line 62 is not " in complaint


def program_in_readme() -> str:
    """Return the whole program that the README shows."""
    readme = (CLIENT / "README.md").read_text(encoding="utf-8")
    program = re.search(r"```c\n(#include.*?)```", readme, re.DOTALL)
    assert program is not None
    return program[1]


@pytest.mark.parametrize(
    ("compiler", "suffix"),
    [("cc -std=c99", ".c"), ("c++ -std=c++11", ".cpp"), ("c++ -std=c++17", ".cpp")],
)
def test_the_program_in_the_readme_compiles(
    tmp_path: Path, compiler: str, suffix: str
) -> None:
    need(compiler.split()[0])
    source, program = (tmp_path / "best").with_suffix(suffix), tmp_path / "best"
    source.write_text(program_in_readme())
    shutil.copy(CLIENT / "ttt.h", tmp_path)
    assert run(*compiler.split(), *STRICT, source, "-o", program) == (0, b"", b"")


def test_the_commands_in_the_readme(built: Path) -> None:
    client = built.parent
    (client / "best.c").write_text(program_in_readme())
    (client / "tables").symlink_to(TABLES)
    readme = (CLIENT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```console\n(.*?)```", readme, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        *commands, expected = example.splitlines()
        script = "\n".join(command.removeprefix("$ ") for command in commands)
        status, output, _ = run("sh", "-ec", script, cwd=client)
        assert (status, output.decode().splitlines()[-1]) == (0, expected), example


# ---- Damaged tables

VALUES = "fill/values.npy"
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
LINE = r"checksums.txt: line \d+ is '.*', expected CRC-32, size, path and a newline;"
FORM = r"expected a \.npy 1\.0 file of 39366 items of dtype .i1, 39494 bytes with the"
OTHER_VERSION = r"VERSION: found .*, expected 'ttt-tables 1\.0\\n' or a later minor"

DAMAGE = [
    (
        VALUES,
        rb"(?s).\Z",
        b"?",
        f"{VALUES}: CRC-32 is [0-9a-f]{{8}}, expected [0-9a-f]",
    ),
    (VALUES, rb"(?s).\Z", b"", f"{VALUES}: expected 39494 bytes, found 39493 that beg"),
    (VALUES, rb"(?s).+", b"", f"{VALUES}: expected 39494 bytes, found 0 that begin"),
    (VALUES, rb"\Z", b"\0", f"{VALUES}: expected 39494 bytes, found more;"),
    (VALUES, rb"(?s).+", LFS_POINTER, f"{VALUES}: .* begin with 'version https://git"),
    ("VERSION", rb"\n", b"\r\n", "VERSION: expected 15 bytes, found more;"),
    ("checksums.txt", rb"\n", b"\r\n", r"checksums.txt: line 1 is '.*\\r', expected"),
    ("checksums.txt", rb"\A", LFS_POINTER, "checksums.txt: line 1 is 'version https:"),
    ("checksums.txt", rb"\n\Z", b"", LINE),
    ("checksums.txt", b" 39494 ", b"  39494 ", LINE),
    ("checksums.txt", b" 39494 ", b" -39494 ", LINE),
    ("checksums.txt", b" 39494 ", b" 0000039494 ", LINE),
    ("checksums.txt", b" 39494 ", b"  ", LINE),
    ("checksums.txt", b"02307afa", b"02307AFA", LINE),
    ("checksums.txt", b"02307afa", b"2307afa", LINE),
    ("checksums.txt", b"02307afa", b"12307afa", f"{VALUES}: CRC-32 is 02307afa, exp"),
    ("checksums.txt", VALUES.encode(), b"", LINE),
    ("checksums.txt", VALUES.encode(), b"fill\0", LINE),
    ("checksums.txt", VALUES.encode(), b"v" * 300, r"checksums.txt: .*'\.\.\., expect"),
    ("checksums.txt", b".*fill/moves.npy\n", b"", "fill/moves.npy: not listed in che"),
    ("checksums.txt", rb"(?s).+", b"", "VERSION: not listed in checksums.txt;"),
]
"""A file, a pattern in it, what replaces it, the complaint from a file's name on."""

SEALED_DAMAGE = [
    (VALUES, rb"\|i1", b"|u1", f"{VALUES}: {FORM}"),
    (VALUES, b"39366,", b"39367,", f"{VALUES}: {FORM}"),
    (VALUES, rb"(?s).\Z", b"", f"{VALUES}: {FORM} header, found 39493 bytes"),
    (VALUES, rb"(?s).+", b"", f"{VALUES}: {FORM} header, found 0 bytes that begin"),
    (VALUES, rb"\Z", b"\0", f"{VALUES}: checksums.txt promises 39495 bytes, expected"),
    ("VERSION", rb"1\.0", b"2.0", OTHER_VERSION),
    ("VERSION", rb"1\.0", b"10.0", OTHER_VERSION),
    ("VERSION", rb"1\.0", b"1.x", OTHER_VERSION),
    ("VERSION", rb"1\.0", b"1.", OTHER_VERSION),
    ("VERSION", rb"\n", b"", OTHER_VERSION),
    ("VERSION", rb"\Z", b"\0", OTHER_VERSION),
    ("VERSION", rb"(?s).+", b"", OTHER_VERSION),
]
"""The same, but with checksums.txt written anew, so that size and CRC-32 are right."""


def assert_all_damage_is_refused(tables: Path, *command: object) -> None:
    """Damage the tables in every way, and see the reader name each, file and fault."""
    checksums = tables / "checksums.txt"
    listed = checksums.read_bytes()
    for row in [*DAMAGE, *SEALED_DAMAGE]:
        name, pattern, replacement, complaint = row
        path = tables / name
        content = path.read_bytes()
        path.write_bytes(re.sub(pattern, replacement, content))
        assert path.read_bytes() != content, row
        if row in SEALED_DAMAGE:
            reseal(tables)
        assert_red(run(*command, tables, VECTORS), tables, complaint)
        path.write_bytes(content)
        checksums.write_bytes(listed)


def test_all_damage_is_refused(built: Path, tables: Path) -> None:
    assert_all_damage_is_refused(tables, built / "test_ttt")


@pytest.mark.parametrize("name", ["checksums.txt", "VERSION", VALUES])
def test_a_file_that_cannot_be_read(built: Path, tables: Path, name: str) -> None:
    (tables / name).unlink()
    fault = rf"{name}: cannot be read \(No such file or directory\);"
    assert_red(run(built / "test_ttt", tables, VECTORS), tables, fault)
    (tables / name).mkdir()
    fault = rf"{name}: cannot be read \(Is a directory\);"
    assert_red(run(built / "test_ttt", tables, VECTORS), tables, fault)


def test_a_later_minor_version_is_read(built: Path, tables: Path) -> None:
    (tables / "VERSION").write_text("ttt-tables 1.10\n", newline="")
    reseal(tables)
    assert run(built / "test_ttt", tables, VECTORS)[0] == 0


OPENER = """
#include "ttt.h"
static struct ttt_table table;
int main(int count, char **arguments)
{
    for (count = 0; count < 50; count++)
        printf("%d\\n", (int)ttt_open(&table, arguments[1], "fill", NULL));
    return 0;
}
"""


def test_whatever_is_opened_is_closed(tmp_path: Path, tables: Path) -> None:
    need("cc")
    program = tmp_path / "opener"
    program.with_suffix(".c").write_text(OPENER)
    source = program.with_suffix(".c")
    assert run("cc", "-I", CLIENT, source, "-o", program) == (0, b"", b"")
    limited = ["sh", "-c", 'ulimit -n 16 && exec "$0" "$@"', program, tables]
    assert run(*limited) == (0, b"0\n" * 50, b"")
    for name in [VALUES, "VERSION", "checksums.txt"]:
        content = (tables / name).read_bytes()
        (tables / name).write_bytes(content + b"\n")
        assert run(*limited) == (0, b"1\n" * 50, b"")
        (tables / name).write_bytes(content)


# ---- The judge

CANONICAL = b"2\n1\n.OO\nX.O\nOXO\n0\nXXX\n...\nOO.\n"
SPACES = [b" ", b"\n", b"\t", b"\r", b"\v", b"\f", b"\r\n", b"\n\n", b" \n "]

INPUTS = [
    *[CANONICAL[:size] for size in range(len(CANONICAL) + 1)],
    *[CANONICAL[:at] + b"x" + CANONICAL[at:] for at in range(len(CANONICAL) + 1)],
    *[CANONICAL[:at] + b"\n" + CANONICAL[at:] for at in range(len(CANONICAL) + 1)],
    *[CANONICAL[:at] + CANONICAL[at + 1 :] for at in range(len(CANONICAL))],
    *[mark + CANONICAL for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b" \xef\xbb\xbf")],
    b"\xef\xbb\xbf",
    b" \n\n",
    b"0\n0",
    CANONICAL + b" \t\r\n",
    CANONICAL.replace(b"\n", b"\n" * 100),
    CANONICAL.replace(b".", b"_"),
    *[CANONICAL.replace(b"OO.", row) for row in (b"OO0", b"o'\"\\\x7f\xff", b"oo'\n")],
    *[CANONICAL.replace(b"OO.", b"X" * size + b"x") for size in (40, 63, 64, 1000)],
    *[CANONICAL.replace(b"0\nXXX", turn + b"\nXXX") for turn in (b"-1", b"2")],
    *[
        CANONICAL.replace(b"2\n1", count + b"\n1")
        for count in (
            b"0" * 17 + b"2",
            b"0" * 18 + b"2",
            b"9" * 18,
            b"-2",
            b"2.",
            b"\xb2",
        )
    ],
]
"""Faulty and faultless, with a fault at every place."""

NO_TEXT = [
    CANONICAL + b"\0",
    CANONICAL + b"\x1a",
    CANONICAL.decode().encode("utf-16"),
    CANONICAL.replace(b"XXX", "\u0425".encode()),
]
"""What the judge in Python has more to say about."""

Judge = Callable[[bytes], Outcome]


@pytest.fixture
def python_judge(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Judge:
    """Return the judge in Python, run within this process."""

    def judge(text: bytes) -> Outcome:
        file = tmp_path / "input"
        file.write_bytes(text)
        status = main([str(file)])
        return status, *capfdbinary.readouterr()

    return judge


def test_the_judge_answers_every_state(built: Path) -> None:
    states = [decode(index) for index in range(STATES)]
    fill = load("fill")
    expected = "".join(f"{fill.value_at(index)}\n" for index in range(STATES)).encode()
    for layout in "{t}\n{a}\n{b}\n{c}\n", "{t} {a} {b}\r\n{c}\n":
        queries = [
            layout.format(t=turn, a=board[:3], b=board[3:6], c=board[6:])
            for board, turn in states
        ]
        text = f"{STATES}\n{''.join(queries)}".encode()
        assert run(built / "situation", stdin=text) == (0, expected, b""), layout


def test_the_judges_agree_on_every_kind_of_fault(
    built: Path, python_judge: Judge
) -> None:
    for text in INPUTS:
        assert run(built / "situation", stdin=text) == python_judge(text), text
    place = rb"ttt-judge: line \d+, .*?: "
    for text in NO_TEXT:
        outcomes = run(built / "situation", stdin=text), python_judge(text)
        assert outcomes[0][:2] == outcomes[1][:2], text
        places = [re.findall(place, complaint) for *_, complaint in outcomes]
        assert places[0] == places[1] != [], text


def test_the_judges_agree_on_random_input(built: Path, python_judge: Judge) -> None:
    chance = random.Random(5)
    symbols = b".XO01xo_'\"\\ 9"
    statuses = set()
    for seed in range(100):
        tokens = contest_file(chance.choice([0, 1, 2, 3, 30]), seed).encode().split()
        if chance.random() < 0.5:
            fault = bytes(chance.choices(symbols, k=chance.choice([1, 2, 3, 4, 70])))
            tokens[chance.randrange(len(tokens))] = fault
        spaces = chance.choice([[b"\n"], [b"\r\n"], [b"\n"] * 20 + SPACES, SPACES])
        text = b"".join(token + chance.choice(spaces) for token in tokens)
        outcome = run(built / "situation", stdin=text)
        assert outcome == python_judge(text), text
        statuses.add(outcome[0])
    assert statuses == {0, 1}


def test_the_judges_agree_on_the_contest_file(built: Path, python_judge: Judge) -> None:
    good = QUERIES.read_bytes()
    tokens = good.split()
    for text in [
        good,
        b" ".join(tokens),
        good + b"1\n",
        b"\n".join([*tokens[:70_001], b"." * 70, *tokens[70_001:]]),
        b"".join([*(token + b"\r\n" for token in tokens[:-1]), b".x."]),
    ]:
        assert run(built / "situation", stdin=text) == python_judge(text)


PYTHON = [sys.executable, "-m", "ttt_runtime.judge"]


@pytest.mark.parametrize(
    "arguments", [["queries"], ["-"], [], [os.devnull], ["no-such-file"], [""], ["."]]
)
def test_the_judges_read_the_same_file(
    built: Path, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "queries").write_bytes(CANONICAL)
    outcomes = []
    for judge in [str(built / "situation")], PYTHON:
        status, output, complaint = run(
            *judge, *arguments, stdin=CANONICAL[:-1], cwd=tmp_path
        )
        first, usage, *_ = [*complaint.splitlines(), b"", b""]
        assert usage.startswith(b"usage: ") == (status == 2)
        outcomes.append((status, output, first))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-x", "-", "-"], "unknown option -x"),
        (["--help", "-"], "unknown option --help"),
        (["-", "-"], "more than one file"),
        (["-", "--tables"], "no directory after --tables"),
    ],
)
def test_wrong_usage(built: Path, arguments: list[str], complaint: str) -> None:
    status, output, found = run(built / "situation", *arguments, stdin=CANONICAL)
    assert (status, output) == (2, b"")
    usage = "usage: situation [--tables DIR] [FILE]"
    assert found.decode() == f"ttt-judge: {complaint}\n{usage}\n"


def test_the_judge_needs_sound_values_and_no_other_array(
    built: Path, tables: Path
) -> None:
    judge = [built / "situation", "--tables", tables]
    for name in "fill/moves.npy", "fill/optimal.npy", "standard/values.npy":
        (tables / name).unlink()
    assert run(*judge, stdin=CANONICAL)[::2] == (0, b"")
    good = (tables / VALUES).read_bytes()
    (tables / VALUES).write_bytes(good[:-1])
    assert_red(run(*judge, stdin=CANONICAL), tables, f"{VALUES}: expected 39494 bytes")
    for byte, fault in (b"\x80", "shows a line of X"), (b"\x09", "9, expected -8 to 8"):
        (tables / VALUES).write_bytes(good[:-1] + byte)
        reseal(tables)
        status, output, complaint = run(*judge, stdin=CANONICAL)
        assert (status, output) == (1, b"")
        assert fault in complaint.decode()


def test_the_judge_answers_before_it_waits(built: Path) -> None:
    with subprocess.Popen(
        [built / "situation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        assert judge.stderr is not None
        for sent, received in [
            (b"4\n1\n.OO\nX.O\nOXO\n", b"2\n"),
            (b"0\n...\n...\n...\n1\nOOO\n", b"0\n"),
            (b"...\n...\n", b"3\n"),
        ]:
            judge.stdin.write(sent)
            assert select.select([judge.stdout], [], [], 20)[0], sent
            assert judge.stdout.read(100) == received
        judge.stdin.write(b"1\nxXX\n")  # nor does a fault wait for what may follow
        assert judge.wait(20) == 1
        assert judge.stderr.read() == (
            b"ttt-judge: line 15, query 4: row 1 is 'xXX', "
            b"expected 3 marks, each . or X or O; write X in upper case\n"
        )


def test_the_judge_is_quiet_when_nobody_reads(built: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries"
    file.write_text("100000\n" + 100_000 * random_query(random.Random(7)))
    with subprocess.Popen(
        [built / "situation", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as judge:
        assert judge.stdout is not None
        assert judge.stderr is not None
        judge.stdout.close()
        assert (judge.wait(20), judge.stderr.read()) == (0, b"")


def test_the_judge_can_neither_read_nor_write(built: Path, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        unavailable("there is no /dev/full on this machine")
    for redirected, complaint in [
        ('"$0" 0>written', b"ttt-judge: standard input: Bad file descriptor\n"),
        ('"$0" >/dev/full', b"ttt-judge: standard output: No space left on device\n"),
    ]:
        command = ["sh", "-c", redirected, built / "situation"]
        outcome = run(*command, stdin=CANONICAL, cwd=tmp_path)
        assert outcome == (1, b"", complaint)
