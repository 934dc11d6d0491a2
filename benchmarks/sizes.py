"""Time the build of a 4x4 game beside C++, and look-ups in it beside those on 3x3."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rounds import (
    HERE,
    ONE_VALUE,
    Times,
    asked_to_write,
    progress,
    publish,
    read_times,
    run,
    run_pyperf,
    shown_ratio,
    shown_time,
    time_processes,
)

from ttt_runtime.files import COMMON, NPY_HEADER_SIZE

NAME = "standard-4x4x4"
BUILDS = 5
ROUNDS = 21
BOARDS = 2000
PASSES = 100
"""How often each process asks for all boards: the first passes wait for memory."""

OURS, PEER = f"`build_tables.py {NAME}`", "`solve.cpp`"
BARE, FIRST = "`pass`", "the first answer"

SETUP = """
import random
from ttt_runtime import load
table = load({name!r}, {directory})
reachable = table.reachable.nonzero()[0]
indices = reachable[random.Random(0).sample(range(len(reachable)), {count})]
boards = [table.grid.decode(index)[0] for index in indices.tolist()]
value = table.value
"""


def compare(ours: Path, peers: Path) -> None:
    """Stop unless both have written the same arrays."""
    for name in COMMON:
        found = np.fromfile(ours / NAME / f"{name}.npy", np.uint8)[NPY_HEADER_SIZE:]
        if not np.array_equal(found, np.fromfile(peers / name, np.uint8)):
            sys.exit(f"{OURS} and {PEER} differ in {name}")


def look_ups(tables: Path, scratch: Path) -> Times:
    """Return the times of a look-up by board on 4x4 and on 3x3, by round."""
    path = scratch / "times.json"
    for _ in range(ROUNDS):
        for name, directory in (NAME, repr(str(tables))), ("standard", None):
            setup = SETUP.format(name=name, directory=directory, count=BOARDS)
            once = [*ONE_VALUE, f"--loops={PASSES}", "--warmups=1"]
            once += ["--append", str(path), "--name", name]
            statement = "for board in boards: value(board)"
            run_pyperf(["-m", "pyperf", "timeit", *once, "-s", setup, statement])
    return {
        name: [value / BOARDS for value in values]
        for name, values in read_times(str(path)).items()
    }


def main() -> None:
    """Measure, and publish the tables."""
    write = asked_to_write(__doc__)
    with TemporaryDirectory() as place:
        scratch = Path(place)
        ours, peers, solve = scratch / "ours", scratch / "peers", scratch / "solve"
        peers.mkdir()
        source = str(HERE / "peers" / "solve.cpp")
        subprocess.run(["g++", "-O2", "-o", str(solve), source], check=True)
        builder = str(HERE.parent / "build_tables.py")
        builds = {
            OURS: [sys.executable, builder, NAME, "--out", str(ours)],
            PEER: [str(solve), "4", "4", "4", str(peers)],
        }
        peaks = {name: run(command)[1] for name, command in builds.items()}
        compare(ours, peers)
        progress(f"{BUILDS} rounds of builds, then {ROUNDS} of look-ups")
        times = time_processes(builds, BUILDS)
        lines = [
            f"| program | time | ÷ {PEER} | peak memory |",
            "|---|--:|--:|--:|",
            *[
                f"| {name} | {shown_time(times[name])} "
                f"| {shown_ratio(times[name], times[PEER])} | {peaks[name]} |"
                for name in builds
            ],
        ]
        times = look_ups(ours, scratch)
        lines += [
            "",
            "| `table.value(board)` | time | ÷ that on 3x3 |",
            "|---|--:|--:|",
            *[
                f"| `{name}` | {shown_time(times[name])} "
                f"| {shown_ratio(times[name], times['standard'])} |"
                for name in (NAME, "standard")
            ],
        ]
        load = f"from ttt_runtime import load; load({NAME!r}, {str(ours)!r})"
        commands = {
            BARE: [sys.executable, "-c", "pass"],
            FIRST: [sys.executable, "-c", f"{load}.value('.' * 16)"],
        }
        times = time_processes(commands, ROUNDS)
        lines += ["", "| process | time |", "|---|--:|"]
        lines += [f"| {name} | {shown_time(times[name])} |" for name in commands]
    publish("sizes.py", lines, write)


if __name__ == "__main__":
    main()
