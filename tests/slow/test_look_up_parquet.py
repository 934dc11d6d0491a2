"""Tests of docs/look_up_parquet.py, with a local cluster of processes.

They need the optional group ``recipes``; without it they are skipped, but with CI set
in the environment they fail.
"""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from ttt_runtime import TTTError, load

if not os.environ.get("CI") and not (find_spec("distributed") and find_spec("pyarrow")):
    pytest.skip(
        "Dask or pyarrow is missing; pip install '.[recipes]'", allow_module_level=True
    )

# Imported by name, they are of type Any, whether they are installed or not.
pa = import_module("pyarrow")
pq = import_module("pyarrow.parquet")
psutil = import_module("psutil")

PROGRAM = Path(__file__).resolve().parents[2] / "docs" / "look_up_parquet.py"
sys.path.insert(0, str(PROGRAM.parent))
program = import_module("look_up_parquet")
BATCH = 1 << 17
POSSIBLE = [
    board
    for board in oracle.BOARDS
    if board.count("X") - board.count("O") in (0, 1)
    and not oracle.meaningless("standard", board)
]


def start(*options: str | Path, directory: Path) -> "subprocess.Popen[bytes]":
    """Start the program."""
    return subprocess.Popen(
        [sys.executable, PROGRAM, *options],
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(*options: str | Path, directory: Path) -> tuple[int, str, str]:
    """Run the program; return its status, and what it prints."""
    return ended(start(*options, directory=directory))


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, str, str]:
    """Wait for the program; return its status, its output, and its line of errors.

    Of the progress bar, which is erased or written over, nothing is left.
    """
    out, err = process.communicate()
    return process.returncode, out.decode(), err.decode().rpartition("\r")[2]


def write(path: Path, **columns: Any) -> None:
    """Write a file, and its directory if there is none."""
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), path, compression="NONE")


def names(directory: Path) -> set[str]:
    """List a directory of answers, but for its lock."""
    return {*os.listdir(directory)} - {".lock"}


def answers_to(
    states: Sequence[tuple[str, int | None]], variant: str
) -> dict[str, Any]:
    """Return what `Table` answers, asked one by one."""
    table = load(variant)
    moves = [table.move(*state) for state in states]
    masks = [sum(1 << cell for cell in table.optimal_moves(*state)) for state in states]
    return {
        "value": [table.value(*state) for state in states],
        "move": [-1 if move is None else move for move in moves],
        "optimal": masks,
    }


def test_every_board_of_games_has_the_answers_of_the_table(tmp_path: Path) -> None:
    """Without a turn, it follows from the counts: 5,890 boards, in two files."""
    given = {"a.parquet": POSSIBLE[::2], "b.parquet": POSSIBLE[1::2]}
    for name, boards in given.items():
        write(tmp_path / "boards" / name, board=boards)
    with ExitStack() as stack:
        with suppress(OSError):  # Dask's own port may be taken, and is not needed
            stack.enter_context(socket.create_server(("", 8787)))
        process = start("boards", "new/answers", directory=tmp_path)
        out, err = process.communicate()
    assert process.returncode == 0
    assert out == b"boards: 5,890; files: 2, kept from before: 0\n"
    assert b"] | 100% Completed |" in err
    assert b"8787" not in err
    for name, boards in given.items():
        found = pq.read_table(tmp_path / "new" / "answers" / name)
        assert list(map(str, found.schema.types)) == [
            "string",
            "int8",
            "int8",
            "uint16",
        ]
        expected = answers_to([(board, None) for board in boards], "standard")
        assert found.to_pydict() == {"board": boards} | expected
    assert names(tmp_path / "new" / "answers") == set(given)


def test_all_states_have_the_answers_of_the_table_and_rows_stay(tmp_path: Path) -> None:
    """39,366 states with their turns, in any type of text; other columns stay."""
    states = [*oracle.STATES]
    boards = pa.array([board for board, _ in states])
    turns = [turn for _, turn in states]
    texts = {
        "string": boards,
        "large_string": boards.cast(pa.large_string()),
        "dictionary": boards.dictionary_encode(),
        "binary": boards.cast(pa.binary()),
    }
    notes = [None if row % 3 else {"row": row} for row in range(len(states))]
    for name, text in texts.items():
        columns = {"turn": pa.array(turns, pa.int8()), "note": notes, "board": text}
        write(tmp_path / "boards" / f"{name}.parquet", **columns)
    options = ["--variant", "fill", "--workers", "1"]
    status, _, _ = run("boards", "answers", *options, directory=tmp_path)
    assert status == 0
    expected = answers_to(states, "fill")
    for name in texts:
        before = pq.read_table(tmp_path / "boards" / f"{name}.parquet")
        after = pq.read_table(tmp_path / "answers" / f"{name}.parquet")
        assert after.select(before.column_names).equals(before)
        assert after.select(list(expected)).to_pydict() == expected


