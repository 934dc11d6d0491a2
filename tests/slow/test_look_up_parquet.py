"""Tests of docs/look_up_parquet.py, with a local cluster of processes.

They are skipped without the optional group ``recipes``; with CI set they fail then.
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
from contextlib import contextmanager, suppress
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
X = "X........"
DONE = "boards: {}; files: {}, kept from before: {}\n"


def start(*options: str | Path, directory: Path) -> "subprocess.Popen[bytes]":
    """Start the program."""
    return subprocess.Popen(
        [sys.executable, PROGRAM, *options],
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, str, str]:
    """Wait for the program; return its status, its output, and its line of errors.

    Of the progress bar, which is erased or written over, nothing is left.
    """
    out, err = process.communicate()
    return process.returncode, out.decode(), err.decode().rpartition("\r")[2]


def run(*options: str | Path, directory: Path) -> tuple[int, str, str]:
    """Run the program; return its status, and what it prints."""
    return ended(start(*options, directory=directory))


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


def test_boards_without_turns_have_the_answers_of_the_table(tmp_path: Path) -> None:
    given = {"a.parquet": POSSIBLE[::2], "b.parquet": POSSIBLE[1::2]}
    for name, boards in given.items():
        write(tmp_path / "boards" / name, board=boards)
    (tmp_path / "boards" / "._a.parquet").touch()
    (tmp_path / "boards" / "_a.parquet").touch()
    process = start("boards", "new/answers", directory=tmp_path)
    out, err = process.communicate()
    assert (process.returncode, out.decode()) == (0, DONE.format("5,890", 2, 0))
    assert b"] | 100% Completed |" in err
    for name, boards in given.items():
        found = pq.read_table(tmp_path / "new" / "answers" / name)
        assert found.schema.types == [pa.string(), pa.int8(), pa.int8(), pa.uint16()]
        expected = answers_to([(board, None) for board in boards], "standard")
        assert found.to_pydict() == {"board": boards} | expected
    assert names(tmp_path / "new" / "answers") == set(given)


def test_all_states_have_the_answers_of_the_table_and_rows_stay(tmp_path: Path) -> None:
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


def test_arguments_that_make_no_sense_are_refused_in_a_line(tmp_path: Path) -> None:
    write(tmp_path / "boards" / "a.parquet", board=[X])
    write(tmp_path / "broken" / "a.parquet", board=[X])
    os.truncate(tmp_path / "broken" / "a.parquet", 100)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "a.parquet")
    for options, expected in (
        (["nowhere", "answers"], "nowhere: expected a directory with .parquet files"),
        (["pipe", "answers"], "pipe/a.parquet: expected a file"),
        (["boards", "boards/../boards"], "boards/../boards: expected another dir"),
        (["boards", "boards/a.parquet"], "[Errno 17] File exists: 'boards/a.parquet'"),
        (["boards", "answers", "--variant", "x"], "variant is 'x', expected one of"),
        (["boards", "answers", "--scheduler", "x:y"], "--scheduler is x:y: "),
        (["broken", "answers", "--workers", "1"], "broken/a.parquet: Parquet magic"),
    ):
        status, out, err = run(*options, directory=tmp_path)
        assert (status, out, err.count("\n")) == (1, "", 1), err
        assert err.startswith(f"look_up_parquet: {expected}")
    status, _, err = run("boards", "answers", "--workers", "0", directory=tmp_path)
    assert (status, err.splitlines()[-1].count("--workers is 0")) == (2, 1)
    assert not names(tmp_path / "answers")


def test_a_limit_below_what_a_worker_needs_is_refused() -> None:
    assert program.enough("256MiB") == 256 << 20
    for text in ("0", "-5", "255MiB", "1e400", "nan", "much", ""):
        with pytest.raises(ArgumentTypeError, match="expected 256 MiB or more"):
            program.enough(text)


@pytest.mark.parametrize("row", [BATCH - 1, 2 * BATCH])
def test_a_bad_board_ends_the_run_and_is_named_with_file_and_row(
    row: int, tmp_path: Path
) -> None:
    good = ["XX.OO...."] * (2 * BATCH)
    boards = [*good[:row], "xx.oo....", *good[row:]]
    write(tmp_path / "boards" / "good.parquet", board=good)
    write(tmp_path / "boards" / "wrong.parquet", board=boards)
    status, out, err = run("boards", "answers", "--workers", "2", directory=tmp_path)
    assert (status, out) == (1, "")
    place = f"boards/wrong.parquet: row {row} (0 is the first)"
    fault = "board 'xx.oo....' has 'x' in cell 0; write X in upper case"
    assert err == f"look_up_parquet: {place}: {fault}\n"
    for name in names(tmp_path / "answers"):
        assert name == "good.parquet"
        assert pq.read_table(tmp_path / "answers" / name)["board"].to_pylist() == good


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


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"board": [X, None]}, f"{SECOND}board is null"),
        ({"board": [X, "X..."]}, f"{SECOND}board 'X...' has 4 marks, expected 9"),
        ({"board": [X, "X......é"]}, f"{SECOND}board 'X......é' has 8 marks"),
        ({"board": [b"X........", b"X......\xff."]}, f"{SECOND}board 'X......ÿ.' has"),
        ({"board": NOT_UTF8}, f"{SECOND}b'........\\xff' is not UTF-8"),
        ({"board": [X, "XX......."]}, f"{SECOND}board 'XX.......' has 2 X and 0 O; X"),
        ({"board": [X, "XXXOOO..."]}, f"{SECOND}standard: board 'XXXOOO...' shows"),
        ({"board": [X, X], "turn": [1, None]}, f"{SECOND}turn is null"),
        ({"board": [X, X], "turn": [1, -1]}, f"{SECOND}turn is -1, expected 0"),
        ({"board": [X, X], "turn": ["0", "1"]}, f"{FIRST}turn is '0', expected 0"),
        ({"board": [X, X], "turn": [True, True]}, f"{FIRST}turn is True, expected 0"),
        ({"board": [X, X], "turn": [1.0, 1.0]}, f"{FIRST}turn is 1.0, expected 0"),
        ({"board": [[1] * 9]}, f"{FIRST}board is of type list, expected a str of 9"),
        ({"Board": [X]}, "the columns are Board; expected one board, one turn at most"),
        ({"board": [X], "move": [1]}, "the columns are board, move; expected one"),
    ],
)
def test_every_kind_of_fault_has_its_message(
    columns: dict[str, list[Any]], expected: str, tmp_path: Path
) -> None:
    source, target = tmp_path / "a.parquet", tmp_path / "answers.parquet"
    write(source, **columns)
    with pytest.raises(TTTError) as caught:
        program.look_up(source, target, "standard")
    assert str(caught.value).startswith(f"{source}: {expected}")
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_an_answer_is_kept_while_file_and_variant_are_the_same(tmp_path: Path) -> None:
    source = tmp_path / os.fsdecode(b"\xff\n.parquet")  # a file may have any name
    target = tmp_path / "answers.parquet"

    def kept(variant: str) -> bool:
        before = program.boards_kept(source, target, variant)
        if before is None:
            program.look_up(source, target, variant)
        assert program.boards_kept(source, target, variant) == len(boards)
        expected = answers_to([(board, None) for board in boards], variant)
        assert pq.read_table(target).to_pydict() == {"board": boards} | expected
        return before is not None

    boards = ["XX.OO....", X]
    write(tmp_path / "a.parquet", board=boards)
    os.replace(tmp_path / "a.parquet", source)
    assert [kept(variant) for variant in ("standard", "standard")] == [False, True]
    assert [kept(variant) for variant in ("fastest", "fastest")] == [False, True]
    os.utime(source, ns=(0, 0))
    assert not kept("fastest")
    size, boards = source.stat().st_size, boards[::-1]
    write(tmp_path / "a.parquet", board=boards)
    os.utime(tmp_path / "a.parquet", ns=(0, 0))
    os.replace(tmp_path / "a.parquet", source)
    assert (source.stat().st_size, source.stat().st_mtime_ns) == (size, 0)
    assert not kept("fastest")


def test_nothing_is_replaced_or_removed_but_own_files(tmp_path: Path) -> None:
    own, theirs = f".a.parquet.{'0' * 32}.part", ".a.parquet.download.part"
    for directory in ("boards", "more"):
        write(tmp_path / directory / "a.parquet", board=[X])
        write(tmp_path / directory / "b.parquet", board=[X])
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / theirs).touch()
    (answers / own).touch()
    target = answers / "b.parquet"

    def assert_refused(boards: str) -> None:
        before = target.read_bytes() if target.is_file() else None
        status, out, err = run(boards, "answers", directory=tmp_path)
        said = f"answers/b.parquet: is no answer to {boards}/b.parquet"
        assert (status, out) == (1, "")
        assert err.startswith(f"look_up_parquet: {said}")
        assert before is None or target.read_bytes() == before
        assert not (answers / "a.parquet").exists()

    os.mkfifo(target)
    assert_refused("boards")
    target.unlink()
    write(target, precious=[1])
    assert_refused("boards")
    assert names(answers) == {theirs, own, "b.parquet"}
    target.unlink()
    status, out, _ = run("boards", "answers", directory=tmp_path)
    assert (status, out) == (0, DONE.format(2, 2, 0))
    assert names(answers) == {theirs, "a.parquet", "b.parquet"}
    (answers / "a.parquet").unlink()
    assert_refused("more")


def test_a_second_run_into_a_directory_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "boards" / "a.parquet", board=[X])
    part = tmp_path / "answers" / f".a.parquet.{'0' * 32}.part"
    part.parent.mkdir()
    part.touch()
    with (tmp_path / "answers" / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        status, out, err = run("boards", "answers", directory=tmp_path)
    assert (status, out) == (1, "")
    assert err == "look_up_parquet: answers: another run writes there; wait\n"
    assert names(tmp_path / "answers") == {part.name}


def test_a_page_that_does_not_fit_its_checksum_is_not_answered(tmp_path: Path) -> None:
    source = tmp_path / "a.parquet"
    plain = {"compression": "NONE", "use_dictionary": False, "write_statistics": False}
    table = pa.table({"board": [".X......."]})
    pq.write_table(table, source, write_page_checksum=True, **plain)
    whole = source.read_bytes()
    assert whole.count(b".X.......") == 1
    source.write_bytes(whole.replace(b".X.......", b"X........"))
    with pytest.raises(TTTError, match="checksum verification failed") as caught:
        program.look_up(source, tmp_path / "answers.parquet", "standard")
    assert str(caught.value).startswith(f"{source}: ")
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_a_missing_package_is_named_with_the_remedy() -> None:
    code = f"""
