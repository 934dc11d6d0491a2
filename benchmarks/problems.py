"""Time a million queries of each problem that ttt-judge answers."""

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from rounds import (
    ENVIRONMENT,
    HERE,
    asked_to_write,
    progress,
    publish,
    shown_ratio,
    shown_time,
    time_processes,
)

from ttt_runtime import decode, load
from ttt_runtime.boards import BOARDS, UNDEFINED

SIZE = 1_000_000
ROUNDS = 11
SITUATION = "`ttt-judge situation`"
COUNTING = "`ttt-judge counting`"
PEERS = {"`counting.cpp`": [], "`counting.cpp -DNUMERAL`": ["-DNUMERAL"]}
"""C++ programs for `counting`, and the options that they are compiled with."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows = tuple[str, str, str]


def digits(row: str) -> str:
    """Write a row as three integers."""
    return " ".join(str(".XO".index(mark)) for mark in row)


LAYOUTS: dict[str, tuple[str, Callable[[Rows], str], str]] = {
    "situation": (f"{SIZE}\n", lambda rows: "1\n" + "\n".join(rows) + "\n", ""),
    "counting": (f"{SIZE}\n", lambda rows: "".join(rows) + "\n", ""),
    "csp-201803-4": (f"{SIZE}\n", lambda rows: "\n".join(map(digits, rows)) + "\n", ""),
    "toe1": (f"{SIZE}\n", lambda rows: "\n".join(rows) + "\n\n", ""),
    "toe2": ("", lambda rows: "".join(rows) + "\n", "end\n"),
}
"""What comes first, how a query is written, what comes last."""


def write_queries(name: str, indices: "NDArray[np.intp]", path: Path) -> None:
    """Write queries, the boards of these states equally likely."""
    first, query, last = LAYOUTS[name]
    chance = random.Random(SIZE)
    boards = [decode(index)[0] for index in indices.tolist()]
    texts = [query((board[:3], board[3:6], board[6:])) for board in boards]
    path.write_text("".join([first, *chance.choices(texts, k=SIZE), last]))


def answers_to(command: Sequence[str]) -> bytes:
    """Return what a program prints."""
    return subprocess.run(
        command, check=True, env=ENVIRONMENT, stdout=subprocess.PIPE
    ).stdout


def main() -> None:
    """Measure, and publish the tables."""
    write = asked_to_write(__doc__)
    judge = str(Path(sys.executable).with_name("ttt-judge"))
    if shutil.which("g++") is None:
        sys.exit("no g++, which the peers in C++ need: install it first")
    sound = np.flatnonzero(load().values[:BOARDS] != UNDEFINED)
    sources = {"drawn evenly": sound, "of games": np.flatnonzero(load().reachable)}
    with TemporaryDirectory() as name:
        scratch = Path(name)
        problems = {}
        for problem in LAYOUTS:
            write_queries(problem, sound, scratch / problem)
            problems[f"`ttt-judge {problem}`"] = [
                judge,
                problem,
                f"{scratch}/{problem}",
            ]
        progress(f"{SIZE:,} queries of each problem, {ROUNDS} rounds")
        times = time_processes(problems, ROUNDS)

        programs = {COUNTING: [judge, "counting"]}
        for peer, options in PEERS.items():
            binary = f"{scratch}/peer{len(programs)}"
            source = str(HERE / "peers" / "counting.cpp")
            subprocess.run(["g++", "-O2", *options, "-o", binary, source], check=True)
            programs[peer] = [binary]
        counting = {}
        for boards, indices in sources.items():
            path = scratch / boards
            write_queries("counting", indices, path)
            commands = {
                peer: [*program, str(path)] for peer, program in programs.items()
            }
            if len({answers_to(command) for command in commands.values()}) > 1:
                sys.exit(f"the programs answer {path.name} differently")
            progress(f"{SIZE:,} queries of counting, boards {boards}, {ROUNDS} rounds")
            counting[boards] = time_processes(commands, ROUNDS)
    lines = [f"| {SIZE:,} queries | time | ÷ {SITUATION} |", "|---|--:|--:|"]
    for program, taken in times.items():
        ratio = shown_ratio(taken, times[SITUATION])
        lines.append(f"| {program} | {shown_time(taken)} | {ratio} |")
    bases = " | ".join([f"÷ {peer}" for peer in PEERS])
    lines += [
        "",
        f"| {SIZE:,} boards | `counting` | time | {bases} |",
        "|---|---|--:|--:|--:|",
    ]
    for boards, by_program in counting.items():
        for program, taken in by_program.items():
            ratios = [shown_ratio(taken, by_program[peer]) for peer in PEERS]
            cells = [boards, program, shown_time(taken), *ratios]
            lines.append(f"| {' | '.join(cells)} |")
    publish("problems.py", lines, write)


if __name__ == "__main__":
    main()
