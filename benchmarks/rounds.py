"""Time programs in alternating rounds, and put the results into README.md.

The machine may be busy with other things, and busier at one moment than the next. So
all programs run one after the other, round after round, and are compared within each
round: what disturbs a round disturbs both sides of its ratio.
"""

import os
import platform
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles
from tempfile import NamedTemporaryFile, TemporaryDirectory

import pyperf

HERE = Path(__file__).resolve().parent
GNU_TIME = shutil.which("time")

# Python's own settings would slow it down (PYTHONDONTWRITEBYTECODE most of all).
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
}

# pyperf's own repetitions would put all runs of a program in a row.
ONE_VALUE = ["--worker", "--loops=1", "--values=1"]

Times = Mapping[str, Sequence[float]]


def run_pyperf(arguments: Sequence[str]) -> None:
    """Run a process in which pyperf takes one value of each of its benchmarks."""
    command = [sys.executable, *arguments]
    if subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL).returncode:
        sys.exit("stopped: what went wrong is said above")


def read_times(path: str) -> Times:
    """Return the values of each benchmark in pyperf's file, in seconds, by round."""
    suite = pyperf.BenchmarkSuite.load(path)
    return {bench.get_name(): bench.get_values() for bench in suite.get_benchmarks()}


def time_processes(commands: Mapping[str, Sequence[str]], rounds: int) -> Times:
    """Return the wall times of each command, run once in each round."""
    with TemporaryDirectory() as scratch:
        path = f"{scratch}/times.json"
        for _ in range(rounds):
            for name, command in commands.items():
                once = [*ONE_VALUE, "--warmups=0", "--append", path, "--name", name]
                run_pyperf(["-m", "pyperf", "command", *once, *command])
        return read_times(path)


def run(command: Sequence[str], text: bytes = b"") -> tuple[float, str]:
    """Run once with `text` as its standard input; return its time and peak memory."""
    with NamedTemporaryFile("r") as peak:
        measure = [GNU_TIME, "-f", "%M", "-o", peak.name] if GNU_TIME else []
        start = time.perf_counter()
        subprocess.run(
            [*measure, *command],
            check=True,
            env=ENVIRONMENT,
            input=text,
            stdout=subprocess.DEVNULL,
        )
        seconds = time.perf_counter() - start
        kib = peak.read()
    return seconds, f"{int(kib) / 1024:.1f} MiB" if GNU_TIME else ""


def shown_time(times: Sequence[float]) -> str:
    """Return the median and, in brackets, the quartiles."""
    low, middle, high = quantiles(times, n=4, method="inclusive")
    factor, unit = next(
        (factor, unit)
        for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns"))
        if abs(middle) * factor >= 1 or unit == "ns"
    )
    figures = [
        f"{time * factor:{',.0f' if abs(time) * factor >= 99.95 else '#.3g'}}"
        for time in (middle, low, high)
    ]
    return f"{figures[0]} {unit} ({figures[1]} to {figures[2]})"


def shown_ratio(times: Sequence[float], base: Sequence[float]) -> str:
    """Return the median of the ratios within each round."""
    ratio = median(time / one for time, one in zip(times, base, strict=True))
    return f"{ratio:{',.0f' if ratio >= 9.95 else '#.2g'}}"


def conditions() -> str:
    """Return the machine and the versions in one line."""
    models = [
        line.split(": ")[1]
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    compiler = subprocess.run(
        ["g++", "-dumpfullversion"], capture_output=True, check=True, text=True
    )
    return (
        f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores; "
        f"{platform.freedesktop_os_release()['PRETTY_NAME']}; "
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"g++ {compiler.stdout.strip()}, NumPy {version('numpy')}, "
        f"pyperf {version('pyperf')}; ttt-runtime {version('ttt-runtime')}."
    )


def progress(text: str) -> None:
    """Say what the minutes go to."""
    print(text, file=sys.stderr, flush=True)


def asked_to_write(description: str | None) -> bool:
    """Read the command line: whether the results are to go into the page too."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--write", action="store_true", help="rewrite the page too")
    return parser.parse_args().write is True


def publish(
    script: str, lines: Sequence[str], write: bool, page: Path = HERE / "README.md"
) -> None:
    """Print the results; if they are to be written, replace the script's block too."""
    text = "\n".join([conditions(), "", *lines])
    print(text)
    if write:
        begin, end = f"<!-- begin {script} -->", f"<!-- end {script} -->"
        before, found, rest = page.read_text().partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            sys.exit(f"{page.name}: expected a block from '{begin}' to '{end}'")
        page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}")