import runpy, sys
sys.modules["dask"] = None
runpy.run_path({str(PROGRAM)!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("look_up_parquet: import of dask halted")
    assert done.stderr.endswith("; docs/recipes.md says what to install\n")


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
    """Of 32 batches in one row group, Arrow never has more in memory than of four."""
    peaks = []
    for batches in (4, 32):
        source = tmp_path / f"{batches}.parquet"
        boards = pa.array(POSSIBLE * (batches * BATCH // len(POSSIBLE)))
        pq.write_table(pa.table({"board": boards}), source, row_group_size=len(boards))
        done = subprocess.run(
            [sys.executable, "-c", PEAK, PROGRAM.parent, source, tmp_path / "answers"],
            capture_output=True,
            check=True,
            text=True,
        )
        rows, peak = map(int, done.stdout.split())
        assert rows == len(boards)
        peaks.append(peak)
    assert peaks[1] < 1.2 * peaks[0]


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
    """Check that every answer is finished, has every row, and is right."""
    assert len(finished(directory)) == FILES
    assert not unfinished(directory)
    answers = answers_to([(board, None) for board in POSSIBLE], "standard")
    for name in finished(directory):
        found = pq.read_table(directory / "answers" / name)
        assert found["board"].to_pylist() == POSSIBLE * REPEATS
        for column, expected in answers.items():
            assert found[column].to_pylist() == expected * REPEATS, (name, column)


def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
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
    assert out == DONE.format(f"{FILES * REPEATS * len(POSSIBLE):,}", FILES, 0)
    assert_whole(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_leaves_whole_answers_and_can_go_on(
    number: int, tmp_path: Path
) -> None:
    with busy(tmp_path, "--workers", "2") as process:
        # Ctrl-C, and the end of a terminal, workers are told as well.
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


def test_a_file_that_four_workers_die_of_is_named(tmp_path: Path) -> None:
    write(tmp_path / "boards" / "a.parquet", board=pa.array(POSSIBLE * 1000))
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
    # Before it, a fifth worker may have said that it finds the cluster closed.
    last = err.splitlines()[-1]
    assert last == f"look_up_parquet: {file}: 4 workers died of it; {message}"
    assert not names(tmp_path / "answers")


def test_a_cluster_that_runs_already_does_the_same(tmp_path: Path) -> None:
    write(tmp_path / "boards" / "a.parquet", board=POSSIBLE)
    (tmp_path / "elsewhere").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
    place = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    scheduler, worker = (
        subprocess.Popen(
            [sys.executable, "-m", "dask", *command, *place],
            cwd=tmp_path / "elsewhere",
            stderr=subprocess.DEVNULL,
        )
        for command in (
            ["scheduler", "--port", address.rpartition(":")[2]],
            ["worker", address, "--nthreads", "1", "--no-nanny"],
        )
    )
    try:
        options = ["--scheduler", address]
        status, out, _ = run("boards", "answers", *options, directory=tmp_path)
        write(tmp_path / "boards" / "b.parquet", board=["xx.oo...."])
        bad = run("boards", "answers", *options, directory=tmp_path)
        worker.send_signal(signal.SIGSTOP)
        process = start("boards", "lost", *options, directory=tmp_path)
        assert process.stderr
        while b"% Completed" not in os.read(process.stderr.fileno(), 1 << 16):
            assert process.poll() is None
        scheduler.kill()
        lost = ended(process)
    finally:
        for process in worker, scheduler:
            process.terminate()
            process.send_signal(signal.SIGCONT)
            process.wait()
    assert (status, out) == (0, DONE.format("5,890", 1, 0))
    expected = answers_to([(board, None) for board in POSSIBLE], "standard")
    found = pq.read_table(tmp_path / "answers" / "a.parquet").to_pydict()
    assert found == {"board": POSSIBLE} | expected
    assert bad[0] == 1
    assert f"{tmp_path}/boards/b.parquet: row 0 " in bad[2]
    assert names(tmp_path / "answers") == {"a.parquet"}
    assert lost[0] == 1
    assert "Traceback" not in lost[2]
    assert "look_up_parquet: " in lost[2]
