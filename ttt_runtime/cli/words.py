"""What a table knows of a board: in words, drawn as text, and as data for JSON."""

import os
import sys
from collections.abc import Sequence

from ..tables import Table
from ..variants import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..review import Move, Review

SIDES = "XO"
"""The mark that each turn sets."""

NOTES = {
    "plies": "In N: after N more marks, both sides together.",
    "lines": "By 2: two lines more than the other side.",
}

Styled = tuple[str, str]
"""A text and its style, one of `_COLOURS`."""

_COLOURS = {"mark": "1", "number": "2", "win": "32", "draw": "33", "loss": "31"}


def result(value: int, turn: int) -> str:
    """Return what a value means for a side: ``win``, ``draw`` or ``loss``.

    Examples
    --------
    >>> result(-5, 0), result(-5, 1)
    ('win', 'loss')
    """
    return "draw" if value == 0 else "win" if (value > 0) == (turn == 1) else "loss"


def plies(rules: Rules, board: str, value: int) -> int | None:
    """Return how many more marks the game takes, or None where the value cannot tell.

    Examples
    --------
    >>> from ttt_runtime.variants import RULES
    >>> plies(RULES["fastest"], "XX.OO....", -5)
    1
    """
    if rules.unit != "plies" or value == 0:
        return None
    return board.count(".") - (abs(value) - 1)  # the value is 1 + the cells left empty


def prospect(rules: Rules, board: str, turn: int, value: int) -> str:
    """Say what a move that leads to this value means for the side that makes it.

    Examples
    --------
    >>> from ttt_runtime.variants import RULES
    >>> [prospect(RULES["fastest"], "XX.OO....", 0, value) for value in (-5, 0, 4)]
    ['win in 1', 'draw', 'loss in 2']
    """
    words = result(value, turn)
    if count := plies(rules, board, value):
        return f"{words} in {count}"
    if value and rules.unit == "lines":
        return f"{words} by {abs(value)}"
    return words


def note(table: Table, board: str, turn: int) -> str:
    """Explain the measure that `prospect` gives to the moves of a board, if it does."""
    measured = any(table.move_values(board, turn).values())
    return NOTES.get(table.rules.unit or "", "") if measured else ""


def verdict(table: Table, board: str, turn: int) -> str:
    """Say how a game ends with perfect play from here, or how it has ended.

    Examples
    --------
    >>> from ttt_runtime import load
    >>> verdict(load("fastest"), "XX.OO....", 1)
    'O wins in 1 ply with perfect play'
    >>> verdict(load("fill"), "OOO......", 1)
    'O ends 3 lines ahead with perfect play'
    >>> verdict(load("misere"), "XXXOO....", 1)
    'Game over: O wins'
    """
    value = table.value(board, turn)
    winner, size = SIDES[value > 0], abs(value)
    words = f"{winner} wins" if value else "a draw"
    if value and table.rules.unit == "lines":
        words = f"{winner} ends {size} line{'s' * (size > 1)} ahead"
    elif count := plies(table.rules, board, value):
        words += f" in {count} {'ply' if count == 1 else 'plies'}"
    ended = table.move(board, turn) is None
    return f"Game over: {words}" if ended else f"{words} with perfect play"


def facts(table: Table, board: str, turn: int) -> dict[str, object]:
    """Return what the table knows of a state, for JSON."""
    return {
        "board": board,
        "turn": turn,
        "variant": table.variant,
        "move": table.move(board, turn),
        "optimal": table.optimal_moves(board, turn),
        "value": table.value(board, turn),
    }


def move_facts(table: Table, board: str, turn: int) -> list[dict[str, object]]:
    """Return what the table knows of each legal move, for JSON."""
    return [
        {
            "cell": cell,
            "value": value,
            "result": result(value, turn),
            "plies": plies(table.rules, board, value),
        }
        for cell, value in table.move_values(board, turn).items()
    ]


def marks(text: str, table: Table) -> str:
    """Return a board that was given as text, without what may part its rows.

    Examples
    --------
    >>> from ttt_runtime import load
    >>> marks("XX. / OO. / ...", load())
    'XX.OO....'
    """
    if len(text) == table.grid.cells:
        return text  # whatever is no mark in it has a cell to be named
    return "".join(text.replace("/", " ").split())


