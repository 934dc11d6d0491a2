"""Solve 3x3 tic-tac-toe for every rules variant and write the tables.

``python build_tables.py`` regenerates ``tables/``; ``--check`` compares what is on
disk with what a build would write, byte for byte.

The solver keeps one array a variant, of shape (2, 3, 3, 3, 3, 3, 3, 3, 3, 3): the
axes are the turn and the nine cells, so that raveling it in C order numbers the
states as `ttt_runtime.boards` says, and a move in a cell is a step along its axis.
"""

import argparse
import hashlib
import io
import os
import shutil
import signal
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

from ttt_runtime.boards import BOARDS, CELLS, LINES, NO_MOVE, STATES, UNDEFINED
from ttt_runtime.files import (
    ARRAYS,
    DTYPE_NAMES,
    NPY_HEADER_SIZE,
    VERSION,
    VERSION_LINE,
)
from ttt_runtime.variants import VARIANTS, Variant

if sys.platform != "win32":
    import fcntl

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE / "docs" / "tables.md.in"

Cube = NDArray[np.int64]
"""A number a board: shape (3,) * 9, one axis a cell."""

EMPTY, X, O = range(3)  # noqa: E741 - the digit of each mark


def at(cell: int, digit: int) -> tuple[slice | int, ...]:
    """Index the boards of a cube that have this digit in this cell."""
    return (slice(None),) * cell + (digit,)


def lines_of(digit: int) -> Cube:
    """Count, for every board, the lines that a mark has."""
    marks = np.indices((3,) * CELLS) == digit
    lines: Cube = np.sum([marks[list(line)].all(axis=0) for line in LINES], 0)
    return lines


class Rules(NamedTuple):
    """What a variant says about every board."""

    over: NDArray[np.bool_]
    """Whether play has ended there."""
    final: Cube
    """The value, from O's viewpoint, where play has ended."""


def rules_of(variant: Variant) -> Rules:
    """Return where play ends, and the value there; -128 where it has no meaning."""
    x_lines, o_lines = lines_of(X), lines_of(O)
    empty: Cube = np.sum(np.indices((3,) * CELLS) == EMPTY, 0)
    over = empty == 0
    final: Cube = variant.score(x_lines, o_lines, empty)
    if variant.ends_at_line:
        over |= (x_lines > 0) | (o_lines > 0)
        final[(x_lines > 0) & (o_lines > 0)] = UNDEFINED
    return Rules(over, final)


def solve(variant: Variant) -> dict[str, NDArray[np.generic]]:
    """Return the variant's arrays by name, each of shape (39366,).

    values : int8
        Minimax values from O's viewpoint; -128 where the state has no meaning.
    moves : int8
        The smallest of the best cells; -1 where there is none.
    optimal : little-endian uint16
        All the best cells as a mask, bit c for cell c; 0 where there is none.
    reachable : bool
        Whether a game from the empty board with X to move can lead there.
    """
    over, final = rules_of(variant)

    # X minimises, O maximises. Each sweep settles the boards with one more empty
    # cell than the last, so that nine find every value.
    values = np.stack([final, final])
    for _ in range(CELLS):
        for turn, better, worst in (0, np.minimum, 127), (1, np.maximum, -127):
            best = np.full_like(final, worst)
            for cell in range(CELLS):
                here, after = at(cell, EMPTY), at(cell, turn + 1)
                best[here] = better(best[here], values[1 - turn][after])
            values[turn] = np.where(over, final, best)

    moves = np.full_like(values, NO_MOVE)
    optimal = np.zeros(values.shape, np.uint16)
    for turn in 0, 1:
        for cell in reversed(range(CELLS)):
            here, after = at(cell, EMPTY), at(cell, turn + 1)
            best = ~over[here] & (values[1 - turn][after] == values[turn][here])
            moves[turn][here][best] = cell
            optimal[turn][here][best] |= 1 << cell

    reachable = np.zeros(values.shape, np.bool_)
    reachable.flat[0] = True
    for _ in range(CELLS):
        for turn in 0, 1:
            for cell in range(CELLS):
                here, after = at(cell, EMPTY), at(cell, turn + 1)
                reachable[1 - turn][after] |= reachable[turn][here] & ~over[here]

    arrays: dict[str, NDArray[np.generic]] = {
        "values": values,
        "moves": moves,
        "optimal": optimal,
        "reachable": reachable,
    }
    return {name: as_stored(name, array) for name, array in arrays.items()}


