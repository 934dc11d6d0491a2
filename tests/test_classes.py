"""The command ``ttt classes``: its handout and its data are the oracle's."""

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from tests.sessions import Run
from tests.test_words import SMALL, length

WAYS = {9: ["630741852", "210543876"], 6: ["543210", "210543"]}
"""For so many cells, two transforms of which all others are made, written out."""


def alike(board: str) -> set[str]:
    """Turn and mirror a board until nothing new comes."""
    found, fresh = set(), {board}
    while fresh:
        found |= fresh
        fresh = {
            "".join(board[int(cell)] for cell in way)
            for board in fresh
            for way in WAYS[len(board)]
        } - found
    return found


def expected(variant: str, cells: int) -> list[dict[str, Any]]:
    """Sort every board of a game into its class, in the order of the handout."""
    classes = defaultdict(set)
    for board, turn in oracle.reached(variant, cells):
        smallest = min(alike(board), key=lambda each: [".XO".index(m) for m in each])
        classes[smallest, turn].add(board)
    known = [
        {
            "board": board,
            "turn": None if oracle.ended(variant, board) else turn,
            "marks": cells - board.count("."),
            "images": len(boards),
            "value": oracle.value(variant, board, turn),
            "optimal": oracle.best(variant, board, turn),
        }
        for (board, turn), boards in classes.items()
    ]
    digits = str.maketrans(".XO", "012")
    return sorted(
        known, key=lambda each: (each["marks"], each["board"].translate(digits))
    )


def outcome(variant: str, board: str, value: int, turn: int) -> str:
    """Say in a few characters who wins."""
    rule, winner = variant.partition("-")[0], "O" if value > 0 else "X"
    if value and rule == "fill":
        return f"{winner} wins by {abs(value)}"
    if value and rule == "fastest" and not oracle.ended(variant, board):
        return f"{winner} wins in {length(variant, board, turn)}"
    return f"{winner} wins" if value else "draw"


def blocks(handout: str, rows: int, width: int) -> list[list[str]]:
    """Cut the boards of 3 columns out of a handout."""
    found = []
    parts = [part.splitlines() for part in handout.split("\n\n")[1:]]
    for part in [part for part in parts if len(part) == rows + 2]:
        for start in range(0, max(map(len, part)), width):
            found.append([line[start : start + width].strip() for line in part])
    return found


@pytest.mark.parametrize("variant", [*oracle.VARIANTS, *SMALL])
def test_data_and_handout_have_every_class_that_the_oracle_finds(
    variant: str, built: Path, ttt: Run
) -> None:
    cells = 6 if variant in SMALL else 9
    classes = expected(variant, cells)
    known = {"standard": 765, "misere": 765, "fastest": 765, "fill": 850}
    assert len(classes) == known.get(variant, len(classes))
    texts = {
        form: ttt("classes", "--variant", variant, "--format", form).out
        for form in ("text", "csv", "json")
    }
    assert json.loads(texts["json"]) == classes
    assert texts["json"].count("\n") == len(classes)

    assert list(csv.DictReader(texts["csv"].splitlines())) == [
        {
            **{name: "" if item is None else str(item) for name, item in each.items()},
            "optimal": " ".join(map(str, each["optimal"])),
        }
        for each in classes
    ]

    assert max(map(len, texts["text"].splitlines())) <= 80
    width = 13 if variant.startswith(("fill", "fastest")) else 10
    assert blocks(texts["text"], cells // 3, width) == [
        [
            *[
                " ".join(
                    "*" if cell in each["optimal"] else each["board"][cell]
                    for cell in range(first, first + 3)
                )
                for first in range(0, cells, 3)
            ],
            outcome(variant, each["board"], each["value"], each["marks"] % 2),
            f"{each['images']} image{'s' * (each['images'] > 1)}",
        ]
        for each in classes
    ]
    assert texts["text"].splitlines()[-1] == f"{len(classes)} classes"
    assert ttt("classes", "--variant", variant).out == texts["text"]


def test_the_handout_says_who_moves_and_counts_the_classes(ttt: Run) -> None:
    lines = ttt("classes").out.splitlines()
    heads = [line for line in lines if " class" in line and ": " in line][1:]
    assert heads[:3] == [
        "0 marks, X to move: 1 class",
        "1 mark, O to move: 3 classes",
        "2 marks, X to move: 12 classes",
    ]
    assert heads[-1] == "9 marks: 15 classes"
    assert lines[:1] == ["standard: three in a row wins"]
    lines = ttt("classes", "--variant", "fill").out.splitlines()
    assert lines[3] == "By 2: two lines more than the other side."


def test_wide_boards_and_large_values_stand_in_columns(built: Path, ttt: Run) -> None:
    done = ttt("classes", "--variant", "hundreds")
    assert max(map(len, done.out.splitlines())) <= 80
    lines = done.out.splitlines()
    assert lines[0] == "hundreds"
    first = lines.index("2 marks, X to move: 55 classes") + 2
    assert lines[first : first + 3] == [
        "* * * * * * * * * X O  * * * * * * * * * O X  . * * * * . . * X . O",
        "draw                   draw                   X wins by 100",
        "2 images               2 images               2 images",
    ]