def test_whatever_is_no_directory_of_boards_is_refused(tmp_path: Path) -> None:
    """Status 1 and one line that names it; 2 for an option that makes no sense."""
    write(tmp_path / "boards" / "a.parquet", board=["X........"])
    write(tmp_path / "broken" / "a.parquet", board=["X........"])
    with (tmp_path / "broken" / "a.parquet").open("r+b") as file:
        file.truncate(100)
    (tmp_path / "empty").mkdir()
    for options, expected in (
        (["empty", "answers"], "empty: expected a directory with .parquet files"),
        (["nowhere", "answers"], "nowhere: expected a directory with .parquet files"),
        (
            ["boards", "boards/../boards"],
            "boards/../boards: expected another directory",
        ),
        (["boards", "boards/a.parquet"], "[Errno 17] File exists: 'boards/a.parquet'"),
        (["boards", "answers", "--variant", "x"], "variant is 'x', expected one of"),
        (["boards", "answers", "--scheduler", "x:y"], "--scheduler is x:y: "),
        (["broken", "answers", "--workers", "1"], "broken/a.parquet: Parquet magic"),
    ):
        status, out, err = run(*options, directory=tmp_path)
        assert (status, out, err.count("\n")) == (1, "", 1), err
        assert err.startswith(f"look_up_parquet: {expected}")
    for option in (["--workers", "0"], ["--memory", "much"], ["--memory", "-5"]):
        status, out, err = run("boards", "answers", *option, directory=tmp_path)
        assert (status, out) == (2, "")
        assert f"{option[0]}" in err.splitlines()[-1]
    assert not os.path.exists(tmp_path / "answers") or not names(tmp_path / "answers")


BAD = "xx.oo...."
LONG = ["XX.OO...."] * (2 * BATCH)
PLACES = {
    0: "first",
    BATCH - 1: "end of a batch",
    BATCH + 5: "middle",
    2 * BATCH: "last",
}


@pytest.mark.parametrize("row", PLACES)
def test_a_bad_board_ends_the_run_and_is_named_with_file_and_row(
    row: int, tmp_path: Path
) -> None:
    """Status 1, one line, and no unfinished file; what is finished is whole."""
    good = tmp_path / "boards" / "good.parquet"
    write(good, board=LONG)
    write(tmp_path / "boards" / "wrong.parquet", board=[*LONG[:row], BAD, *LONG[row:]])
    status, out, err = run("boards", "answers", "--workers", "2", directory=tmp_path)
    assert (status, out) == (1, "")
    place = f"boards/wrong.parquet: row {row} (0 is the first)"
    fault = f"board '{BAD}' has 'x' in cell 0; write X in upper case"
    assert err == f"look_up_parquet: {place}: {fault}\n"
    answers = names(tmp_path / "answers")
    assert answers <= {"good.parquet"}
    for name in answers:
        assert pq.read_table(tmp_path / "answers" / name)["board"].to_pylist() == LONG


