"""The reader and the judge in C: right answers, and plain words for every fault."""

import os
import random
import re
import select
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.queries import contest_file, random_query
from ttt_runtime import load
from ttt_runtime.boards import STATES, decode
from ttt_runtime.judge.command import main

HERE = Path(__file__).resolve().parent.parent
CLIENT = HERE / "clients" / "c"
TABLES = HERE / "tables"
VECTORS = HERE / "tests" / "vectors"

CHECKSUMS = "checksums.txt"
VALUES = "fill/values.npy"
ARRAYS = [
    f"{variant}/{array}.npy"
    for variant in ("standard", "fill", "misere", "fastest")
    for array in ("values", "moves", "optimal", "reachable")
]

STRICT = ["-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"]
CHUNK = 7
"""How many bytes the sanitized judge reads at once: most tokens get cut somewhere."""

Outcome = tuple[int, bytes, bytes]
"""Exit status, standard output, standard error."""


def lacking(reason: str) -> None:
    """Skip the test and say why; where CI is set, fail instead."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI is set")
    pytest.skip(reason)


def need(*programs: str, untested: str = "the C client") -> None:
    """Skip the test if one of these programs is not there."""
    for program in programs:
        if shutil.which(program) is None:
            lacking(f"{untested} is not tested: no {program!r} on this machine")


def run(*command: object, stdin: bytes = b"", cwd: Path | None = None) -> Outcome:
    """Return how a program ended."""
    words = [str(word) for word in command]
    done = subprocess.run(words, input=stdin, capture_output=True, timeout=60, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def make(client: Path, *arguments: str) -> None:
    """Build programs, or fail with what the compiler says."""
    status, output, complaint = run("make", "-j2", *arguments, cwd=client)
    assert status == 0, (output + complaint).decode()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the client in which to build; tables and vectors are around."""
    need("cc", "make")
    root = tmp_path_factory.mktemp("checkout")
    copy = root / "clients" / "c"
    shutil.copytree(CLIENT, copy, ignore=shutil.ignore_patterns("build"))
    (root / "tables").symlink_to(TABLES)
    (root / "tests").symlink_to(VECTORS.parent)
    return copy


@pytest.fixture(scope="module")
def built(client: Path) -> Path:
    """Return where ``test_ttt`` and ``situation`` are, built without any warning."""
    flags = f"CFLAGS={' '.join(STRICT)}"
    make(client, flags, "build/test_ttt", "build/situation")
    return client / "build"


@pytest.fixture(scope="module")
def sanitized(client: Path) -> Path:
    """Return where the two programs are that stop at any undefined behaviour."""
    source, trial = client / "trial.c", client / "trial"
    source.write_text("int main(void) { return 0; }\n")
    flags = ["-fsanitize=address,undefined", "-o"]
    if run("cc", source, *flags, trial)[0] or run(trial)[0]:
        lacking("the C client is not tested under sanitizers: this 'cc' has none")
    programs = ["build/test_ttt-sanitized", "build/situation-sanitized"]
    make(client, "CFLAGS=-O1", f"CPPFLAGS=-DCHUNK={CHUNK}", *programs)
    return client / "build"


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Return a copy of the tables that may be damaged."""
    copy = tmp_path / "tables"
    shutil.copytree(TABLES, copy, ignore=shutil.ignore_patterns("*.msgpack"))
    return copy


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Return a copy of the conformance vectors that may be damaged."""
    copy = tmp_path / "vectors"
    shutil.copytree(VECTORS, copy)
    return copy


def fast(program: Path) -> list[object]:
    """Return the command that runs a sanitized program and looks for no leaks.

    They take three quarters of a short run; some tests do look for them.
    """
    return ["env", "ASAN_OPTIONS=detect_leaks=0", program]


def check(sanitized: Path, tables: Path, vectors: Path = VECTORS) -> Outcome:
    """Hold the reader against the vectors."""
    return run(*fast(sanitized / "test_ttt-sanitized"), tables, vectors)


def assert_red(outcome: Outcome, path: Path, fault: str) -> None:
    """Make sure that a program stopped with one line that names file and fault."""
    status, output, complaint = outcome
    expected = rf"(test_ttt|ttt-judge): {re.escape(str(path))}: {fault}.*\n"
    assert (status, output) == (1, b""), (path, fault, output, complaint)
    assert re.fullmatch(expected, complaint.decode()), (expected, complaint)


