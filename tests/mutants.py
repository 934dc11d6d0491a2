"""Change the product in small ways, one at a time, and see the tests notice.

``make mutants`` runs this. ``[tool.mutmut]`` in ``pyproject.toml`` lists the files that
are changed and the tests that must notice. mutmut changes what stands in functions;
what stands outside of them runs once, at import, so this script applies mutmut's
changes to it, each in a run of the tests of its own.

A mutant that no test kills must be in ``equivalent_mutants.toml``, with the reason why
nobody could tell it from the product. Exits with 1 if one is not, or if that file has
one that is killed or gone.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import ndiff
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import create_mutations, deep_replace
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

HERE = Path(__file__).resolve().parent.parent
EQUIVALENT = HERE / "tests" / "equivalent_mutants.toml"
TESTS = config().pytest_add_cli_args_test_selection
MEMORY = 3 << 30
"""How many bytes a process may have: some mutants would take all there are."""

NOTICED = "killed", "timeout", "segfault"
NOT_COPIED = shutil.ignore_patterns(
    ".*", "__pycache__", "benchmarks", "clients", "dist"
)


class Mutant(NamedTuple):
    """A change: the lines that it takes out, and those it puts there."""

    module: str
    function: str
    before: str
    after: str


def mutant_of(module: str, function: str, diff: list[str]) -> Mutant:
    """Read a mutant off the lines of a diff."""
    lines = [
        "\n".join(line[1:].strip() for line in diff if line.startswith(sign))
        for sign in ("-", "+")
    ]
    return Mutant(module, function, *lines)


def inside_functions() -> Iterator[tuple[Mutant, bool]]:
    """Yield every mutant of a function, and whether a test killed it."""
    subprocess.run([sys.executable, "-m", "mutmut", "run"], check=True)
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            names = reversed(orig_function_and_class_names_from_key(name))
            diff = get_diff_for_mutant(name, path=path).splitlines()[2:]
            mutant = mutant_of(str(path), ".".join(filter(None, names)), diff)
            yield mutant, status_by_exit_code[code] in NOTICED


def outside_functions(scratch: Path) -> Iterator[tuple[Mutant, bool]]:
    """Yield every mutant of what runs at import, and whether a test killed it."""
    copies: SimpleQueue[Path] = SimpleQueue()
    workers = os.cpu_count() or 1
    first = shutil.copytree(HERE, scratch / "first", ignore=NOT_COPIED)
    if not tests_pass(first, TESTS, {"PYTHONDONTWRITEBYTECODE": ""}):
        sys.exit("the tests fail without any change")
    for number in range(workers):  # what was compiled is copied as well
        copies.put(shutil.copytree(first, scratch / str(number)))

    def killed(path: Path, code: str) -> bool:
        copy = copies.get()
        (copy / path).write_text(code, encoding="utf-8")
        try:
            own, others = tests_of(path)
            unwritten = {"PYTHONDONTWRITEBYTECODE": "1"}
            return not all(tests_pass(copy, part, unwritten) for part in (own, others))
        finally:
            shutil.copy2(first / path, copy / path)
            copies.put(copy)

    with ThreadPoolExecutor(workers) as pool:
        results = []
        for path in walk_mutatable_files():
            source = path.read_text(encoding="utf-8")
            module, mutations, *_ = create_mutations(str(path), source)
            for mutation in mutations:
                if mutation.contained_by_top_level_function:
                    continue
                code = deep_replace(
                    module, mutation.original_node, mutation.mutated_node
                ).code
                diff = list(ndiff(source.splitlines(), code.splitlines()))
                mutant = mutant_of(str(path), "", diff)
                results.append((mutant, pool.submit(killed, path, code)))
        for mutant, result in results:
            yield mutant, result.result()


def tests_of(path: Path) -> tuple[list[str], list[str]]:
    """Return the tests that name a module, or its package, and all others.

    Of the first, those that are named after the module come first, then those that
    speak of it most.
    """
    text = {
        test: (HERE / test.partition("::")[0]).read_text(encoding="utf-8")
        for test in TESTS
    }
    name = ".".join(path.with_suffix("").parts[:2])
    own = [test for test in TESTS if name in text[test]]
    own.sort(key=lambda test: (path.stem not in test, -text[test].count(path.stem)))
    return own, [test for test in TESTS if test not in own]


def tests_pass(directory: Path, tests: list[str], environment: dict[str, str]) -> bool:
    """Run these tests in a copy of the repository."""
    if not tests:
        return True
    options = ["-qx", "-p", "no:cacheprovider", *config().pytest_add_cli_args]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=directory,
            env=os.environ | environment,
            capture_output=True,
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def equivalent() -> set[Mutant]:
    """Return the mutants that nobody could tell from the product."""
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {
        Mutant(entry["module"], entry["function"], entry["before"], after)
        for entry in entries
        for after in entry["after"]
    }


def main() -> int:
    """Print the score and each mutant that is not as listed; return the exit status."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        os.chdir(shutil.copytree(HERE, scratch / "inside", ignore=NOT_COPIED))
        results = [*inside_functions(), *outside_functions(scratch)]
        os.chdir(HERE)

    survivors = {mutant for mutant, killed in results if not killed}
    total = Counter(mutant.module for mutant, _ in results)
    score = Counter(mutant.module for mutant, killed in results if killed)
    print()
    for module, count in total.items():
        print(f"{module}: {score[module]} of {count} killed")
    print(f"all: {score.total()} of {total.total()} killed")

    listed = equivalent()
    for title, mutants in (
        ("survived, and is not listed as equivalent", survivors - listed),
        ("is listed as equivalent, but killed or gone", listed - survivors),
    ):
        for module, function, before, after in sorted(mutants):
            print(f"\n{module}: {function or 'at import'}: {title}")
            print(*(f"- {line}" for line in before.split("\n")), sep="\n")
            print(*(f"+ {line}" for line in after.split("\n")), sep="\n")
    return int(survivors != listed)


if __name__ == "__main__":
    sys.exit(main())
