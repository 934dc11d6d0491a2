"""Solve variants of tic-tac-toe and write their tables.

``python build_tables.py`` regenerates ``tables/``, the four variants of 3x3.
``python build_tables.py standard-4x4x4`` builds the variants that are named, on any
board of up to 16 cells. ``--check`` compares what is on disk with what a build would
write, byte for byte. `ttt_runtime.builder` has the solver.
"""

import hashlib
import sys
import time
from pathlib import Path
from string import Template

import msgpack

from ttt_runtime.boards import STATES
from ttt_runtime.builder.command import main
from ttt_runtime.builder.directory import Files, checksums, size
from ttt_runtime.builder.solver import Array, count_states, solve
from ttt_runtime.files import (
    DTYPE_NAMES,
    NPY_HEADER_SIZE,
    VERSION,
    VERSION_LINE,
    npy_header,
)
from ttt_runtime.variants import VARIANTS

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE / "docs" / "tables.md.in"

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


def serialise() -> Files:
    """Solve the variants of 3x3 and return every file of ``tables/``.

    Prints one line a variant.
    """
    files: Files = {"VERSION": [VERSION_LINE.encode()]}
    variants = {}
    rows = []
    for variant in VARIANTS:
        start = time.perf_counter()
        arrays = solve(variant)
        milliseconds = (time.perf_counter() - start) * 1e3
        counts = count_states(variant, arrays)
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
            header = npy_header(name, variant.grid)
            files[f"{variant.name}/{name}.npy"] = [header, array.data]
    bundle = {
        "format": "ttt-tables",
        "version": VERSION,
        "encoding": ENCODING,
        "variants": variants,
    }
    files["tables.msgpack"] = [msgpack.packb(bundle)]
    files["README.md"] = [readme(rows, files)]
    files["checksums.txt"] = [checksums(files)]
    return files


def bundled(array: Array) -> dict[str, object]:
    """Return an array as it stands in ``tables.msgpack``."""
    data = array.tobytes()
    return {
        "dtype": DTYPE_NAMES[array.dtype.str],
        "shape": list(array.shape),
        "sha256": hashlib.sha256(data).hexdigest(),
        "data": data,
    }


def readme(rows: list[dict[str, object]], files: Files) -> bytes:
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
    listing += [f"| `{path}` | {size(files[path]):,} |" for path in sorted(files)]
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(
        version=VERSION,
        states=f"{STATES:,}",
        header=NPY_HEADER_SIZE,
        variants="\n".join(variants),
        files="\n".join(listing),
    ).encode()


if __name__ == "__main__":
    about = "Solve variants of tic-tac-toe, write their tables."
    sys.exit(main(HERE / "tables", serialise, about, with_variants=True))
