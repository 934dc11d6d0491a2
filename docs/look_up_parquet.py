"""Look up every board of a directory of Parquet files, on one machine or on many.

Each file BOARDS/*.parquet becomes a file of the same name in ANSWERS: the same rows and
columns, and the columns value (int8), move (int8, -1 where play has ended) and optimal
(uint16, bit c for cell c). The column board holds text such as XX.OO....; the turn is
taken from the column turn, 0 for X and 1 for O, or without one from the counts.

A file is a task, which reads and writes a batch at a time, so memory does not grow with
it. An answer gets its name when it is whole: if a worker dies, its file is done again.
The first bad board that is found ends the run. Started anew, the program keeps every
answer that was made for this variant from the file as it is now. It replaces no file
but its own answers, and while it runs no other run can write to ANSWERS.
"""

import fcntl
import logging
import os
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO
from uuid import uuid4

if __name__ == "__mp_main__":  # a worker: the main process ends it, and says why
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    logging.disable()

try:
    import dask
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from dask.utils import parse_bytes
    from distributed import Client, KilledWorker, LocalCluster, progress

    from ttt_runtime import InvalidBoardError, Table, TTTError, load
    from ttt_runtime.arrays import encode_many
except ModuleNotFoundError as error:
    sys.exit(f"look_up_parquet: {error}; docs/recipes.md says what to install")
except KeyboardInterrupt:
    sys.exit(130)

ROWS = 1 << 17
"""How many rows to hold at once; a row group of the answers has as many."""

LEAST = 256 << 20
"""How many bytes a worker needs at least; a limit below that would be of no use."""

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

COLUMNS = {"value": pa.int8(), "move": pa.int8(), "optimal": pa.uint16()}


def note_of(source: Path, variant: str) -> dict[bytes, bytes]:
    """Return what an answer bears in its metadata: what it was made for, and from."""
    status = source.stat()
    # Also a file that is renamed, or dated back, has the time of that as its ctime.
    state = f"{variant} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
    path = source.parent.resolve() / source.name
    return {b"ttt_source": os.fsencode(path), b"ttt": state.encode()}


def boards_kept(source: Path, target: Path, variant: str) -> int | None:
    """Return how many boards an answer has, or None if it is to be made.

    What is there but no answer to this source, the program must not replace.
    """
    if not os.path.lexists(target):
        return None
    note = note_of(source, variant)
    found: dict[bytes, bytes] = {}
    if target.is_file():
        with suppress(OSError, pa.ArrowException), opened(target) as file:
            footer = pq.read_metadata(file)
            found = footer.metadata or {}
    if found.get(b"ttt_source") != note[b"ttt_source"]:
        raise TTTError(
            f"{target}: is no answer to {source}, so it stays; "
            "move it, or choose another directory"
        )
    return footer.num_rows if found.get(b"ttt") == note[b"ttt"] else None


def opened(path: Path) -> Any:
    """Open a file that may have any name; Arrow by itself wants UTF-8."""
    return pa.OSFile(os.fsencode(path))


def look_up(source: Path, target: Path, variant: str) -> int:
    """Answer a file; return how many boards it has."""
    part = target.with_name(f".{target.name}.{uuid4().hex}.part")
    try:
        note = note_of(source, variant)
        with part.open("xb") as file:
            boards = write_answers(source, file, variant, note)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except (OSError, UnicodeError, pa.ArrowException) as error:
        raise TTTError(f"{source}: {one_line(error)}") from None
    finally:
        remove(part)
    return boards


def remove(part: Path) -> None:
    """Remove an unfinished file, if it is there; another error is not to be hidden."""
    with suppress(OSError):
        part.unlink()


def write_answers(
    source: Path, file: BinaryIO, variant: str, note: dict[bytes, bytes]
) -> int:
    """Write what a file holds, and the answers; return how many boards it has."""
    # So it reads pages as they are needed, and not a whole row group at once.
    reader = pq.ParquetFile(
        opened(source),
        buffer_size=1 << 20,
        pre_buffer=False,
        page_checksum_verification=True,
    )
    schema = reader.schema_arrow
    names = schema.names
    if names.count("board") != 1 or names.count("turn") > 1 or COLUMNS.keys() & names:
        raise TTTError(
            f"{source}: the columns are {', '.join(names)}; expected one board, "
            f"one turn at most, and not yet any {', '.join(COLUMNS)}"
        )
    schema = schema.with_metadata({**(schema.metadata or {}), **note})
    for name, kind in COLUMNS.items():
        schema = schema.append(pa.field(name, kind))
    table = load(variant)
    boards = 0
    with pq.ParquetWriter(file, schema) as writer:
        for batch in reader.iter_batches(ROWS, use_threads=False):
            try:
                answers = look_up_batch(batch, table)
            except (InvalidBoardError, pa.ArrowException):
                row, fault = first_fault(batch, table)
                raise TTTError(
                    f"{source}: row {boards + row} (0 is the first): {fault}"
                ) from None
            writer.write_batch(
                pa.record_batch([*batch.columns, *answers], schema=schema)
            )
            boards += len(batch)
    return boards


def look_up_batch(batch: pa.RecordBatch, table: Table) -> list[Any]:
    """Return the three columns of answers, or raise if any board is bad."""
    states = [batch[name] for name in ("board", "turn") if name in batch.schema.names]
    if any(column.null_count for column in states):
        raise InvalidBoardError("null")
    marks = states[0].cast(pa.binary(9))
    texts = np.frombuffer(marks.buffers()[1], "S9", len(marks), 9 * marks.offset)
    indices = encode_many(texts, *(column.to_numpy() for column in states[1:]))
    values = table.values.take(indices)
    if values.min() == -128:
        raise InvalidBoardError("both sides have a line")
    return [values, table.moves.take(indices), table.optimal.take(indices)]