def as_stored(name: str, array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return an array in the dtype and the shape that its file has."""
    dtype, entry = ARRAYS[name]
    return array.reshape(STATES, *entry).astype(dtype)


def continuations(variant: Variant) -> NDArray[np.generic]:
    """Count the continuations of every state that end in an X win, an O win, a draw.

    Returns
    -------
    int32 array of shape (39366, 3)
        A finished state has one continuation, a state without meaning has none.
    """
    over, final = rules_of(variant)
    scored = over & (final != UNDEFINED)
    ends = np.stack([final < 0, final > 0, final == 0], axis=-1) & scored[..., None]
    counts = np.zeros((2, *ends.shape), np.int32)
    for _ in range(CELLS):
        for turn in 0, 1:
            counts[turn] = ends
            for cell in range(CELLS):
                here, after = at(cell, EMPTY), at(cell, turn + 1)
                counts[turn][here] += counts[1 - turn][after] * ~over[here][..., None]
    return as_stored("continuations", counts)


def summary(arrays: dict[str, NDArray[np.generic]]) -> dict[str, int]:
    """Count a variant's states; won, lost and drawn are for the side to move."""
    reachable = arrays["reachable"]
    for_mover = arrays["values"] * np.repeat([-1, 1], BOARDS)
    return {
        "states": STATES,
        "reachable": int(np.count_nonzero(reachable)),
        "finished": int(np.count_nonzero(reachable & (arrays["moves"] == NO_MOVE))),
        "won": int(np.count_nonzero(reachable & (for_mover > 0))),
        "lost": int(np.count_nonzero(reachable & (for_mover < 0))),
        "drawn": int(np.count_nonzero(reachable & (for_mover == 0))),
        "empty_board": int(arrays["values"][0]),
    }


ENCODING = (
    "index = turn * 3**9 + the nine marks read as a base-3 numeral, cell 0 first; "
    "marks . X O are the digits 0 1 2; turn 0: X moves next, 1: O moves next. "
    "Cells are numbered 0 to 8, row by row from the top left. "
    "values: minimax value from O's viewpoint, -128 where both sides have a line "
    "and the variant ends at a line. moves: the smallest of the best cells, -1 where "
    "play has ended. optimal: all the best cells, bit c for cell c. reachable: 1 if "
    "a game from the empty board with X to move can lead there. "
    "continuations: how many ways to play on end in an X win, an O win, a draw. "
    "data: the array's items in index order, little-endian."
)


def serialise() -> dict[str, bytes]:
    """Solve every variant and return every file: path below ``tables/`` -> content.

    Prints one line a variant.
    """
    files = {"VERSION": VERSION_LINE.encode()}
    variants = {}
    rows = []
    for variant in VARIANTS:
        start = time.perf_counter()
        arrays = solve(variant)
        milliseconds = (time.perf_counter() - start) * 1e3
        counts = summary(arrays)
        if variant.counted:
            arrays["continuations"] = continuations(variant)
        print(
            f"{variant.name}: {counts['states']:,} states, "
            f"{counts['reachable']:,} reachable, {counts['finished']:,} finished, "
            f"empty board {counts['empty_board']}, {milliseconds:.1f} ms"
        )
        rows.append({"name": variant.name, "summary": variant.summary, **counts})
        variants[variant.name] = {
            "summary": {"rule": variant.summary, **counts},
            "arrays": {name: bundled(array) for name, array in arrays.items()},
        }
        for name, array in arrays.items():
            files[f"{variant.name}/{name}.npy"] = npy(array)
    bundle = {
        "format": "ttt-tables",
        "version": VERSION,
        "encoding": ENCODING,
        "variants": variants,
    }
    files["tables.msgpack"] = msgpack.packb(bundle)
    files["README.md"] = readme(rows, files)
    files["checksums.txt"] = "".join(
        f"{zlib.crc32(content):08x} {len(content)} {path}\n"
        for path, content in sorted(files.items())
    ).encode()
    return files


def npy(array: NDArray[np.generic]) -> bytes:
    """Return an array as a ``.npy`` file of format 1.0."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def bundled(array: NDArray[np.generic]) -> dict[str, object]:
    """Return an array as it stands in ``tables.msgpack``."""
    data = array.tobytes()
    return {
        "dtype": DTYPE_NAMES[array.dtype.str],
        "shape": list(array.shape),
        "sha256": hashlib.sha256(data).hexdigest(),
        "data": data,
    }


def readme(rows: list[dict[str, object]], files: dict[str, bytes]) -> bytes:
    """Return ``tables/README.md``: the template with every size and count put in."""
    variants = [
        "| variant | play ends, and what the value is | reachable | finished "
        "| won | lost | drawn | empty board |",
        "|---|---|---|---|---|---|---|---|",
    ]
    variants += [
        "| `{name}` | {summary} | {reachable:,} | {finished:,} "
        "| {won:,} | {lost:,} | {drawn:,} | {empty_board} |".format(**row)
        for row in rows
    ]
    listing = ["| file | bytes |", "|---|---|"]
    listing += [f"| `{path}` | {len(files[path]):,} |" for path in sorted(files)]
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(
        version=VERSION,
        states=f"{STATES:,}",
        header=NPY_HEADER_SIZE,
        variants="\n".join(variants),
        files="\n".join(listing),
    ).encode()


def write(files: dict[str, bytes], directory: Path) -> None:
    """Write every file, each by way of a temporary one that then takes its name.

    ``checksums.txt`` comes last: a build that is cut off leaves files that are as
    before, or that its checksums do not match and every reader refuses. The next build
    heals that. Of two builds at once, one waits for the other.
    """
    directory.mkdir(parents=True, exist_ok=True)
    with locked(directory):
        for path, content in files.items():
            target = directory / path
            target.parent.mkdir(exist_ok=True)
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            temporary = target.with_name(f".{target.name}.tmp")
            try:
                with temporary.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(target)
            except OSError as error:
                error.filename = target
                raise
            finally:
                temporary.unlink(missing_ok=True)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other builds out of a directory; the lock goes when the process does."""
    if sys.platform == "win32":  # directories cannot be opened there
        yield
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def check(files: dict[str, bytes], directory: Path) -> list[str]:
    """Return a line for each file that differs, is missing or should not be there.

    Waits for a build that is writing there.
    """
    if not directory.is_dir():
        return [f"{directory}: is not a directory"]
    targets = {directory / path: content for path, content in files.items()}
    expected = {*targets, *[target.parent for target in targets]}
    faults = []
    with locked(directory):
        for target, content in sorted(targets.items()):
            try:
                if target.read_bytes() != content:
                    faults.append(f"{target}: differs from what a build writes")
            except FileNotFoundError:
                faults.append(f"{target}: is missing")
            except OSError as error:
                faults.append(f"{target}: cannot be read ({error.strerror})")
        for path in sorted(directory.rglob("*")):
            if path not in expected:
                faults.append(f"{path}: should not be there; remove it")
    return faults


def main(
    serialise: Callable[[], dict[str, bytes]],
    directory: Path,
    description: str,
    arguments: Sequence[str] | None = None,
) -> int:
    """Write the files below a directory, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing: exit with 1 and name each file that differs from what "
        "a build would write, is missing, or should not be there",
    )
    parser.add_argument(
        "--out",
        default=str(directory),
        metavar="DIR",
        help=f"the directory to write or check (default: {directory})",
    )
    options = parser.parse_args(arguments)
    if not options.out:
        parser.error("--out is empty, expected a directory")
    out = Path(options.out)
    try:
        files = serialise()
        if options.check:
            faults = check(files, out)
            for fault in faults:
                print(fault, file=sys.stderr)
            if faults:
                print("a build mends what differs or is missing", file=sys.stderr)
                return 1
            print(f"{out}: all {len(files)} files are as built")
        else:
            write(files, out)
            print(f"{out}: {len(files)} files written")
        sys.stdout.flush()
    except OSError as error:
        place = error.filename or "standard output"
        sys.stdout = None  # it may be what failed, and would be flushed at exit
        print(f"{place}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C: the next build heals
    sys.exit(main(serialise, HERE / "tables", "Solve every variant, write the tables."))
