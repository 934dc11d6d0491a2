"""Time the values of many boards at once beside reads one by one."""

import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
import pyperf
from rounds import (
    ENVIRONMENT,
    ONE_VALUE,
    asked_to_write,
    progress,
    publish,
    read_times,
    run_pyperf,
    shown_ratio,
    shown_time,
)

from ttt_runtime import load
from ttt_runtime.arrays import decode_many, encode_many, to_text, values_of
from ttt_runtime.builder.variants import build
from ttt_runtime.variants import named

ROUNDS = 21
MANY = 1_000_000
SOME = 100_000
LARGE = "standard-4x4x4"

READY = "table.values.take(ready)"
MEMO = "[memo[board] for board in some]"
VALUE = "[table.value(board) for board in some]"
BASES = READY, MEMO, VALUE
ROWS = (
    (READY, MANY),
    ("table.values.take(indices)", MANY),
    ("values_of(int8_boards)", MANY),
    ("values_of(int8_boards, turns)", MANY),
    ("values_of(s9_boards)", MANY),
    ("values_of(u9_boards)", MANY),
    ("values_of(list_of_str)", MANY),
    (f"values_of(int8_4x4, None, {LARGE!r})", MANY),
    (f"values_of(s16_4x4, None, {LARGE!r})", MANY),
    (VALUE, SOME),
    (MEMO, SOME),
)
"""A question, and of how many boards it is asked."""


def questions() -> None:
    """Time every row once, in a process that pyperf's options describe."""
    table = load()
    chance = np.random.default_rng(MANY)
    ready = chance.choice(np.flatnonzero(table.reachable), MANY)
    int8_boards, turns = decode_many(ready)
    u9_boards = to_text(int8_boards)
    boards = u9_boards.tolist()
    large = load(LARGE)
    ready_large = chance.choice(np.flatnonzero(large.reachable), MANY)
    int8_4x4, _ = decode_many(ready_large, LARGE)
    names = {
        "indices": encode_many(int8_boards),
        "int8_4x4": int8_4x4,
        "int8_boards": int8_boards,
        "list_of_str": boards,
        "memo": {board: table.value(board) for board in boards},
        "ready": ready,
        "s16_4x4": to_text(int8_4x4, LARGE).astype("S"),
        "s9_boards": u9_boards.astype("S"),
        "some": boards[:SOME],
        "table": table,
        "turns": turns,
        "u9_boards": u9_boards,
        "values_of": values_of,
    }
    for question, count in ROWS:
        expected = (
            large.values[ready_large] if LARGE in question else table.values[ready]
        )
        if not np.array_equal(eval(question, names), expected[:count]):
            sys.exit(f"{question} has other values than the table")
    runner = pyperf.Runner()
    for question, count in ROWS:
        runner.timeit(question, question, globals=names, inner_loops=count)


def main() -> None:
    """Measure, and publish the table."""
    write = asked_to_write(__doc__)
    progress(f"{ROUNDS} rounds of every question")
    with TemporaryDirectory() as scratch:
        build([named(LARGE)], Path(scratch))
        ENVIRONMENT["TTT_TABLES"] = scratch
        path = f"{scratch}/times.json"
        for _ in range(ROUNDS):
            run_pyperf([__file__, *ONE_VALUE, "--warmups=1", "--append", path])
        times = read_times(path)
    heads = ["question", "boards a second", "time a board"]
    heads += [f"÷ `{base}`" for base in BASES]
    lines = [f"| {' | '.join(heads)} |", f"|---{'|--:' * (len(heads) - 1)}|"]
    for question, _ in ROWS:
        millions = 1e-6 / median(times[question])
        cells = [
            f"`{question}`",
            f"{millions:{',.0f' if millions >= 99.95 else '#.3g'}} million",
            shown_time(times[question]),
        ]
        cells += [shown_ratio(times[question], times[base]) for base in BASES]
        lines.append(f"| {' | '.join(cells)} |")
    publish("arrays.py", lines, write)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        questions()
    else:
        main()
