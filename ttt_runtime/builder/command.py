"""The command line of a script that builds: write, or check what is there."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import TableError, TTTError
from ..files import absolute, built_tables, comes_with_the_package
from .directory import Files, check, write

Job = Callable[[], list[str]]
"""Writes or checks, says so, and returns the faults it found."""


def main(
    directory: Path,
    serialise: Callable[[], Files],
    description: str,
    arguments: Sequence[str] | None = None,
    with_variants: bool = False,
) -> int:
    """Write files below a directory, or check them; return the exit status.

    A script `with_variants` also builds those that are named, elsewhere.
    """
    elsewhere = "; for named variants the one in TTT_TABLES, or else the user's cache"
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing: exit with 1 and name each file that differs from what "
        "a build would write, is missing, or should not be there",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="the directory to write or check "
        f"(default: {directory}{elsewhere if with_variants else ''})",
    )
    if with_variants:
        parser.add_argument(
            "names",
            metavar="VARIANT",
            nargs="*",
            help="RULE-ROWSxCOLUMNSxLINE, such as standard-4x4x4 or misere-3x4x3",
        )
        parser.add_argument(
            "--variants",
            metavar="FILE.py",
            help="a Python file that defines VARIANTS, of your own making",
        )
    options = parser.parse_args(arguments)
    if options.out == "":
        parser.error("--out is empty, expected a directory")
    if with_variants and (options.names or options.variants):
        return build_named(options.names, options.variants, options.out, options.check)
    out = Path(options.out or directory)
    return finished(lambda: write_or_check(serialise, out, options.check))


def build_named(
    names: list[str], source: str | None, out: str | None, check_only: bool
) -> int:
    """Build variants, or check them; return the exit status."""
    directory = Path(absolute(out) if out else built_tables())

    def job() -> list[str]:
        from .variants import build, chosen, faults

        variants = chosen(names, source)
        for variant in variants:
            if not out and comes_with_the_package(variant.name):
                raise TableError(
                    f"{variant.name} comes with the package; --out DIR builds it anew"
                )
        if not check_only:
            build(variants, directory)
            return []
        found = faults(variants, directory)
        if not found:
            print(f"{directory}: {', '.join(v.name for v in variants)}: as built")
        return found

    return finished(job)


def write_or_check(
    serialise: Callable[[], Files], directory: Path, check_only: bool
) -> list[str]:
    """Write every file, or return what differs."""
    files = serialise()
    if not check_only:
        write(files, directory)
        print(f"{directory}: {len(files)} files written")
        return []
    faults = check(files, directory)
    if not faults:
        print(f"{directory}: all {len(files)} files are as built")
    return faults


def finished(job: Job) -> int:
    """Do a job, report its faults, and return the exit status."""
    try:
        faults = job()
        for fault in faults:
            print(fault, file=sys.stderr)
        if faults:
            print("a build mends what differs or is missing", file=sys.stderr)
        sys.stdout.flush()
    except TTTError as error:
        return _complain(str(error), 1)
    except (MemoryError, RuntimeError) as error:  # or a thread cannot be started
        return _complain(f"out of memory, this variant is not written: {error}", 1)
    except KeyboardInterrupt:
        return _complain("interrupted; what is half-built will not be loaded", 130)
    except OSError as error:
        place = error.filename or "standard output"
        reason = error.strerror and f"{place}: {error.strerror}"
        return _complain(reason or str(error), 1)
    return int(bool(faults))


def _complain(message: str, status: int) -> int:
    try:
        sys.stdout.flush()
    except OSError:  # that is what failed, and would be flushed once more at exit
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    print(message, file=sys.stderr)
    return status