NOT_UTF8 = pa.Array.from_buffers(
    pa.string(),
    2,
    [
        None,
        pa.array([0, 9, 18], pa.int32()).buffers()[1],
        pa.py_buffer(b"." * 17 + b"\xff"),
    ],
)
FIRST, SECOND = "row 0 (0 is the first): ", "row 1 (0 is the first): "
X = "X........"


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"board": [X, None]}, f"{SECOND}board is null"),
        ({"board": [X, "X..."]}, f"{SECOND}board 'X...' has 4 marks, expected 9"),
        ({"board": [X, ""]}, f"{SECOND}board '' has 0 marks, expected 9"),
        ({"board": [X, f"{X}X"]}, f"{SECOND}board 'X........X' has 10 marks"),
        ({"board": [X, "X......é"]}, f"{SECOND}board 'X......é' has 8 marks"),
        ({"board": [X, "X.......\0"]}, f"{SECOND}board 'X.......\\x00' has '\\x00' in"),
        ({"board": [b"X........", b"X......\xff."]}, f"{SECOND}board 'X......ÿ.' has"),
        ({"board": NOT_UTF8}, f"{SECOND}b'........\\xff' is not UTF-8"),
        ({"board": [X, X], "turn": NOT_UTF8}, f"{FIRST}turn is '.........', expected"),
        ({"board": [X, "XX......."]}, f"{SECOND}board 'XX.......' has 2 X and 0 O; X"),
        ({"board": [X, "XXXOOO..."]}, f"{SECOND}standard: board 'XXXOOO...' shows"),
        ({"board": [X, X], "turn": [1, None]}, f"{SECOND}turn is null"),
        ({"board": [X, X], "turn": [1, 2]}, f"{SECOND}turn is 2, expected 0 (X moves"),
        ({"board": [X, X], "turn": [1, -1]}, f"{SECOND}turn is -1, expected 0"),
        ({"board": [X, X], "turn": ["0", "1"]}, f"{FIRST}turn is '0', expected 0"),
        ({"board": [X, X], "turn": [True, True]}, f"{FIRST}turn is True, expected 0"),
        ({"board": [X, X], "turn": [1.0, 1.0]}, f"{FIRST}turn is 1.0, expected 0"),
        ({"board": [1, 2]}, f"{FIRST}board is 1, expected a str of 9 marks"),
        ({"board": [[1] * 9]}, f"{FIRST}board is of type list, expected a str of 9"),
        ({"Board": [X]}, "the columns are Board; expected one board, one turn at most"),
        (
            {"board": [X], "move": [1]},
            "the columns are board, move; expected one board",
        ),
    ],
)
def test_every_kind_of_fault_has_its_message(
    columns: dict[str, list[Any]], expected: str, tmp_path: Path
) -> None:
    """The row, what was found there, and what was expected."""
    source, target = tmp_path / "a.parquet", tmp_path / "answers.parquet"
    write(source, **columns)
    with pytest.raises(TTTError) as caught:
        program.look_up(source, target, "standard")
    assert str(caught.value).startswith(f"{source}: {expected}")
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_an_answer_is_kept_while_file_and_variant_are_the_same(tmp_path: Path) -> None:
    """It is made anew for a changed file, whatever its size and date, and variant."""
    source, target = tmp_path / "a.parquet", tmp_path / "answers.parquet"

    def look_up(variant: str) -> bool:
        kept = program.boards_kept(source, target, variant)
        boards = program.look_up(source, target, variant) if kept is None else kept
        found = pq.read_table(target)
        given = found["board"].to_pylist()
        expected = answers_to([(board, None) for board in given], variant)
        assert found.drop_columns(["board"]).to_pydict() == expected
        assert given == pq.read_table(source)["board"].to_pylist()
        assert boards == len(given)
        return kept is not None

    write(source, board=["XX.OO....", "X........"])
    assert not look_up("standard")
    assert look_up("standard")
    assert not look_up("fastest")
    assert look_up("fastest")
    os.utime(source, ns=(0, 0))
    assert not look_up("fastest")
    size = source.stat().st_size
    write(tmp_path / "new.parquet", board=["X........", "XX.OO...."])
    os.utime(tmp_path / "new.parquet", ns=(0, 0))
    os.replace(tmp_path / "new.parquet", source)
    assert (source.stat().st_size, source.stat().st_mtime_ns) == (size, 0)
    assert not look_up("fastest")
    assert look_up("fastest")
    write(source, board=pa.array([], pa.string()))
    assert not look_up("fastest")
    assert look_up("fastest")


def test_nothing_is_replaced_or_removed_but_own_files(tmp_path: Path) -> None:
    """A target that is no answer to its source ends the run before it does anything."""
    own = f".a.parquet.{'0' * 32}.part"
    theirs = ".a.parquet.download.part"
    for directory in ("boards", "more"):
        write(tmp_path / directory / "a.parquet", board=[X])
        write(tmp_path / directory / "b.parquet", board=[X])
    answers = tmp_path / "answers"
    (answers / ".d.part").mkdir(parents=True)
    (answers / theirs).touch()
    (answers / own).touch()
    target = answers / "b.parquet"

    def refused(boards: str) -> bool:
        status, out, err = run(boards, "answers", directory=tmp_path)
        start = (
            f"look_up_parquet: answers/b.parquet: is no answer to {boards}/b.parquet"
        )
        return (status, out) == (1, "") and err.startswith(start)

    write(target, precious=[1])
    before = target.read_bytes()
    assert refused("boards")
    assert target.read_bytes() == before
    assert names(answers) == {".d.part", theirs, own, "b.parquet"}
    for replacement in (os.mkfifo, os.mkdir):
        target.unlink()
        replacement(target)
        assert refused("boards")
    target.rmdir()
    status, out, _ = run("boards", "answers", directory=tmp_path)
    assert (status, out) == (0, "boards: 2; files: 2, kept from before: 0\n")
    assert names(answers) == {".d.part", theirs, "a.parquet", "b.parquet"}
    (answers / "a.parquet").unlink()
    before = target.read_bytes()
    assert refused("more")
    assert target.read_bytes() == before
    target.write_bytes(before[:-5])
    assert refused("boards")
    assert not (answers / "a.parquet").exists()


