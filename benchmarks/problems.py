"""Time a million queries of each problem that ttt-judge answers."""

import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

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
COUNTING_PEER = "`counting.cpp`"

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


def write_queries(name: str, path: Path) -> None:
    """Write queries, all boards equally likely on which one side at most has a line."""
    first, query, last = LAYOUTS[name]
    chance = random.Random(SIZE)
    sound = np.flatnonzero(load().values[:BOARDS] != UNDEFINED).tolist()
    boards = [decode(number)[0] for number in sound]
    texts = [query((board[:3], board[3:6], board[6:])) for board in boards]
    path.write_text("".join([first, *chance.choices(texts, k=SIZE), last]))


def main() -> None:
    """Measure, and publish the table."""
    write = asked_to_write(__doc__)
    judge = str(Path(sys.executable).with_name("ttt-judge"))
    if shutil.which("g++") is None:
        sys.exit("no g++, which the peer in C++ needs: install it first")
    with TemporaryDirectory() as scratch:
        commands = {}
        for name in LAYOUTS:
            path = Path(scratch, name)
            write_queries(name, path)
            commands[f"`ttt-judge {name}`"] = [judge, name, str(path)]
        peer = str(Path(scratch, "peer"))
        source = str(HERE / "peers" / "counting.cpp")
        subprocess.run(["g++", "-O2", "-o", peer, source], check=True)
        commands[COUNTING_PEER] = [peer, str(Path(scratch, "counting"))]

        answers = [
            subprocess.run(
                commands[name], check=True, env=ENVIRONMENT, stdout=subprocess.PIPE
            ).stdout
            for name in (COUNTING, COUNTING_PEER)
        ]
        if answers[0] != answers[1]:
            sys.exit(f"{COUNTING} and {COUNTING_PEER} answer differently")
        progress(f"{SIZE:,} queries of each problem, {ROUNDS} rounds")
        times = time_processes(commands, ROUNDS)
    lines = [
        f"| {SIZE:,} queries | time | ÷ {SITUATION} | ÷ {COUNTING_PEER} |",
        "|---|--:|--:|--:|",
    ]
    for name in commands:
        against_peer = ""
        if name == COUNTING:
            against_peer = shown_ratio(times[name], times[COUNTING_PEER])
        ratio = shown_ratio(times[name], times[SITUATION])
        lines.append(
            f"| {name} | {shown_time(times[name])} | {ratio} | {against_peer} |"
        )
    publish("problems.py", lines, write)


if __name__ == "__main__":
    main()