def rewrite(tables: Path, name: str, content: bytes) -> None:
    """Write a file of the tables and its line in ``checksums.txt``."""
    (tables / name).write_bytes(content)
    promise = f"{zlib.crc32(content):08x} {len(content)} {name}"
    checksums = tables / CHECKSUMS
    text, count = re.subn(rf".* {name}", promise, checksums.read_text())
    assert count == 1
    checksums.write_text(text)


def all_as_expected() -> bytes:
    """Return what ``test_ttt`` prints if it finds nothing, but for its last number."""
    lines = (VECTORS / "events.txt").read_text().splitlines()[1:]
    games = sum(line.startswith("moves") for line in lines)
    return (
        f"{STATES} states of 4 variants by index and by board, "
        f"{len(lines) - games} events of {games} games, "
    ).encode()


def test_the_reader_conforms(built: Path) -> None:
    """The C reader writes every byte of the vectors from its own look-ups."""
    status, output, complaint = run(built / "test_ttt", TABLES, VECTORS)
    assert (status, complaint) == (0, b"")
    assert output.startswith(all_as_expected())


def test_the_reader_conforms_under_sanitizers(sanitized: Path) -> None:
    """Not one look-up of the C reader reads astray, overflows or leaks."""
    status, output, complaint = run(sanitized / "test_ttt-sanitized", TABLES, VECTORS)
    assert (status, complaint) == (0, b"")
    assert output.startswith(all_as_expected())


def program_in_readme() -> str:
    """Return the whole program that the README shows."""
    program = re.search(
        r"```c\n(#include.*?)```", (CLIENT / "README.md").read_text(), re.DOTALL
    )
    assert program is not None
    return program[1]


@pytest.mark.parametrize(
    ("compiler", "suffix"),
    [("cc -std=c99", ".c"), ("c++ -std=c++11", ".cpp"), ("c++ -std=c++17", ".cpp")],
)
def test_the_program_in_the_readme(tmp_path: Path, compiler: str, suffix: str) -> None:
    """The README's program is strict C99 and C++, and prints the best move, 2."""
    need(compiler.split()[0], untested=f"ttt.h as {compiler.split('=')[1]}")
    source, program = (tmp_path / "best").with_suffix(suffix), tmp_path / "best"
    source.write_text(program_in_readme())
    shutil.copy(CLIENT / "ttt.h", tmp_path)
    assert run(*compiler.split(), *STRICT, source, "-o", program) == (0, b"", b"")
    (tmp_path / "tables").symlink_to(TABLES)
    assert run(program, cwd=tmp_path) == (0, b"2\n", b"")
    (tmp_path / "tables").unlink()
    status, output, complaint = run(program, cwd=tmp_path)
    assert (status, output) == (1, b"")
    assert complaint.startswith(b"tables/checksums.txt: cannot be read (")


def test_the_commands_in_the_readme(client: Path, built: Path) -> None:
    """The README's commands print what the README says."""
    (client / "best.c").write_text(program_in_readme())
    (client / "tables").symlink_to(TABLES)
    readme = (CLIENT / "README.md").read_text()
    examples = re.findall(r"```console\n(.*?)```", readme, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        *commands, expected = example.splitlines()
        script = "\n".join(command.removeprefix("$ ") for command in commands)
        status, output, _ = run("sh", "-ec", script, cwd=client)
        assert (status, output.decode().splitlines()[-1]) == (0, expected), example


# ---- Damaged tables


def flipped(content: bytes) -> bytes:
    """Flip the lowest bit of one byte, somewhere else in every file."""
    position = zlib.crc32(content) % len(content)
    flipped_byte = content[position] ^ 1
    return content[:position] + bytes([flipped_byte]) + content[position + 1 :]


LFS_POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    b"size 39494\n"
)

ALTERED = "CRC-32 is [0-9a-f]{8}, expected [0-9a-f]{8};"
SHORTER = r"expected \d+ bytes, found \d+ that begin with ['\"]"
LONGER = r"expected \d+ bytes, found more;"
POINTER = r"found (more|\d+ that begin with 'version https://git-lfs)"
NO_FILE = r"cannot be read \(No such file or directory\);"
DIRECTORY = r"cannot be read \(Is a directory\);"

DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a bit flipped": (flipped, ALTERED),
    "another first byte": (lambda content: b"?" + content[1:], ALTERED),
    "another last byte": (lambda content: content[:-1] + b"?", ALTERED),
    "the last byte lost": (lambda content: content[:-1], SHORTER),
    "the second half lost": (lambda content: content[: len(content) // 2], SHORTER),
    "nothing in it": (lambda content: b"", SHORTER),
    "a byte more": (lambda content: content + b"\0", LONGER),
    "line ends as on Windows": (lambda text: text.replace(b"\n", b"\r\n"), LONGER),
    "a Git LFS pointer": (lambda content: LFS_POINTER, f"expected .*, {POINTER}"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_tables(sanitized: Path, tables: Path, damage: str) -> None:
    """Any damage to any file of the tables is named, and no state is answered."""
    damaged, fault = DAMAGE[damage]
    for name in ["VERSION", *ARRAYS]:
        path = tables / name
        content = path.read_bytes()
        path.write_bytes(damaged(content))
        assert_red(check(sanitized, tables), path, fault)
        path.write_bytes(content)


def test_missing_tables(sanitized: Path, tables: Path) -> None:
    """A file that is missing, or that is a directory, is named."""
    for name in [CHECKSUMS, "VERSION", *ARRAYS]:
        path = tables / name
        aside = path.rename(tables / "aside")
        assert_red(check(sanitized, tables), path, NO_FILE)
        path.mkdir()
        assert_red(check(sanitized, tables), path, DIRECTORY)
        path.rmdir()
        aside.rename(path)


def test_swapped_tables(sanitized: Path, tables: Path) -> None:
    """Two files of the tables that have changed places are noticed."""
    for one, other in pairwise(ARRAYS):
        contents = (tables / one).read_bytes(), (tables / other).read_bytes()
        (tables / one).write_bytes(contents[1])
        (tables / other).write_bytes(contents[0])
        fault = f"({ALTERED}|{SHORTER}|{LONGER})"
        assert_red(check(sanitized, tables), tables / one, fault)
        (tables / one).write_bytes(contents[0])
        (tables / other).write_bytes(contents[1])


@pytest.mark.parametrize(
    ("pattern", "replacement", "name", "fault"),
    [
        ("\n", "\r\n", CHECKSUMS, r"line 1 is '\w+ \d+ README.md\\r', expected "),
        ("^", LFS_POINTER.decode(), CHECKSUMS, "line 1 is 'version https://git-lfs"),
        (" 39494 fill/v", "  39494 fill/v", CHECKSUMS, r"line \d+ is '.*', expected "),
        (" 39494 fill/v", " -39494 fill/v", CHECKSUMS, r"line \d+ is '.*', expected "),
        (" 39494 fill/v", " 39494. fill/v", CHECKSUMS, r"line \d+ is '.*', expected "),
        (" 39494 fill/v", "  fill/v", CHECKSUMS, r"line \d+ is '.*', expected "),
        (" 39494 fill/v", " 0000039494 fill/v", CHECKSUMS, r"line \d+ is '.*', "),
        (" 39494 fill/v", " 9494 fill/v", VALUES, "expected 9494 bytes, found more;"),
        (" 39494 fill/v", " 39495 fill/v", VALUES, "checksums.txt promises 39495 "),
        ("02307afa", "12307afa", VALUES, "CRC-32 is 02307afa, expected 12307afa;"),
        ("02307afa", "02307AFA", CHECKSUMS, r"line \d+ is '02307AFA 39494 fill/val"),
        ("02307afa", "2307afa", CHECKSUMS, r"line \d+ is '2307afa 39494 fill/values"),
        ("02307afa", "002307afa", CHECKSUMS, r"line \d+ is '002307afa 39494 fill/va"),
        (VALUES, f"{VALUES} ", CHECKSUMS, rf"line \d+ is '02307afa 39494 {VALUES} ', "),
        (VALUES, "", CHECKSUMS, r"line \d+ is '02307afa 39494 ', expected "),
        (VALUES, "fill\0", CHECKSUMS, r"line \d+ is '02307afa 39494 fill', expected "),
        (VALUES, "v" * 300, CHECKSUMS, r"line \d+ is '02307afa 39494 v{25}'\.\.\., "),
        (
            r"\n\Z",
            "",
            CHECKSUMS,
            r"line \d+ is '.*', expected CRC-32, size, path and a ",
        ),
        (".*fill/moves.npy\n", "", "fill/moves.npy", "not listed in checksums.txt;"),
        (".*VERSION\n", "", "VERSION", "not listed in checksums.txt;"),
        (r"(?s)\A.*\Z", "", "VERSION", "not listed in checksums.txt;"),
    ],
)
def test_damaged_checksums(
    sanitized: Path,
    tables: Path,
    pattern: str,
    replacement: str,
    name: str,
    fault: str,
) -> None:
    """A line of ``checksums.txt`` that is not exactly as it should be is refused."""
    path = tables / CHECKSUMS
    text = path.read_text()
    damaged = re.sub(pattern, replacement, text)
    assert damaged != text
    path.write_bytes(damaged.encode())
    assert_red(check(sanitized, tables), tables / name, fault)


def test_a_variant_that_is_not_listed(sanitized: Path, tables: Path) -> None:
    """A variant without tables is refused, with the names of those that have some."""
    path = tables / CHECKSUMS
    path.write_text(re.sub(".*fill/values.npy\n", "", path.read_text()))
    complaint = "variant is 'fill', expected one of fastest, misere, standard"
    assert check(sanitized, tables) == (1, b"", f"test_ttt: {complaint}\n".encode())


@pytest.mark.parametrize("version", [b"1.0", b"1.7", b"1.10"])
def test_minor_versions_are_read(sanitized: Path, tables: Path, version: bytes) -> None:
    """Tables of a later minor version are as good as those of 1.0."""
    rewrite(tables, "VERSION", b"ttt-tables " + version + b"\n")
    assert check(sanitized, tables)[0] == 0


@pytest.mark.parametrize(
    "content",
    [
        b"ttt-tables 2.0\n",
        b"ttt-tables 10.0\n",
        b"ttt-tables 0.1\n",
        b"ttt-tables 1\n",
        b"ttt-tables 1.\n",
        b"ttt-tables 1.x\n",
        b"ttt-tables 1.0",
        b"ttt-tables 1.0\r\n",
        b"ttt-tables 1.0\n\n",
        b"ttt-tables 1.0\n\0",
        b"",
        b"\0",
    ],
)
def test_other_versions_are_refused(
    sanitized: Path, tables: Path, content: bytes
) -> None:
    """Whatever is not exactly a version 1.y is refused, though its CRC-32 is right."""
    rewrite(tables, "VERSION", content)
    found = re.escape(repr(content)[1:])
    fault = rf"found {found}, expected 'ttt-tables 1\.0\\n' or a later minor version;"
    assert_red(check(sanitized, tables), tables / "VERSION", fault)


OTHER_FORM = "expected a .npy 1.0 file of 39366 items of dtype .i1, 39494 bytes with "


@pytest.mark.parametrize(
    ("pattern", "replacement", "fault"),
    [
        (rb"\|i1", b"|u1", OTHER_FORM),
        (b"39366,", b"39367,", OTHER_FORM),
        (b"NUMPY", b"NUMPI", OTHER_FORM),
        (rb"(?s).\Z", b"", f"{OTHER_FORM}the header, found 39493 bytes that begin "),
        (rb"(?s).*", b"", f"{OTHER_FORM}the header, found 0 bytes that begin with '';"),
        (rb"\Z", b"\0", "checksums.txt promises 39495 bytes, expected 39494 at most;"),
    ],
)
def test_arrays_of_another_form_are_refused(
    sanitized: Path, tables: Path, pattern: bytes, replacement: bytes, fault: str
) -> None:
    """An array of another type or size is refused, though its CRC-32 is right."""
    content = (tables / VALUES).read_bytes()
    rewrite(tables, VALUES, re.sub(pattern, replacement, content, count=1))
    assert_red(check(sanitized, tables), tables / VALUES, fault)


def test_a_wrong_answer_is_found(built: Path, tables: Path) -> None:
    """A wrong entry with a right CRC-32 is found, in each array of each variant."""
    index = 60  # .....O.O., X to move: no game leads there, so no replay fails before
    for name in ARRAYS:
        content = (tables / name).read_bytes()
        place = 128 + index * (2 if "optimal" in name else 1)
        wrong = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        rewrite(tables, name, wrong)
        outcome = run(built / "test_ttt", tables, VECTORS)
        fault = rf"line {index + 2}, column \d+: found '.*, expected '"
        assert_red(outcome, VECTORS / "states.txt", fault)
        rewrite(tables, name, content)


def test_a_long_path(sanitized: Path, tmp_path: Path) -> None:
    """Of a long path the end is named, together with the fault."""
    directory = tmp_path.joinpath(*["x" * 200] * 4)
    status, output, complaint = check(sanitized, directory)
    assert (status, output) == (1, b"")
    shown = re.escape(f"{directory}/{CHECKSUMS}"[-400:])
    expected = rf"test_ttt: \.\.\.{shown}: {NO_FILE} rebuild .*\n"
    assert re.fullmatch(expected, complaint.decode())


OPENER = """
#include "ttt.h"

static struct ttt_table table;

int main(int count, char **arguments)
{
    struct ttt_error error;
    for (count = 0; count < 50; count++)
        puts(ttt_open(&table, arguments[1], arguments[2], &error) ? error.message : "");
    return 0;
}
"""


@pytest.fixture(scope="module")
def opener(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a program that opens a table fifty times, and says how that went."""
    need("cc")
    program = tmp_path_factory.mktemp("opener") / "opener"
    program.with_suffix(".c").write_text(OPENER)
    built = run("cc", "-I", CLIENT, program.with_suffix(".c"), "-o", program)
    assert built == (0, b"", b"")
    return program


def test_whatever_is_opened_is_closed(opener: Path, tables: Path) -> None:
    """A table can be opened as often as one likes, sound or damaged."""
    for name, damage, fault in [
        (VALUES, b"", ""),
        (VALUES, b"\0", LONGER),
        ("VERSION", b"\0", LONGER),
        (CHECKSUMS, b"\n", r"line \d+ is '', expected "),
    ]:
        content = (tables / name).read_bytes()
        (tables / name).write_bytes(content + damage)
        limited = ["sh", "-c", 'ulimit -n 16 && exec "$0" "$@"', opener]
        status, output, complaint = run(*limited, tables, "fill")
        assert (status, complaint) == (0, b"")
        first, *others = output.decode().split("\n")
        assert others == [first] * 49 + [""]
        assert re.match(fault and rf"{re.escape(str(tables / name))}: {fault}", first)
        (tables / name).write_bytes(content)


def test_a_long_variant(opener: Path, tables: Path) -> None:
    """A variant whose name is too long is not taken for one that begins like it."""
    (tables / "fill").rename(tables / ("x" * 32))
    path = tables / CHECKSUMS
    path.write_text(path.read_text().replace("fill/", "x" * 32 + "/"))
    status, output, _ = run(opener, tables, "x" * 33)
    assert status == 0
    assert output.startswith(
        b"variant is 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', expected"
    )


def test_no_fault_is_read_beyond(built: Path, tables: Path) -> None:
    """No damage makes the reader use memory that it has not filled, says valgrind."""
    need("valgrind", untested="the C reader under valgrind")
    program = ["valgrind", "-q", "--error-exitcode=9", built / "test_ttt"]
    for name, content, fault in [
        ("VERSION", b"ttt-tables 1.", "found 'ttt-tables 1.', expected "),
        ("standard/values.npy", b"", OTHER_FORM),
    ]:
        rewrite(tables, name, content)
        assert_red(run(*program, tables, VECTORS), tables / name, fault)
        rewrite(tables, name, (TABLES / name).read_bytes())


# ---- Damaged vectors


def test_a_changed_byte_in_the_states(built: Path, vectors: Path) -> None:
    """Any byte of ``states.txt`` that is changed is found, at its line and column."""
    path = vectors / "states.txt"
    content = path.read_bytes()
    chance = random.Random(1)
    ends = [0, len(content) - 1]
    for position in [*ends, *chance.sample(range(len(content)), 20)]:
        damaged = bytearray(content)
        damaged[position] ^= chance.choice([1, 2, 128])
        path.write_bytes(damaged)
        line = content.count(b"\n", 0, position) + 1
        column = position - content.rfind(b"\n", 0, position)
        fault = f"line {line}, column {column}: found '.*, expected '"
        assert_red(run(built / "test_ttt", TABLES, vectors), path, fault)


def test_a_changed_byte_in_the_events(built: Path, vectors: Path) -> None:
    """Any byte of ``events.txt`` that is changed is found, in its game."""
    path = vectors / "events.txt"
    content = path.read_bytes()
    chance = random.Random(2)
    ends = [0, 22, 23, 28, 29, len(content) - 1]
    for position in [*ends, *chance.sample(range(len(content)), 60)]:
        damaged = bytearray(content)
        damaged[position] ^= chance.choice([1, 2, 128])
        path.write_bytes(damaged)
        outcome = run(built / "test_ttt", TABLES, vectors)
        assert_red(outcome, path, r"line \d+(, column \d+)?: found .*, expected ")
        named = re.search(rb": line (\d+)", outcome[2])
        assert named is not None
        start = max(content.rfind(b"moves", 0, position + 5), 0)
        first = content.count(b"\n", 0, start) + 1
        end = content.find(b"moves", position + 1)
        last = content.count(b"\n", 0, end if end > 0 else len(content)) + 1
        assert first <= int(named[1]) <= last, (position, outcome)


@pytest.mark.parametrize("name", ["states.txt", "events.txt"])
def test_damaged_vectors(sanitized: Path, vectors: Path, name: str) -> None:
    """Vectors that are cut, longer, mangled, missing or something else are refused."""
    path = vectors / name
    content = path.read_bytes()
    other = vectors / ("events.txt" if name == "states.txt" else "states.txt")
    last_line = content[content.rindex(b"\n", 0, -1) + 1 :]
    last_game = content[content.rfind(b"moves") :] if b"moves" in content else last_line
    line = r"line \d+, column \d+: found .*, expected "
    first = r"line 1, column \d+: found '.*, expected '"
    for damaged, fault in [
        (b"", first),
        (content[:-1], line),
        (content[: len(content) // 2], line),
        (content.removesuffix(last_line), line),
        (content.removesuffix(last_game), line),
        (content + b"\n", line),
        (content + b"\0", line),
        (content + last_game, line),
        (content.replace(b"\n", b"\r\n"), first),
        (LFS_POINTER, first),
        (other.read_bytes(), first),
        (b"x" * 1000, first),
    ]:
        path.write_bytes(damaged)
        assert_red(check(sanitized, TABLES, vectors), path, fault)
    path.unlink()
    assert_red(check(sanitized, TABLES, vectors), path, NO_FILE[:-1])
    path.mkdir()
    assert_red(check(sanitized, TABLES, vectors), path, DIRECTORY[:-1])


# ---- The judge

JUDGE = [sys.executable, "-m", "ttt_runtime.judge"]
CANONICAL = b"2\n1\n.OO\nX.O\nOXO\n0\nXXX\n...\nOO.\n"
SPACES = [b" ", b"\n", b"\t", b"\r", b"\v", b"\f", b"\r\n", b"\n\n", b" \n "]

INPUTS = [
    *[CANONICAL[:size] for size in range(len(CANONICAL) + 1)],
    *[CANONICAL[:at] + b"x" + CANONICAL[at:] for at in range(len(CANONICAL) + 1)],
    *[CANONICAL[:at] + b"\n" + CANONICAL[at:] for at in range(len(CANONICAL) + 1)],
    *[CANONICAL[:at] + CANONICAL[at + 1 :] for at in range(len(CANONICAL))],
    b"\xef\xbb\xbf" + CANONICAL,
    b"\xef\xbb" + CANONICAL,
    b" \xef\xbb\xbf" + CANONICAL,
    b"\xef\xbb\xbf",
    b"\xef\xbb",
    CANONICAL + b" \t\r\n",
    CANONICAL + b"0",
    CANONICAL + b"\0",
    CANONICAL.replace(b"\n", b"\r\n"),
    CANONICAL.replace(b"\n", b" "),
    CANONICAL.replace(b"\n", b"\n" * 100),
    CANONICAL.replace(b".", b"_"),
    CANONICAL.replace(b"OO.", b"OO0"),
    CANONICAL.replace(b"OO.", b"o'\"\\\x7f\xff"),
    CANONICAL.replace(b"OO.", b"oo'\n"),
    CANONICAL.replace(b"OO.", b"X" * 40),
    CANONICAL.replace(b"OO.", b"X" * 41),
    CANONICAL.replace(b"OO.", b"X" * 63 + b"x"),
    CANONICAL.replace(b"OO.", b"X" * 64 + b"x"),
    CANONICAL.replace(b"OO.", b"X" * 1000),
    CANONICAL.replace(b"0\nXXX", b"-1\nXXX"),
    CANONICAL.replace(b"0\nXXX", b"2\nXXX"),
    CANONICAL.replace(b"2\n1", b"0" * 17 + b"2\n1"),
    CANONICAL.replace(b"2\n1", b"0" * 18 + b"2\n1"),
    CANONICAL.replace(b"2\n1", b"9" * 18 + b"\n1"),
    CANONICAL.replace(b"2\n1", b"9" * 100 + b"\n1"),
    CANONICAL.replace(b"2\n1", b"-2\n1"),
    CANONICAL.replace(b"2\n1", b"2.\n1"),
    CANONICAL.replace(b"2\n1", b"\xb2\n1"),
    b"0",
    b"0\n0",
    b" ",
    b"\n\n\n",
]

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
    """Every state is answered with its value, in the canonical layout and others."""
    states = [decode(index) for index in range(STATES)]
    fill = load("fill")
    expected = "".join(f"{fill.value_at(index)}\n" for index in range(STATES)).encode()
    for layout in (
        "{t}\n{a}\n{b}\n{c}\n",
        "{t} {a} {b} {c}\n",
        "{t}\r\n{a}\n{b}\n\n{c}\n",
    ):
        queries = [
            layout.format(t=turn, a=board[:3], b=board[3:6], c=board[6:])
            for board, turn in states
        ]
        text = f"{STATES}\n{''.join(queries)}".encode()
        assert run(built / "situation", stdin=text) == (0, expected, b""), layout


def test_the_judge_agrees_with_python(
    built: Path, sanitized: Path, python_judge: Judge
) -> None:
    """Both judges say the same of any input, to the byte, however it is cut up."""
    for text in INPUTS:
        expected = python_judge(text)
        assert run(built / "situation", stdin=text) == expected, text
        if max(map(len, text.split()), default=0) <= 64:  # beyond, no end is waited for
            program = fast(sanitized / "situation-sanitized")
            assert run(*program, stdin=text) == expected, text


def test_the_judge_agrees_with_python_on_random_input(
    built: Path, python_judge: Judge
) -> None:
    """Both judges say the same of random queries, layouts and faults."""
    chance = random.Random(5)
    symbols = b".XO01xo_'\"\\\0\xff 9"
    statuses = set()
    for seed in range(200):
        tokens = contest_file(chance.choice([0, 1, 2, 3, 30]), seed).encode().split()
        if chance.random() < 0.5:
            fault = bytes(chance.choices(symbols, k=chance.choice([1, 2, 3, 4, 70])))
            tokens[chance.randrange(len(tokens))] = fault
        spaces = chance.choice([[b"\n"], [b"\r\n"], [b"\n"] * 20 + SPACES, SPACES])
        text = b"".join(token + chance.choice(spaces) for token in tokens)
        if chance.random() < 0.2:
            text = text[: chance.randrange(len(text))]
        outcome = run(built / "situation", stdin=text)
        assert outcome == python_judge(text), text
        statuses.add(outcome[0])
    assert statuses == {0, 1}


def test_the_judge_agrees_with_python_across_chunks(
    built: Path, python_judge: Judge
) -> None:
    """Both judges say the same of input that takes many reads, faulty or not."""
    good = contest_file(20_000, 6).encode()
    tokens = good.split()
    for text in [
        good,
        good[:-5],
        good + b"1\n",
        b" ".join(tokens),
        b"\n".join([*tokens[:30_000], b"", b"x", *tokens[30_000:]]),
        b"\n".join([*tokens[:70_001], b"." * 70, *tokens[70_001:]]),
        b"".join([*(token + b"\r\n" for token in tokens[:-1]), b".x."]),
    ]:
        assert run(built / "situation", stdin=text) == python_judge(text)


@pytest.mark.parametrize(
    "arguments",
    [["queries"], ["-"], [], [os.devnull], ["no-such-file"], [""], ["."]],
)
def test_the_judges_read_the_same_file(
    built: Path, tmp_path: Path, arguments: list[str]
) -> None:
    """Both judges read the same file, or complain in the same words about it."""
    (tmp_path / "queries").write_bytes(CANONICAL)
    outcomes = []
    for judge in [str(built / "situation")], JUDGE:
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
        (["-x"], "unknown option -x"),
        (["-x", "-", "-"], "unknown option -x"),
        (["--help", "-"], "unknown option --help"),
        (["--"], "unknown option --"),
        (["-", "-"], "more than one file"),
        (["--tables"], "no directory after --tables"),
        (["-", "--tables"], "no directory after --tables"),
    ],
)
def test_wrong_usage(built: Path, arguments: list[str], complaint: str) -> None:
    """Wrong usage has a status of its own, and the right usage is shown."""
    status, output, found = run(built / "situation", *arguments, stdin=CANONICAL)
    assert (status, output) == (2, b"")
    usage = "usage: situation [--tables DIR] [FILE]"
    assert found.decode() == f"ttt-judge: {complaint}\n{usage}\n"


def test_the_judge_explains_itself(built: Path) -> None:
    """``--help`` names the option and where the tables are otherwise."""
    status, output, complaint = run(built / "situation", "--help")
    assert (status, complaint) == (0, b"")
    assert output.startswith(b"usage: situation [--tables DIR] [FILE]\n")
    assert f"{built.parent}/../../tables.\n".encode() in output


def test_the_judge_and_damaged_tables(built: Path, tables: Path) -> None:
    """Without sound values the judge answers nothing; it needs no other array."""
    judge = [built / "situation", "--tables", tables]
    good = (tables / VALUES).read_bytes()
    for name in "fill/moves.npy", "fill/optimal.npy", "standard/values.npy":
        (tables / name).unlink()
    assert run(*judge, stdin=CANONICAL)[::2] == (0, b"")
    for damaged, fault in DAMAGE.values():
        (tables / VALUES).write_bytes(damaged(good))
        assert_red(run(*judge, stdin=CANONICAL), tables / VALUES, fault)
    for byte, fault in (b"\x80", "shows a line of X"), (b"\x09", "9, expected -8 to 8"):
        rewrite(tables, VALUES, good[:-1] + byte)
        status, output, complaint = run(*judge, stdin=CANONICAL)
        assert (status, output) == (1, b"")
        assert fault in complaint.decode()


def test_the_judge_answers_before_it_waits(built: Path) -> None:
    """A program that asks one query at a time gets each answer before the next one."""
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
    """Whoever stops reading the answers early gets no complaint."""
    file = tmp_path / "queries"
    file.write_text("100000\n" + 100_000 * random_query(random.Random(7)))
    with subprocess.Popen(
        [built / "situation", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as judge:
        assert judge.stdout is not None
        assert judge.stderr is not None
        judge.stdout.close()
        assert (judge.wait(20), judge.stderr.read()) == (0, b"")


def test_the_judge_cannot_read(built: Path, tmp_path: Path) -> None:
    """Standard input that cannot be read is a complaint, as in Python."""
    outcomes = []
    for judge in [str(built / "situation")], JUDGE:
        with open(tmp_path / "written", "wb") as written:
            done = subprocess.run(judge, stdin=written, capture_output=True, timeout=60)
        outcomes.append((done.returncode, done.stdout, done.stderr))
    complaint = b"ttt-judge: standard input: Bad file descriptor\n"
    assert outcomes == [(1, b"", complaint)] * 2


def test_the_judge_cannot_write(built: Path) -> None:
    """A full disk is a complaint, as in Python."""
    if not os.path.exists("/dev/full"):
        lacking("the C judge on a full disk is not tested: there is no /dev/full")
    outcomes = []
    for judge in [str(built / "situation")], JUDGE:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                judge, input=CANONICAL, stdout=full, stderr=subprocess.PIPE, timeout=60
            )
        outcomes.append((done.returncode, done.stderr))
    complaint = b"ttt-judge: standard output: No space left on device\n"
    assert outcomes == [(1, complaint)] * 2


def test_the_judge_needs_constant_memory(built: Path) -> None:
    """Neither many queries nor much white space between tokens takes more memory."""
    limited = ["sh", "-c", 'ulimit -v 8192 && exec "$0"', built / "situation"]
    count = 600_000
    text = b"%d" % count + b" " * (9 << 20) + b"\n" + b"1\nOOO\n...\n...\n" * count
    assert run(*limited, stdin=text) == (0, b"3\n" * count, b"")