def test_hidden_files_are_no_boards_and_a_pipe_is_refused(tmp_path: Path) -> None:
    """Names that begin with a dot or an underscore are passed over, as Spark does."""
    write(tmp_path / "boards" / "a.parquet", board=[X])
    for name in ("._a.parquet", "_a.parquet"):
        (tmp_path / "boards" / name).touch()
    status, out, _ = run("boards", "answers", directory=tmp_path)
    assert (status, out) == (0, "boards: 1; files: 1, kept from before: 0\n")
    os.mkfifo(tmp_path / "boards" / "x.parquet")
    status, _, err = run("boards", "answers", directory=tmp_path)
    assert status == 1
    assert err == "look_up_parquet: boards/x.parquet: expected a file\n"


def test_a_second_run_into_a_directory_is_refused(tmp_path: Path) -> None:
    """It ends at once, and leaves the unfinished files of the first one alone."""
    write(tmp_path / "boards" / "a.parquet", board=[X])
    (tmp_path / "answers").mkdir()
    part = f".a.parquet.{'0' * 32}.part"
    (tmp_path / "answers" / part).touch()
    with (tmp_path / "answers" / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        status, out, err = run("boards", "answers", directory=tmp_path)
    assert (status, out) == (1, "")
    assert err == "look_up_parquet: answers: another run writes there; wait\n"
    assert names(tmp_path / "answers") == {part}


def test_a_damaged_page_is_not_answered(tmp_path: Path) -> None:
    """The checksum of its page tells, where the writer made one."""
    source = tmp_path / "a.parquet"
    columns = {"board": [".X......."]}
    pq.write_table(
        pa.table(columns),
        source,
        compression="NONE",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    whole = source.read_bytes()
    assert whole.count(b".X.......") == 1
    source.write_bytes(whole.replace(b".X.......", b"X........"))
    with pytest.raises(TTTError, match="checksum verification failed") as caught:
        program.look_up(source, tmp_path / "answers.parquet", "standard")
    assert str(caught.value).startswith(f"{source}: ")
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    """Also one that is not UTF-8; its answer is kept as well."""
    name = os.fsdecode(b"\xff\n.parquet")
    source, target = tmp_path / name, tmp_path / "answers" / name
    with source.open("wb") as file:
        pq.write_table(pa.table({"board": [X]}), file)
    target.parent.mkdir()
    assert program.boards_kept(source, target, "standard") is None
    assert program.look_up(source, target, "standard") == 1
    assert program.boards_kept(source, target, "standard") == 1


def test_an_answer_that_cannot_be_written_is_named_by_its_source(
    tmp_path: Path,
) -> None:
    """That there is no unfinished file to be removed does not hide the cause."""
    source = tmp_path / "a.parquet"
    write(source, board=[X])
    with pytest.raises(TTTError) as caught:
        program.look_up(source, source / "a.parquet", "standard")
    assert str(caught.value).startswith(f"{source}: [Errno 20] Not a directory: ")


def test_a_limit_below_what_a_worker_needs_is_refused() -> None:
    """Else Dask would start workers for ever, or take zero for no limit."""
    assert program.enough("256MiB") == 256 << 20
    assert program.enough("2 GB") == 2 * 10**9
    for text in ("0", "-5", "20MB", "255MiB", "1e400", "nan", ""):
        with pytest.raises(ArgumentTypeError) as caught:
            program.enough(text)
        assert str(caught.value) == f"{text!r}, expected 256 MiB or more"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("sys.modules['dask'] = None", (1, "halted")),
        ("sys.meta_path.insert(0, type('', (), {'find_spec': stop}))", (130, "")),
    ],
)
def test_imports_that_fail_or_are_interrupted_end_in_order(
    statement: str, expected: tuple[int, str]
) -> None:
    """A line with the remedy where the optional group is missing, and no traceback."""
    code = f"""
import runpy, sys
def stop(name, *_):
    if name == "distributed":
        raise KeyboardInterrupt
{statement}
runpy.run_path({str(PROGRAM)!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == expected[0]
    lines = done.stderr.splitlines()
    assert len(lines) == bool(expected[1])
    for line in lines:
        assert line.startswith("look_up_parquet: import of dask halted")
        assert line.endswith("; docs/recipes.md says what to install")


PEAK = """
import sys
from pathlib import Path
import pyarrow as pa
sys.path.insert(0, sys.argv[1])
from look_up_parquet import look_up
pa.set_memory_pool(pa.default_memory_pool())
print(look_up(Path(sys.argv[2]), Path(sys.argv[3]), "standard"))
print(pa.default_memory_pool().max_memory())
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Of 32 batches in one row group, Arrow never has more in memory than of four.

    The boards alone, each of nine bytes and an offset, would be eight times as large.
    """
    peaks = []
    for batches in (4, 32):
        source = tmp_path / f"{batches}.parquet"
        boards = pa.array(POSSIBLE * (batches * BATCH // len(POSSIBLE)))
        pq.write_table(pa.table({"board": boards}), source, row_group_size=len(boards))
        assert pq.read_metadata(source).num_row_groups == 1
        done = subprocess.run(
            [sys.executable, "-c", PEAK, PROGRAM.parent, source, tmp_path / "answers"],
            capture_output=True,
            check=True,
            text=True,
        )
        rows, peak = done.stdout.split()
        assert int(rows) == len(boards)
        peaks.append(int(peak))
    assert peaks[1] < 1.2 * peaks[0]
    assert peaks[1] < boards.nbytes


# While it runs


FILES = 16
REPEATS = 60


@contextmanager
def busy(directory: Path, *options: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Start the program on many files; go on when some of the answers are finished."""
    table = pa.table({"board": pa.array(POSSIBLE * REPEATS)})
    (directory / "boards").mkdir()
    for number in range(FILES):
        pq.write_table(table, directory / "boards" / f"{number}.parquet")
    process = start("boards", "answers", *options, directory=directory)
    try:
        while process.poll() is None and not finished(directory):
            time.sleep(0.005)
        yield process
    finally:
        process.kill()
        process.wait()


