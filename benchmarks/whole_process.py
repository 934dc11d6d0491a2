"""Time ttt-judge beside other programs that answer the contest problem "Situation"."""

import random
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rounds import (
    ENVIRONMENT,
    GNU_TIME,
    HERE,
    asked_to_write,
    progress,
    publish,
    run,
    shown_ratio,
    shown_time,
    time_processes,
)

from ttt_runtime import load
from ttt_runtime.export import source

SIZES = 1, 40_000, 1_000_000
PIPED = 10_000_000
ROUNDS = 21
PIPED_ROUNDS = 5

PEERS = HERE / "peers"
C_CLIENT = HERE.parent / "clients" / "c"

JUDGE = "`ttt-judge`"
SYNC_OFF = "`situation_cin.cpp -DSYNC_OFF`"
MAP = "`situation_map.cpp`"
FREAD = "`situation_fread.cpp`"
BARE = "`python -c pass`"
BASES = MAP, SYNC_OFF, FREAD, BARE

Commands = dict[str, list[str]]


def programs(scratch: Path) -> Commands:
    """Compile what needs compiling; return the programs that answer queries."""
    judge = Path(sys.executable).with_name("ttt-judge")
    if not judge.exists():
        sys.exit("no ttt-judge beside this Python: pip install --editable '.[bench]'")
    if shutil.which("g++") is None:
        sys.exit("no g++, which the peers in C++ need: install it first")

    def compiled(name: str, *flags: str, where: Path = PEERS) -> list[str]:
        target = str(scratch / "".join([name, *flags, ".program"]))
        subprocess.run(
            ["g++", "-O2", *flags, "-o", target, str(where / name)], check=True
        )
        return [target]

    def reading(*words: str) -> list[str]:
        """Return what a program that reads standard input is asked through."""
        return ["sh", "-c", f'exec {shlex.join(words)} <"$0"']

    for name, target in ("exported.py", "python"), ("exported.cpp", "cpp"):
        (scratch / name).write_text(source("situation", target))

    commands = {
        JUDGE: [str(judge)],
        "`situation_memo.py`": [sys.executable, str(PEERS / "situation_memo.py")],
        "`situation_cin.cpp`": compiled("situation_cin.cpp"),
        MAP: compiled("situation_map.cpp"),
        SYNC_OFF: compiled("situation_cin.cpp", "-DSYNC_OFF"),
        FREAD: compiled("situation_fread.cpp"),
        "`ttt export situation --to python`": reading(
            sys.executable, str(scratch / "exported.py")
        ),
        "`ttt export situation --to cpp`": reading(
            *compiled("exported.cpp", where=scratch)
        ),
    }
    if (C_CLIENT / "Makefile").exists() and shutil.which("make"):
        make = ["make", "--silent", "-C", str(C_CLIENT), "situation"]
        subprocess.run(make, check=True, stdout=sys.stderr)
        client = str(C_CLIENT / "build" / "situation")
        commands["`clients/c`"] = [client, "--tables", load().directory]
    else:
        progress("clients/c is left out: it takes its Makefile, and make")
    return commands


def random_queries(size: int) -> str:
    """Return queries whose turns and marks are all drawn evenly, a token a line."""
    chance = random.Random(size)
    rows = [f"{a}{b}{c}\n" for a in ".XO" for b in ".XO" for c in ".XO"]
    turns = chance.choices(["0\n", "1\n"], k=size)
    tokens = [chance.choices(rows, k=size) for _ in range(3)]
    return "".join(map("".join, zip(turns, *tokens, strict=True)))


def compare(commands: Commands, queries: str) -> None:
    """Stop unless all programs answer alike; this also warms them up."""
    expected = None
    for name, command in commands.items():
        found = subprocess.run(
            [*command, queries], check=True, env=ENVIRONMENT, stdout=subprocess.PIPE
        ).stdout.splitlines()
        if expected is None:
            expected = found
        if found != expected:
            pairs = zip(expected, found, strict=False)
            same = next(
                (at for at, (a, b) in enumerate(pairs) if a != b),
                min(len(expected), len(found)),
            )
            sys.exit(f"{name} and {JUDGE} answer query {same + 1} differently")


def main() -> None:
    """Measure, and publish the table."""
    write = asked_to_write(__doc__)
    lines = [
        f"| queries | program | time | {' | '.join(f'÷ {base}' for base in BASES)} "
        "| peak memory |",
        "|--:|---|--:|--:|--:|--:|--:|--:|",
    ]
    with TemporaryDirectory() as scratch:
        answering = programs(Path(scratch))
        queries = Path(scratch) / "queries.txt"
        for size in SIZES:
            text = random_queries(size)
            queries.write_text(f"{size}\n{text}")
            progress(f"T = {size:,}: comparing answers, then {ROUNDS} rounds")
            compare(answering, str(queries))
            commands = {
                name: [*command, str(queries)]
                for name, command in {
                    **answering,
                    BARE: [sys.executable, "-c", "pass"],
                }.items()
            }
            times = time_processes(commands, ROUNDS)
            for name, command in commands.items():
                cells = [f"{size:,}", name, shown_time(times[name])]
                cells += [shown_ratio(times[name], times[base]) for base in BASES]
                lines.append(f"| {' | '.join([*cells, run(command)[1]])} |")
        progress(f"T = {PIPED:,} through a pipe, {PIPED_ROUNDS} times")
        piped = f"{PIPED}\n{text * (PIPED // size)}".encode()
        runs = [run(answering[JUDGE], piped) for _ in range(PIPED_ROUNDS)]
    cells = [f"{PIPED:,} piped", JUDGE, shown_time([seconds for seconds, _ in runs])]
    lines.append(f"| {' | '.join([*cells, '', '', '', '', runs[-1][1]])} |")
    if not GNU_TIME:
        lines += [
            "",
            "Peak memory was not measured: GNU time (Debian package `time`) is absent.",
        ]
    publish("whole_process.py", lines, write)


if __name__ == "__main__":
    main()
