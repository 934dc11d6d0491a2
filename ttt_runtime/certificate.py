"""Prove the tables: the files are whole, and what they say is minimax.

No search is needed. If every finished state bears the score that the rules give it, and
every other state the best of the values after it, then all values are right, by
induction over the empty cells. Moves and masks follow from the values; reachability
is certified in the same way from the states before each state, and continuations from
the counts after it.
"""

import os
from hashlib import sha256

from .boards import BOARDS, LINES, NO_MOVE, POWERS, STATES, UNDEFINED, decode
from .errors import TableError
from .files import (
    ARRAYS,
    CONTINUATIONS,
    DTYPE_NAMES,
    REMEDY,
    VERSION,
    checked,
    checksums,
)
from .tables import Table
from .variants import VARIANTS, Variant

BUNDLE = "tables.msgpack"


def certify(directory: str) -> str:
    """Check every file and every entry; return a line for each thing proved.

    Raises
    ------
    TableError
        At the first file that is missing, damaged or should not be there, and at the
        first entry that the rules contradict.
    """
    lines = [_certify_files(directory)]
    digits = [[number // power % 3 for power in POWERS] for number in range(BOARDS)]
    tables = [Table(variant.name, directory) for variant in VARIANTS]
    for variant, table in zip(VARIANTS, tables, strict=True):
        lines.append(_certify_variant(variant, table, digits))
    lines.append(_certify_continuations(tables[0], digits))
    lines.append(_certify_bundle(directory, tables))
    return "\n".join(lines)


def _certify_files(directory: str) -> str:
    """Check that every file is as listed, and that there is no other."""
    promised = checksums(directory)
    for name in promised:
        checked(directory, name, promised)
        variant = name.partition("/")[0]
        if "/" in name and variant not in {known.name for known in VARIANTS}:
            path = os.path.join(directory, *name.split("/"))
            raise TableError(
                f"{path}: no rules of {variant!r} are known to prove it by"
            )
    listed = {"checksums.txt", *promised}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, directory).replace(os.sep, "/") not in listed:
                raise TableError(
                    f"{path}: should not be there, checksums.txt does not list it; "
                    "remove it"
                )
    return f"{len(listed)} files: size and CRC-32 are as listed, there is no other file"


def _certify_variant(variant: Variant, table: Table, digits: list[list[int]]) -> str:
    """Check every entry of a variant against the rules and the states around it."""
    values = memoryview(table.raw("values")).cast("b")
    moves = memoryview(table.raw("moves")).cast("b")
    optimal = table.raw("optimal")
    reachable = table.raw("reachable")
    score, live = _endings(variant, digits)

    for index in range(STATES):
        turn, number = divmod(index, BOARDS)
        mover, waiter = turn + 1, 2 - turn
        across = number + BOARDS * (1 - turn)

        value, move, mask = score[number], NO_MOVE, 0
        if live[number]:
            after = {
                cell: values[across + mover * power]
                for cell, power in enumerate(POWERS)
                if digits[number][cell] == 0
            }
            value = (max if turn else min)(after.values())
            best = [cell for cell in after if after[cell] == value]
            move, mask = best[0], sum([1 << cell for cell in best])
        before = [
            across - waiter * power
            for cell, power in enumerate(POWERS)
            if digits[number][cell] == waiter
        ]
        reached = index == 0 or any(
            reachable[state] and live[state % BOARDS] for state in before
        )

        for array, found, expected in (
            ("values", values[index], value),
            ("moves", moves[index], move),
            ("optimal", optimal[2 * index] | optimal[2 * index + 1] << 8, mask),
            ("reachable", reachable[index], int(reached)),
        ):
            if found != expected:
                raise _contradiction(table, array, index, found, expected)
    return f"{variant.name}: all {STATES} states follow from the rules and each other"


def _certify_continuations(table: Table, digits: list[list[int]]) -> str:
    """Check that every count is the sum of the counts after it, or one at the end."""
    score, live = _endings(VARIANTS[0], digits)
    counts = table.continuations.tolist()
    for index in range(STATES):
        turn, number = divmod(index, BOARDS)
        across = number + BOARDS * (1 - turn)
        expected = [int(score[number] == end) for end in (-1, 1, 0)]
        if live[number]:
            after = [
                counts[across + (turn + 1) * power]
                for cell, power in enumerate(POWERS)
                if digits[number][cell] == 0
            ]
            expected = [sum(column) for column in zip(*after, strict=True)]
        if counts[index] != expected:
            raise _contradiction(table, "continuations", index, counts[index], expected)
    return f"continuations: all {STATES} counts are sums of the counts after them"


def _contradiction(
    table: Table, array: str, index: int, found: object, expected: object
) -> TableError:
    board, turn = decode(index)
    path = os.path.join(table.directory, table.variant, f"{array}.npy")
    return TableError(
        f"{path}: index {index}, board {board!r} with turn {turn}: found {found}, "
        f"expected {expected} by the rules of {table.variant}; {REMEDY}"
    )


def _endings(variant: Variant, digits: list[list[int]]) -> tuple[list[int], list[bool]]:
    """Return, for every board, its score and whether play goes on there."""
    score, live = [], []
    for board in digits:
        lines = [{board[cell] for cell in line} for line in LINES]
        x_lines, o_lines = lines.count({1}), lines.count({2})
        empty = board.count(0)
        if variant.ends_at_line and x_lines and o_lines:
            score.append(UNDEFINED)
        else:
            score.append(variant.score(x_lines, o_lines, empty))
        ended_by_line = variant.ends_at_line and x_lines + o_lines > 0
        live.append(empty > 0 and not ended_by_line)
    return score, live


def _certify_bundle(directory: str, tables: list[Table]) -> str:
    """Check that the bundle says the same as the other files."""
    import msgpack

    path = os.path.join(directory, BUNDLE)
    content = checked(directory, BUNDLE, checksums(directory))
    try:
        bundle = msgpack.unpackb(content)
        kind = bundle["format"], bundle["version"].split(".")[0]
        found = {
            (variant, name): value
            for variant, entry in bundle["variants"].items()
            for name, value in {**entry["arrays"], "summary": entry["summary"]}.items()
        }
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise TableError(f"{path}: is no bundle of tables; {REMEDY}") from error
    if kind != ("ttt-tables", VERSION.split(".")[0]):
        raise TableError(
            f"{path}: expected ttt-tables {VERSION}, found {kind}; {REMEDY}"
        )
    for variant, table in zip(VARIANTS, tables, strict=True):
        dtypes = {
            **ARRAYS,
            **({"continuations": CONTINUATIONS} if table is tables[0] else {}),
        }
        expected: dict[str, object] = {"summary": _summary(variant, table)}
        for name, dtype in dtypes.items():
            data = table.raw(name)
            expected[name] = {
                "dtype": DTYPE_NAMES[dtype],
                "shape": [STATES, 3] if name == "continuations" else [STATES],
                "sha256": sha256(data).hexdigest(),
                "data": data,
            }
        for name, value in expected.items():
            if found.get((variant.name, name)) != value:
                raise TableError(
                    f"{path}: {variant.name} {name} differs from the files of "
                    f"{variant.name}; {REMEDY}"
                )
    return f"{BUNDLE}: the same {len(tables)} variants, to the byte"


def _summary(variant: Variant, table: Table) -> dict[str, object]:
    """Count a variant's states; won, lost and drawn are for the side to move."""
    values = memoryview(table.raw("values")).cast("b")
    moves = memoryview(table.raw("moves")).cast("b")
    reachable = table.raw("reachable")
    states = [index for index in range(STATES) if reachable[index]]
    for_mover = [
        values[index] if index >= BOARDS else -values[index] for index in states
    ]
    return {
        "rule": variant.summary,
        "states": STATES,
        "reachable": len(states),
        "finished": sum(moves[index] == NO_MOVE for index in states),
        "won": sum(value > 0 for value in for_mover),
        "lost": sum(value < 0 for value in for_mover),
        "drawn": sum(value == 0 for value in for_mover),
        "empty_board": values[0],
    }