def finished(directory: Path) -> list[str]:
    """List the answers that are there under their own names."""
    return sorted(path.name for path in (directory / "answers").glob("*.parquet"))


def unfinished(directory: Path) -> list[Path]:
    """List the answers that are being written."""
    return list((directory / "answers").glob(".*.part"))


def workers(process: "subprocess.Popen[bytes]") -> list[Any]:
    """Return the processes that work for the program.

    Dask gives them a title of its own where setproctitle is installed.
    """
    found = []
    for child in psutil.Process(process.pid).children():
        with suppress(psutil.Error):  # it may be at its end
            line = " ".join(child.cmdline())
            if "spawn_main" in line or "dask worker" in line:
                found.append(child)
    return found


def assert_whole(directory: Path) -> None:
    """Check that every finished answer has every row, and is right."""
    answers = answers_to([(board, None) for board in POSSIBLE], "standard")
    for name in finished(directory):
        found = pq.read_table(directory / "answers" / name)
        assert found["board"].to_pylist() == POSSIBLE * REPEATS
        for column, expected in answers.items():
            assert found[column].to_pylist() == expected * REPEATS, (name, column)


def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    """Both are killed while they write: the run ends as if nothing had been."""
    with busy(tmp_path, "--workers", "2") as process:
        while process.poll() is None and not unfinished(tmp_path):
            time.sleep(0.001)
        killed = workers(process)
        for worker in killed:
            worker.kill()
        assert len(killed) == 2
        assert 0 < len(finished(tmp_path)) < FILES
        status, out, _ = ended(process)
    assert status == 0
    assert out.startswith(
        f"boards: {FILES * REPEATS * len(POSSIBLE):,}; files: {FILES},"
    )
    assert len(finished(tmp_path)) == FILES
    assert not unfinished(tmp_path)
    assert_whole(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_leaves_whole_answers_and_can_go_on(
    number: int, tmp_path: Path
) -> None:
    """Its status says of which signal it ended; a line, and no unfinished file.

    Ctrl-C, and the end of a terminal, workers are told as well.
    """
    with busy(tmp_path, "--workers", "2") as process:
        children = workers(process) if number != signal.SIGTERM else []
        for child in [psutil.Process(process.pid), *children]:
            child.send_signal(number)
        status, out, err = ended(process)
    assert (status, out) == (128 + number, "")
    message = "look_up_parquet: interrupted; what is done remains\n"
    assert err.partition("\n")[2] == message
    done = finished(tmp_path)
    assert 0 < len(done) < FILES
    assert not unfinished(tmp_path)
    status, out, _ = run("boards", "answers", directory=tmp_path)
    assert status == 0
    assert out.endswith(f"files: {FILES}, kept from before: {len(done)}\n")
    assert_whole(tmp_path)


def test_an_interrupted_start_ends_in_order(tmp_path: Path) -> None:
    """Ctrl-C, pressed twice while workers start: they are started, and ended."""
    write(tmp_path / "boards" / "a.parquet", board=[X])
    process = start("boards", "answers", directory=tmp_path)
    while not (tmp_path / "answers" / ".lock").exists():
        assert process.poll() is None
        time.sleep(0.001)
    for _ in range(2):
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert err == b"\nlook_up_parquet: interrupted; what is done remains\n"
    assert not names(tmp_path / "answers")


def test_a_file_that_workers_die_of_is_named(tmp_path: Path) -> None:
    """After the fourth worker the run gives up, with status 1; nothing is left."""
    boards = pa.array(POSSIBLE * 1000)
    write(tmp_path / "boards" / "a.parquet", board=boards)
    process = start("boards", "answers", "--workers", "1", directory=tmp_path)
    killed: set[int] = set()
    try:
        while process.poll() is None:
            for worker in workers(process):
                if unfinished(tmp_path) and worker.pid not in killed:
                    killed.add(worker.pid)
                    worker.kill()
                    for part in unfinished(tmp_path):
                        part.unlink()
            time.sleep(0.01)
    finally:
        process.kill()
    status, out, err = ended(process)
    assert (status, out, len(killed)) == (1, "", 4)
    message = "their memory may be too little, or the file is damaged"
    file = "boards/a.parquet"
    assert err == f"look_up_parquet: {file}: 4 workers died of it; {message}\n"
    assert not names(tmp_path / "answers")


def test_a_cluster_that_runs_already_does_the_same(tmp_path: Path) -> None:
    """Scheduler and worker, in a directory of their own, are named by an address.

    If the scheduler is lost, that is an error without a traceback.
    """
    write(tmp_path / "boards" / "a.parquet", board=POSSIBLE)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    place = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    processes = [
        subprocess.Popen([*dask, *command], cwd=elsewhere, stderr=subprocess.DEVNULL)
        for command in (
            ["scheduler", "--port", str(port), *place],
            ["worker", address, "--nthreads", "1", "--no-nanny", *place],
        )
    ]
    try:
        options = ["--scheduler", address]
        status, out, _ = run("boards", "answers", *options, directory=tmp_path)
        write(tmp_path / "boards" / "b.parquet", board=[BAD])
        bad = run("boards", "answers", *options, directory=tmp_path)
        scheduler, worker = processes
        worker.send_signal(signal.SIGSTOP)
        lost = start("boards", "lost", *options, directory=tmp_path)
        assert lost.stderr
        while b"% Completed" not in os.read(lost.stderr.fileno(), 1 << 16):
            assert lost.poll() is None
        scheduler.kill()
        lost_status, _, lost_error = ended(lost)
    finally:
        for process in reversed(processes):
            process.terminate()
            process.send_signal(signal.SIGCONT)
            process.wait()
    assert (status, out) == (0, "boards: 5,890; files: 1, kept from before: 0\n")
    expected = answers_to([(board, None) for board in POSSIBLE], "standard")
    found = pq.read_table(tmp_path / "answers" / "a.parquet").to_pydict()
    assert found == {"board": POSSIBLE} | expected
    assert bad[0] == 1
    assert f"{tmp_path}/boards/b.parquet: row 0 " in bad[2]
    assert names(tmp_path / "answers") == {"a.parquet"}
    assert lost_status == 1
    assert "Traceback" not in lost_error
    assert "look_up_parquet: " in lost_error