def first_fault(batch: pa.RecordBatch, table: Table) -> tuple[int, str]:
    """Return the row of the first bad board, and what is wrong, asking one by one."""
    names = [name for name in ("board", "turn") if name in batch.schema.names]
    for row in range(len(batch)):
        try:
            board, *turn = (batch[name][row].as_py() for name in names)
        except UnicodeDecodeError as error:
            return row, f"{error.object!r} is not UTF-8"
        if None in (board, *turn):
            return row, f"{'board' if board is None else 'turn'} is null"
        if isinstance(board, bytes):
            board = board.decode("latin-1")
        try:
            table.value(board, *turn)
        except InvalidBoardError as error:
            return row, str(error)
    raise AssertionError("one by one, no board is bad")


def one_line(error: BaseException) -> str:
    """Return the message of an error without its line breaks."""
    return " ".join(str(error).split()) or type(error).__name__


def stop(number: int, _frame: FrameType | None) -> None:
    """End the run in good order, and let no second signal disturb that."""
    for signal_number in SIGNALS:
        signal.signal(signal_number, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals wait: Dask cannot be stopped while it starts or ends."""
    came: list[int] = []
    held = [number for number in SIGNALS if signal.getsignal(number) is stop]
    for number in held:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number in held:
            signal.signal(number, stop)
        if came:
            stop(came[0], None)


def connect(options: Namespace) -> Client:
    """Return a client of the scheduler that was named, or of new processes here."""
    if options.scheduler:
        try:
            return Client(options.scheduler)
        except ValueError as error:
            raise TTTError(f"--scheduler is {options.scheduler}: {error}") from None
    # By default Dask has malloc give memory back at once, for half as much time again.
    dask.config.set({"distributed.nanny.pre-spawn-environ": {}})
    # Nothing that is held could be let go: to pause would be to wait for ever.
    dask.config.set({"distributed.worker.memory.pause": False})
    with uninterrupted():
        cluster = LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,
            memory_limit=options.memory,
            dashboard_address="127.0.0.1:0",
        )
    return Client(cluster)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other runs out of a directory; the lock goes when the process does."""
    with (directory / ".lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TTTError(f"{directory}: another run writes there; wait") from None
        yield


def run(options: Namespace) -> str:
    """Look all files up; return what was done."""
    load(options.variant)
    boards, answers = options.boards, options.answers
    if options.scheduler:  # its workers may be in another directory
        boards, answers = boards.absolute(), answers.absolute()
    sources = sorted(
        path for path in boards.glob("*.parquet") if path.name[0] not in "._"
    )
    if not sources:
        raise TTTError(f"{boards}: expected a directory with .parquet files")
    for source in sources:
        if not source.is_file():
            raise TTTError(f"{source}: expected a file")
    answers.mkdir(parents=True, exist_ok=True)
    if answers.samefile(boards):
        raise TTTError(f"{answers}: expected another directory for the answers")
    with locked(answers):
        kept = {}
        for source in sources:
            count = boards_kept(source, answers / source.name, options.variant)
            if count is not None:
                kept[source] = count
        new = [source for source in sources if source not in kept]
        try:
            done = look_up_all(new, answers, options) if new else []
        finally:
            for part in answers.glob(f".*.parquet.{'[0-9a-f]' * 32}.part"):
                remove(part)
    total = sum(kept.values()) + sum(done)
    return f"boards: {total:,}; files: {len(sources)}, kept from before: {len(kept)}"


def look_up_all(sources: list[Path], answers: Path, options: Namespace) -> list[int]:
    """Answer files on Dask, with a progress bar; return how many boards each has."""
    targets = [answers / source.name for source in sources]
    client = connect(options)
    try:
        futures = client.map(
            look_up, sources, targets, variant=options.variant, pure=False
        )
        origins = {
            future.key: source for future, source in zip(futures, sources, strict=True)
        }
        with redirect_stdout(sys.stderr):
            progress(futures, notebook=False)
        return list(client.gather(futures))
    except KilledWorker as error:
        raise TTTError(
            f"{origins[error.task]}: {error.allowed_failures + 1} workers died of it; "
            "their memory may be too little, or the file is damaged"
        ) from None
    finally:
        with uninterrupted():
            client.close()
            if client.cluster:
                client.cluster.close()


def enough(text: str) -> int:
    """Return how many bytes a text stands for, if a worker can live with them."""
    with suppress(ValueError, OverflowError):
        if (memory := int(parse_bytes(text))) >= LEAST:
            return memory
    raise ArgumentTypeError(f"{text!r}, expected 256 MiB or more")


def main() -> int:
    """Run, and return the exit status."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("boards", type=Path, help="a directory of Parquet files")
    parser.add_argument("answers", type=Path, help="the directory to write to")
    parser.add_argument("--variant", default="standard", help="default: standard")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="default: one a core"
    )
    parser.add_argument(
        "--memory", type=enough, default="1 GiB", help="a worker's; default: 1 GiB"
    )
    parser.add_argument(
        "--scheduler", help="the address of a cluster, which sees the same directories"
    )
    options = parser.parse_args()
    if options.workers < 1:
        parser.error(f"--workers is {options.workers}, expected 1 or more")
    logging.disable()  # what there is to say, the last line says
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup would have it
            signal.signal(number, stop)
    try:
        print(run(options))
    except (TTTError, OSError, ImportError, RuntimeError, CancelledError) as error:
        print(f"look_up_parquet: {one_line(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        print("\nlook_up_parquet: interrupted; what is done remains", file=sys.stderr)
        return 128 + int(error.args[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
