"""Change the core in small ways, one at a time, and see the tests notice.

``make mutants`` runs this. ``[tool.mutmut]`` in ``pyproject.toml`` lists the files that
are changed and the tests that must notice; files named on the command line are changed
alone. mutmut changes what stands in functions. Outside of them are constants, which the
tests of answers and of messages hold.

A mutant that no test kills must be in ``equivalent_mutants.toml``, with the reason why
nobody could tell it from the product. Exits with 1 if one is not, or if that file has
one that is killed or gone. `worthwhile` says which mutants are not even made.
"""

import os
import re
import resource
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from mutmut.__main__ import cli
from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.mutators import mutation_operators
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

HERE = Path(__file__).resolve().parent.parent
EQUIVALENT = HERE / "tests" / "equivalent_mutants.toml"
MEMORY = 3 << 30
"""How many bytes a process may have: some mutants would take all there are."""

NOTICED = "killed", "timeout", "segfault"
NOT_COPIED = shutil.ignore_patterns(
    ".*", "__pycache__", "benchmarks", "clients", "dist"
)

DTYPE = r"(dtype=)?(np\.u?int\d+|np\.bool_|np\.float32|'<u2'|\"<u2\")"

Operator = Callable[[cst.CSTNode], Iterable[cst.CSTNode]]


def worthwhile(before: str, after: str) -> bool:
    """Tell whether a test that kills this mutant could teach anything."""
    return not (
        # A flag is asked for its truth alone.
        before.replace("False", "None") == after
        # Another case is another name of the same encoding, or the same message; that
        # a test knows the message shows when it gets an XX before and after it.
        or (before.lower() == after.lower() and re.search(" |utf-8|latin-1", before))
        # A type is asked for where there is a short way and a long one.
        or re.sub(r"type\(\w+\)", "type(None)", before) == after
        # NumPy's own choice of a dtype takes more memory, and gives the same answers.
        or re.sub(DTYPE, "None", before) == after.replace("dtype=", "")
        or re.sub(f", {DTYPE}", ", ", before) == after
        # Names in CamelCase are for the type checker.
        or (re.match(r"[A-Z]\w*[a-z]\w* = ", before) and after.endswith(" = None"))
    )


def restrain(operator: Operator) -> Operator:
    """Return what makes mutants like the operator, but only worthwhile ones."""
    code = cst.Module([]).code_for_node
    return lambda node: [
        mutant for mutant in operator(node) if worthwhile(code(node), code(mutant))
    ]


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


def mutants() -> Iterator[tuple[Mutant, bool]]:
    """Yield every mutant of a function, and whether a test killed it."""
    cli(["run"], standalone_mode=False)
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            names = reversed(orig_function_and_class_names_from_key(name))
            diff = get_diff_for_mutant(name, path=path).splitlines()[2:]
            mutant = mutant_of(str(path), ".".join(filter(None, names)), diff)
            yield mutant, status_by_exit_code[code] in NOTICED


def equivalent() -> set[Mutant]:
    """Return the mutants that nobody could tell from the product."""
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {
        Mutant(entry["module"], entry["function"], entry["before"], after)
        for entry in entries
        if config().should_mutate(entry["module"])
        for after in entry["after"]
    }


def main(modules: list[str]) -> int:
    """Print the score and each mutant that is not as listed; return the exit status."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    mutation_operators[:] = [
        (kind, restrain(each)) for kind, each in mutation_operators
    ]
    # mutmut forks, and an error in a fork must not remove what the others work in.
    scratch = Path(tempfile.mkdtemp())
    copy = shutil.copytree(HERE, scratch / "copy", ignore=NOT_COPIED)
    os.chdir(copy)
    os.environ["PYTHONPATH"] = str(copy / "mutants")
    config().only_mutate = modules or config().only_mutate
    results = list(mutants())
    os.chdir(HERE)
    shutil.rmtree(scratch)

    # What is zipped is of one length: `strict` is there to find our own faults.
    survivors = {
        mutant
        for mutant, killed in results
        if not killed
        and ("strict=True" in mutant.after or "strict=True" not in mutant.before)
    }
    total = Counter(mutant.module for mutant, _ in results)
    score = Counter(mutant.module for mutant, killed in results if killed)
    print()
    for module, count in total.items():
        print(f"{module}: {score[module]} of {count} killed")
    print(f"all: {score.total()} of {total.total()} killed")

    listed = equivalent()
    for title, which in (
        ("survived, and is not listed as equivalent", survivors - listed),
        ("is listed as equivalent, but killed or gone", listed - survivors),
    ):
        for module, function, before, after in sorted(which):
            print(f"\n{module}: {function}: {title}")
            print(*(f"- {line}" for line in before.split("\n")), sep="\n")
            print(*(f"+ {line}" for line in after.split("\n")), sep="\n")
    return int(survivors != listed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
