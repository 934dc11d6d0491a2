"""Fuzz the judge: for SECONDS in this process, then what was found, as processes.

``python -m tests.fuzz.fuzz_judge SECONDS [CORPUS]``, in an environment that has this
package and atheris. Whatever the input, the problem and the sizes in which it is read,
answers and place of the complaint are those of `reference`, which reads the whole input
at once and goes through it token by token. As a process the judge then says the same,
exits with 0 or 1, and leaves no traceback. Exit status: 0, or not if anything failed.
"""

import importlib
import io
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from tests.queries import Verdict, contest_file, reference

SMOKE = 200
"""How many inputs of the corpus are given to the judge as a process."""


def judged(problem: Any, given: bytes, sizes: list[int]) -> Verdict:
    """Answer as the judge does, reading so many bytes at a time, over and over."""
    from ttt_runtime import JudgeInputError
    from ttt_runtime.judge.stream import answer

    source, turns = io.BytesIO(given), cycle(sizes)
    answers: list[bytes] = []
    complaint = ""
    try:
        answer(
            problem, lambda most: source.read(min(most, next(turns))), answers.append
        )
    except JudgeInputError as error:
        complaint = str(error)
    return b"".join(answers).decode(), complaint.split(":")[0]


@cache
def problems() -> list[tuple[str, Any]]:
    """Return the judge's problems by name, each with its answers made only once."""
    from ttt_runtime.judge.command import PROBLEMS

    found = []
    for name, module in PROBLEMS.items():
        problem = importlib.import_module(f"ttt_runtime.judge.{module}")
        parts = {
            part: getattr(problem, part) for part in dir(problem) if part.isupper()
        }
        answers = problem.answers()
        parts["answers"] = lambda answers=answers: answers
        found.append((name, SimpleNamespace(**parts)))
    return found


def split(data: bytes) -> tuple[str, Any, list[int], bytes]:
    """Take problem and sizes from the end of the data; the rest is the input."""
    given, tail = (data[:-4], data[-4:]) if len(data) >= 4 else (b"", data.ljust(4))
    name, problem = problems()[tail[0] % len(problems())]
    return name, problem, [1 + size for size in tail[1:]], given


def seeds() -> list[bytes]:
    """Return small inputs of each problem, sound and not, read in several ways."""
    given = [contest_file(3, 1), "1\n1 OOO ... ...\n", "\n2\n0\n...\n...\n..x\n"]
    given += [problem.EXAMPLE[0] for _, problem in problems()]
    given += [text.replace("\n", "\r\n") for text in given]
    return [
        text.encode() + bytes([number, *sizes])
        for text in given
        for number in range(len(problems()))
        for sizes in ((0, 0, 0), (6, 2, 13), (255, 255, 255))
    ]


def fuzz(seconds: int, corpus: Path) -> None:
    """Try what the fuzzer makes of the corpus, and add to it; does not return."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["ttt_runtime.judge"]):
        importlib.import_module("ttt_runtime.judge.command")

    def compare(data: bytes) -> None:
        name, problem, sizes, given = split(data)
        found, right = judged(problem, given, sizes), reference(problem, given)
        if found != right:
            raise AssertionError(f"{name}, {sizes}: {given!r}: {found} is not {right}")

    options = [f"-max_total_time={seconds}", f"-artifact_prefix={corpus}/"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], compare)
    atheris.Fuzz()


def smoke(corpus: Path) -> int:
    """Give inputs of the corpus to the judge as a process; count those it fails on."""
    failed = 0
    inputs = sorted(corpus.iterdir())
    for path in inputs[:: len(inputs) // SMOKE + 1]:
        name, problem, _, given = split(path.read_bytes())
        command = [sys.executable, "-m", "ttt_runtime.judge", name]
        done = subprocess.run(command, input=given, capture_output=True)
        answers, place = reference(problem, given)
        complaint = done.stderr.decode()
        if (
            done.returncode != bool(place)
            or done.stdout.decode() != answers
            or complaint.count("\n") != bool(place)
            or not complaint.startswith(f"ttt-judge: {place}:"[: 1000 * bool(place)])
        ):
            print(f"{name}: {given!r}: {done}", file=sys.stderr)
            failed += 1
    print(f"{min(len(inputs), SMOKE)} inputs as processes: {failed} failed")
    return failed


def main(arguments: list[str]) -> int:
    """Fuzz in a child, which the fuzzer ends, then smoke; return the exit status."""
    if len(arguments) not in (1, 2) or not arguments[0].isdecimal():
        print(
            "usage: python -m tests.fuzz.fuzz_judge SECONDS [CORPUS]", file=sys.stderr
        )
        return 2
    if find_spec("atheris") is None:
        print("atheris is not installed; pip install atheris", file=sys.stderr)
        return 2
    with TemporaryDirectory() as scratch:
        corpus = Path(*arguments[1:] or [scratch])
        corpus.mkdir(exist_ok=True)
        for number, seed in enumerate(seeds()):
            (corpus / f"seed-{number}").write_bytes(seed)
        command = [sys.executable, "-m", "tests.fuzz.fuzz_judge"]
        environment = os.environ | {"TTT_FUZZ_CORPUS": str(corpus)}
        fuzzed = subprocess.run([*command, arguments[0]], env=environment)
        return fuzzed.returncode or smoke(corpus) > 0


if __name__ == "__main__":
    if "TTT_FUZZ_CORPUS" in os.environ:
        fuzz(int(sys.argv[1]), Path(os.environ["TTT_FUZZ_CORPUS"]))
    else:
        sys.exit(main(sys.argv[1:]))