def board_text(board: str, columns: int, colour: bool) -> str:
    """Return the board as text, with the number of each empty cell.

    Examples
    --------
    >>> print(board_text("XX.OO....", 3, colour=False))
     X | X | 2
    ---+---+---
     O | O | 5
    ---+---+---
     6 | 7 | 8
    """
    width = len(str(len(board) - 1))
    texts = [
        (str(cell), "number") if mark == "." else (mark, "mark")
        for cell, mark in enumerate(board)
    ]
    cells = [[(text.rjust(width), style)] for text, style in texts]
    return _grid(cells, columns, colour)


def values_text(table: Table, board: str, turn: int, colour: bool) -> str:
    """Return the board as text, with what each legal move leads to; ``*`` is best.

    Examples
    --------
    >>> from ttt_runtime import load
    >>> print(values_text(load("fastest"), "XX.OOX..O", 0, colour=False))
     0         | 1         | 2 *
         X     |     X     |  win in 1
    -----------+-----------+-----------
     3         | 4         | 5
         O     |     O     |     X
    -----------+-----------+-----------
     6         | 7         | 8
        draw   |    draw   |     O
    <BLANKLINE>
    X to move: X wins in 1 ply with perfect play. * is best.
    In N: after N more marks, both sides together.
    """
    best = table.optimal_moves(board, turn)
    below = [("" if mark == "." else mark, "mark") for mark in board]
    for cell, value in table.move_values(board, turn).items():
        words = prospect(table.rules, board, turn, value)
        below[cell] = words, result(value, turn)
    width = max([len("loss in 4"), *[len(words) for words, _ in below]])
    numbers = [f"{cell} *" if cell in best else str(cell) for cell in range(len(board))]
    cells = [
        [(number.ljust(width), "number"), text]
        for number, text in zip(numbers, below, strict=True)
    ]
    words = f"{verdict(table, board, turn)}."
    if best:
        words = f"{SIDES[turn]} to move: {words} * is best."
    drawn = _grid(cells, table.grid.columns, colour)
    return f"{drawn}\n\n{words}\n{note(table, board, turn)}".rstrip("\n")


def review_text(known: "Review") -> str:
    """Return a review as text: a line for each move, then what they make together.

    Examples
    --------
    >>> from ttt_runtime.review import review
    >>> print(review_text(review([0, 1, 4, 8])))
    1  X in 0  best
    2  O in 1  loses a draw; better: 4
    3  X in 4  best
    4  O in 8  best
    <BLANKLINE>
    The game goes on. Move 2 was the last to change who wins with perfect play.
    Best moves: X 2 of 2, O 1 of 2.
    """
    numbers = len(str(len(known["moves"])))
    cells = len(str(len(known["board"]) - 1))
    lines = [
        f"{move['number']:>{numbers}}  {move['side']} in {move['cell']:<{cells}}  "
        f"{judgement(move)}"
        for move in known["moves"]
    ]
    return "\n".join([*lines, "", *conclusions(known)])


def judgement(move: "Move") -> str:
    """Return the name of a move, and the better cells where there are some."""
    better = ", ".join(map(str, move["best"]))
    return move["name"] + f"; better: {better}" * (move["name"] != "best")


def conclusions(known: "Review") -> tuple[str, str]:
    """Say where a game was decided, and how many moves of each side were best."""
    result, decided = known["result"], known["decided"]
    ends = {"a draw": "It is a draw", "unfinished": "The game goes on"}
    words = f"Move {decided} was the last to change" if decided else "No move changed"
    counts = [
        f"{side} {moves['best']} of {moves['moves']}"
        for side, moves in known["sides"].items()
    ]
    return (
        f"{ends.get(result, result)}. {words} who wins with perfect play.",
        f"Best moves: {', '.join(counts)}.",
    )


def shows_colour() -> bool:
    """Return whether standard output is a terminal on which colour is welcome."""
    unwelcome = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not unwelcome


def _grid(cells: Sequence[Sequence[Styled]], columns: int, colour: bool) -> str:
    """Return the board; each cell holds its texts, one below the other."""
    width = 2 + max([len(text) for texts in cells for text, _ in texts])
    rows = []
    for first in range(0, len(cells), columns):
        for level in zip(*cells[first : first + columns], strict=True):
            row = [_painted(text.center(width), style, colour) for text, style in level]
            rows.append("|".join(row).rstrip())
        rows.append("+".join(["-" * width] * columns))
    return "\n".join(rows[:-1])


def _painted(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if colour else text
