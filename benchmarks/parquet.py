"""Time 50 million boards in Parquet files, on Dask and without; watch the memory."""

import subprocess
import sys
import time
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import rmtree
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from rounds import (
    ENVIRONMENT,
    HERE,
    asked_to_write,
    progress,
    publish,
    shown_ratio,
    shown_time,
)

from ttt_runtime import load
from ttt_runtime.arrays import decode_many, encode_many, to_text

ROUNDS = 3
FILES = 50
BOARDS = 1_000_000
DOCS = HERE.parent / "docs"
PROGRAM = str(DOCS / "look_up_parquet.py")
MEMORY = "512 MiB"
ONE_PROCESS = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(DOCS)!r})
from look_up_parquet import look_up
Path("answers").mkdir()
for source in Path("boards").iterdir():
    look_up(source, Path("answers") / source.name, "standard")
"""
PROGRAMS = {
    f"{workers} worker{'s' * (workers > 1)}": [
        PROGRAM,
        "boards",
        "answers",
        f"--workers={workers}",
        f"--memory={MEMORY}",
    ]
    for workers in (2, 1)
}
PROGRAMS["no Dask, one process"] = ["-c", ONE_PROCESS]

sys.path.insert(0, str(DOCS))
import look_up_parquet  # noqa: E402  (not a package: found by the line above)


def generate(directory: Path) -> None:
    """Write the boards: reachable ones, drawn evenly by a seeded generator."""
    directory.mkdir()
    reachable = np.flatnonzero(load().reachable)
    texts = pa.array(to_text(decode_many(reachable)[0]).tolist())
    for part in range(FILES):
        drawn = np.random.default_rng(part).integers(len(reachable), size=BOARDS)
        columns = {"board": texts.take(pa.array(drawn))}
        pq.write_table(pa.table(columns), directory / f"part-{part:02d}.parquet")


def cpu_time() -> float:
    """Return the seconds on a core of all processes that have ended."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(arguments: list[str], directory: Path) -> tuple[float, float, int, int]:
    """Run a program; return its seconds, those on a core, and its peak memory.

    Memory in bytes: the largest of its processes, and all of them together, as seen 20
    times a second. What processes share is counted for each of them.
    """
    rmtree(directory / "answers", ignore_errors=True)
    largest = together = 0
    start, before = time.perf_counter(), cpu_time()
    process = psutil.Popen(
        [sys.executable, *arguments],
        cwd=directory,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None:
        sizes = []
        for one in [process, *process.children(recursive=True)]:
            try:
                sizes.append(one.memory_info().rss)
            except psutil.Error:  # it has ended
                continue
        largest = max(largest, *sizes, 0)
        together = max(together, sum(sizes))
        time.sleep(0.05)
    if process.returncode:
        sys.exit(f"{arguments} ended with status {process.returncode}")
    return time.perf_counter() - start, cpu_time() - before, largest, together


def check(directory: Path) -> None:
    """Compare every answer with the table's."""
    table = load()
    for path in sorted((directory / "boards").iterdir()):
        drawn = np.random.default_rng(int(path.stem[-2:])).integers(
            np.count_nonzero(table.reachable), size=BOARDS
        )
        indices = np.flatnonzero(table.reachable)[drawn]
        found = pq.read_table(directory / "answers" / path.name)
        for name, answers in (
            ("value", table.values),
            ("move", table.moves),
            ("optimal", table.optimal),
        ):
            if not np.array_equal(found[name].to_numpy(), answers[indices]):
                sys.exit(f"{path.name}: {name} differs from the table")


def stages(source: Path, scratch: Path) -> dict[str, list[float]]:
    """Return the seconds on a core of each stage of a file, for a board, by round."""
    times = defaultdict(list)
    table = load()
    for _ in range(7 * ROUNDS):
        start = time.process_time()
        reader = pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)
        batches = [*reader.iter_batches(look_up_parquet.ROWS, use_threads=False)]
        read = time.process_time()
        answers = [look_up_parquet.look_up_batch(batch, table) for batch in batches]
        looked_up = time.process_time()
        fields = [("board", pa.string()), *look_up_parquet.COLUMNS.items()]
        schema = pa.schema(fields)
        with pq.ParquetWriter(scratch, schema) as writer:
            for batch, columns in zip(batches, answers, strict=True):
                columns = [*batch.columns, *columns]
                writer.write_batch(pa.record_batch(columns, schema=schema))
        written = time.process_time()
        if count(source).sum() != BOARDS:
            sys.exit("the counts are not those of the boards")
        counted = time.process_time()
        times["reading"].append((read - start) / BOARDS)
        times["looking up"].append((looked_up - read) / BOARDS)
        times["writing"].append((written - looked_up) / BOARDS)
        times["only counting"].append((counted - written) / BOARDS)
    return times


def count(source: Path) -> NDArray[np.intp]:
    """Return how often each state occurs in a file, by index."""
    counts = np.zeros(39366, np.intp)
    reader = pq.ParquetFile(source, read_dictionary=["board"])
    for batch in reader.iter_batches(look_up_parquet.ROWS, use_threads=False):
        boards = batch["board"]
        some = np.bincount(boards.indices, minlength=len(boards.dictionary))
        counts[encode_many(boards.dictionary.to_pylist())] += some
    return counts


def size(directory: Path) -> float:
    """Return the bytes a board of all files of a directory."""
    return sum(path.stat().st_size for path in directory.iterdir()) / FILES / BOARDS


def main() -> None:
    """Measure, and publish the tables."""
    write = asked_to_write(__doc__)
    total = FILES * BOARDS
    times = defaultdict(list)
    cores = defaultdict(list)
    peaks: dict[str, list[int]] = {}
    with TemporaryDirectory() as scratch:
        directory = Path(scratch)
        progress(f"{total:,} boards")
        generate(directory / "boards")
        for number in range(ROUNDS):
            progress(f"round {number + 1} of {ROUNDS}")
            for name, arguments in PROGRAMS.items():
                seconds, core, *memory = run(arguments, directory)
                times[name].append(seconds)
                cores[name].append(core)
                peaks[name] = [*map(max, memory, peaks.get(name, memory))]
                if not number:
                    check(directory)
        sizes = size(directory / "boards"), size(directory / "answers")
        parts = stages(directory / "boards" / "part-00.parquet", directory / "scratch")
    base = "no Dask, one process"
    lines = [
        f"pyarrow {version('pyarrow')}, distributed {version('distributed')}; "
        f"{total:,} boards in {FILES} files, {sizes[0]:.2f} bytes a board, "
        f"{sizes[1]:.2f} with the answers; a limit of {MEMORY} a worker.",
        "",
        f"| | time | boards a second | ÷ {base} | time on a core | largest process "
        "| all processes |",
        f"|---|{'--:|' * 6}",
    ]
    for name in PROGRAMS:
        cells = [
            name,
            shown_time(times[name]),
            f"{total / median(times[name]) / 1e6:.2f} million",
            shown_ratio(times[name], times[base]),
            shown_time(cores[name]),
            *(f"{peak / 2**20:.0f} MiB" for peak in peaks[name]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| one file, without Dask | time on a core, a board |", "|---|--:|"]
    lines += [f"| {stage} | {shown_time(parts[stage])} |" for stage in parts]
    publish("parquet.py", lines, write, DOCS / "recipes.md")


if __name__ == "__main__":
    main()
