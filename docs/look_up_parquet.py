"""Look up every board of a directory of Parquet files, on one machine or on many.

Each file BOARDS/*.parquet becomes a file of the same name in ANSWERS: the same rows and
columns, and the columns value (int8), move (int8, -1 where play has ended) and optimal
(uint16, bit c for cell c). The column board holds text such as XX.OO....; the turn is
taken from the column turn, 0 for X and 1 for O, or without one from the counts.

A file is a task, which reads and writes a batch at a time, so memory does not grow with
it. An answer gets its name when it is whole: if a worker dies, its file is done again.
The first bad board that is found ends the run. Started anew, the program keeps every
answer that was made for this variant from the file as it is now.
"""

import logging
import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dask.utils import parse_bytes
from distributed import Client, KilledWorker, LocalCluster, progress

from ttt_runtime import InvalidBoardError, Table, TTTError, load
from ttt_runtime.arrays import encode_many

ROWS = 1 << 17
"""How many rows to hold at once; a row group of the answers has as many."""

COLUMNS = {"value": pa.int8(), "move": pa.int8(), "optimal": pa.uint16()}


def look_up(source: Path, target: Path, variant: str) -> tuple[int, bool]:
    """Answer a file; return how many boards it has, and whether it was kept."""
    part = target.with_name(f".{target.name}.{uuid4().hex}.part")
    try:
        status = source.stat()
        made_from = f"{variant} {status.st_size} {status.st_mtime_ns}".encode()
        with suppress(OSError, pa.ArrowException):
            there = pq.read_metadata(target)
            if (there.metadata or {}).get(b"ttt") == made_from:
                return there.num_rows, True
        with part.open("xb") as file:
            boards = write_answers(source, file, variant, made_from)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except (OSError, pa.ArrowException) as error:
        raise TTTError(f"{source}: {one_line(error)}") from None
    finally:
        part.unlink(missing_ok=True)
    return boards, False


def write_answers(source: Path, file: BinaryIO, variant: str, made_from: bytes) -> int:
    """Write what a file holds, and the answers; return how many boards it has."""
    # So it reads pages as they are needed, and not a whole row group at once.
    reader = pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)
    schema = reader.schema_arrow
    names = schema.names
    if names.count("board") != 1 or names.count("turn") > 1 or COLUMNS.keys() & names:
        raise TTTError(
            f"{source}: the columns are {', '.join(names)}; expected one board, "
            f"one turn at most, and not yet any {', '.join(COLUMNS)}"
        )
    schema = schema.with_metadata({**(schema.metadata or {}), b"ttt": made_from})
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
    rows = zip(*(batch[name].to_pylist() for name in names), strict=True)
    for row, (board, *turn) in enumerate(rows):
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


def connect(options: Namespace) -> Client:
    """Return a client of the scheduler that was named, or of new processes here."""
    if options.scheduler:
        try:
            return Client(options.scheduler)
        except ValueError as error:
            raise TTTError(f"--scheduler is {options.scheduler}: {error}") from None
    # By default Dask has malloc give memory back at once, for half as much time again.
    dask.config.set({"distributed.nanny.pre-spawn-environ": {}})
    cluster = LocalCluster(
        n_workers=options.workers,
        threads_per_worker=1,
        memory_limit=options.memory,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
    return Client(cluster)


def run(options: Namespace) -> str:
    """Look all files up; return what was done."""
    load(options.variant)
    boards, answers = options.boards, options.answers
    if options.scheduler:  # its workers may be in another directory
        boards, answers = boards.absolute(), answers.absolute()
    sources = sorted(boards.glob("*.parquet"))
    if not sources:
        raise TTTError(f"{boards}: expected a directory with .parquet files")
    answers.mkdir(parents=True, exist_ok=True)
    if answers.samefile(boards):
        raise TTTError(f"{answers}: expected another directory for the answers")
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
        done = client.gather(futures)
    except KilledWorker as error:
        raise TTTError(
            f"{origins[error.task]}: {error.allowed_failures + 1} workers died of it; "
            "their memory may be too little"
        ) from None
    finally:
        client.close()
        if client.cluster:
            client.cluster.close()
        for part in answers.glob(".*.part"):
            part.unlink(missing_ok=True)
    total = sum(count for count, _ in done)
    kept = sum(kept for _, kept in done)
    return f"boards: {total:,}; files: {len(done)}, kept from before: {kept}"


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
        "--memory", type=parse_bytes, default="1 GiB", help="a worker's; default: 1 GiB"
    )
    parser.add_argument(
        "--scheduler", help="the address of a cluster, which sees the same directories"
    )
    options = parser.parse_args()
    if options.workers < 1:
        parser.error(f"--workers is {options.workers}, expected 1 or more")
    try:
        print(run(options))
    except (TTTError, OSError, ImportError, RuntimeError) as error:
        print(f"look_up_parquet: {one_line(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nlook_up_parquet: interrupted; what is done remains", file=sys.stderr)
        return 130
    return 0


if __name__ == "__mp_main__":  # a worker: what there is to say, the main process says
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable()

if __name__ == "__main__":
    sys.exit(main())
