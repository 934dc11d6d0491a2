"""Build single variants, by name or from a file that defines some."""

import errno
import json
import os
import runpy
import shutil
import time
from functools import partial
from pathlib import Path

import numpy as np

from ..errors import InvalidVariantError, TTTError
from ..files import (
    ABOUT,
    ARRAYS,
    VERSION_LINE,
    npy_header,
    npy_size,
    read_checksums,
)
from ..variants import RULES, Variant, describe, named
from .directory import Files, Reserve, add, check, checksums
from .solver import array_names, count_states, solve

BAR = {
    "total": 1,
    "delay": 2,
    "leave": False,
    "bar_format": "{desc}: {percentage:.0f}% |{bar}| {elapsed}<{remaining}",
    "disable": None,
}
"""How progress is shown: after two seconds, and only on a terminal."""


def chosen(names: list[str], source: str | None) -> list[Variant]:
    """Return the variants of these names, or all that a user's file defines.

    Raises
    ------
    InvalidVariantError
        If the file cannot be run, or does not define variants.
    UnknownVariantError
        If a name is neither in the file nor that of rules on a board.
    """
    own = {variant.name: variant for variant in defined(source)} if source else {}
    if not names:
        return list(own.values())
    return [own[name] if name in own else named(name) for name in names]


def defined(source: str) -> list[Variant]:
    """Return the `VARIANTS` of a Python file."""
    try:
        found = runpy.run_path(source).get("VARIANTS")
    except OSError as error:
        raise InvalidVariantError(f"{source}: {error.strerror}") from None
    except TTTError as error:
        raise InvalidVariantError(f"{source}: {error}") from None
    except (Exception, SystemExit) as error:  # whatever somebody else's code raises
        raise InvalidVariantError(
            f"{source}: {type(error).__name__}: {error}"
        ) from error
    if not (
        isinstance(found, (tuple, list))
        and found
        and all(isinstance(variant, Variant) for variant in found)
    ):
        raise InvalidVariantError(
            f"{source}: defines no VARIANTS, expected a tuple of "
            "ttt_runtime.variants.Variant"
        )
    names = [variant.name for variant in found]
    for variant in found:
        if variant.name.partition("-")[0] in RULES:
            reason = "is named like the rules that there are"
        elif names.count(variant.name) > 1:
            reason = "is the name of two"
        else:
            try:
                json.dumps(describe(variant))
                continue
            except TypeError as error:
                reason = f"cannot be described: {error}"
        raise InvalidVariantError(f"{source}: {variant.name} {reason}")
    return list(found)


def room(variant: Variant) -> int:
    """Return how many bytes a variant's arrays take."""
    return sum([npy_size(name, variant.grid) for name in array_names(variant)])


def ensure_room(variants: list[Variant], directory: Path) -> None:
    """Refuse a build that cannot be written or does not fit, before it starts."""
    there = directory.absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK):
        reason = errno.EACCES if there.is_dir() else errno.ENOTDIR
        raise OSError(reason, os.strerror(reason), directory)
    wanted, free = sum(map(room, variants)), shutil.disk_usage(there).free
    if wanted > free:
        raise OSError(
            f"{directory}: the tables take {wanted:,} bytes, {free:,} are free there"
        )
    if hasattr(os, "sysconf"):
        wanted = 3 * max(map(room, variants)) // 2  # 4x4 took 1.2 times its tables
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if wanted > memory:
            raise OSError(
                f"solving takes {wanted:,} bytes of memory, this machine has {memory:,}"
            )


def _zeros(_: str, size: int) -> bytearray:
    return bytearray(size)


def files_of(variant: Variant, reserve: Reserve = _zeros) -> Files:
    """Solve a variant and return its files; print a line that counts its states."""
    from tqdm import tqdm

    start = time.perf_counter()
    files: Files = {"VERSION": [VERSION_LINE.encode()]}
    arrays = {}
    for name in array_names(variant):
        path, header = f"{variant.name}/{name}.npy", npy_header(name, variant.grid)
        content = reserve(path, npy_size(name, variant.grid))
        content[: len(header)] = header
        files[path] = [content]
        dtype, entry = ARRAYS[name]
        array = np.frombuffer(content, dtype, offset=len(header))
        arrays[name] = array.reshape(variant.grid.states, *entry)
    with tqdm(desc=variant.name, **BAR) as bar:
        solve(variant, bar.update, arrays)
    counts = count_states(variant, arrays)
    print(
        f"{variant.name}: {counts['states']:,} states, "
        f"{counts['reachable']:,} reachable, {counts['finished']:,} finished, "
        f"empty board {counts['empty_board']}, {time.perf_counter() - start:.1f} s"
    )
    about = json.dumps({**describe(variant), **counts}, indent=1)
    files[f"{variant.name}/{ABOUT}"] = [f"{about}\n".encode()]
    return files


def build(variants: list[Variant], directory: Path) -> None:
    """Solve variants one after the other, and write each when it is solved."""
    ensure_room(variants, directory)
    for variant in variants:
        written = add(variant.name, partial(files_of, variant), directory)
        print(f"{directory / variant.name}: {written:,} bytes written")


def faults(variants: list[Variant], directory: Path) -> list[str]:
    """Return a line for each file that differs from what a build would write."""
    found = []
    for variant in variants:
        files = files_of(variant)
        differing = check(files, directory, alone=False)
        found += differing
        if not differing:
            listed = read_checksums(str(directory))
            for line in checksums(files).decode().splitlines():
                crc, length, path = line.split()
                if listed.get(path) != (crc, int(length)):
                    found.append(f"{directory}/checksums.txt: does not list {path}")
    return found
