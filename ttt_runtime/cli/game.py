"""A game at the prompt against the table."""

import sys
from contextlib import suppress

from ..boards import CELLS, shown
from ..tables import Table
from .words import SIDES, board_text, played, result, verdict

_FORMS = "type 0 to 8, or row,column, each 0 to 2"

_HELP = f"""\
To set your mark in a cell, {_FORMS}:
5 and 1,2 are the same. undo (u) takes your last move back, hint (h) names the
best cells, quit (q) leaves."""

_CELLS = {
    name: cell
    for cell in range(CELLS)
    for name in (str(cell), f"{cell // 3},{cell % 3}")
}
"""Each cell by its number, and by its row and column."""


def play(table: Table, board: str, turn: int, human: int, colour: bool) -> None:
    """Play a game from here on: moves are read from standard input, till it ends.

    Parameters
    ----------
    table : Table
        Plays the other side.
    board, turn : str, int
        Where the game begins.
    human : int
        The side that standard input plays: 0 for X, 1 for O.
    colour : bool
        Whether the terminal shows colours.
    """
    past: list[str] = []
    print(f"You play {SIDES[human]}, the computer {SIDES[1 - human]}; type ? for help.")
    while True:
        print(f"\n{board_text(board, colour)}\n")
        move = table.move(board, turn)
        if move is None:
            yours = {"win": ". You win.", "draw": ".", "loss": ". You lose."}
            words = yours[result(table.value(board, turn), human)]
            print(verdict(table, board, turn) + words)
            return
        if turn != human:
            print(f"The computer plays cell {move}.")
            board, turn = played(board, move, turn), human
            continue
        match _asked(f"Your move, {SIDES[human]}: "):
            case None | "q" | "quit":
                print("Goodbye.")
                return
            case "u" | "undo" if past:
                board = past.pop()
            case "u" | "undo":
                print("There is no move of yours to take back.")
            case "h" | "hint":
                best = ", ".join(map(str, table.optimal_moves(board, turn)))
                print(f"Best: {best} ({verdict(table, board, turn)}).")
            case "?" | "help":
                print(_HELP)
            case text:
                cell = _CELLS.get("".join(text.split()))
                if cell is None:
                    print(f"{shown(text)} is no cell; {_FORMS}; ? for help.")
                elif board[cell] != ".":
                    print(f"Cell {cell} is taken by {board[cell]}; choose another.")
                else:
                    past.append(board)
                    board, turn = played(board, cell, turn), 1 - turn


def _asked(prompt: str) -> str | None:
    """Return the next line of standard input in lower case, None at its end.

    At a terminal the line can be edited, and the arrow keys bring back former lines.
    """
    try:
        if sys.stdin and sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr:
            with suppress(ImportError):  # Windows has none, its terminals edit
                import readline  # noqa: F401  (input() uses it)
            return input(prompt).strip().lower()
        print(prompt, end="", flush=True)
        line = sys.stdin.readline() if sys.stdin else ""
    except KeyboardInterrupt:
        print()
        raise
    except EOFError:  # Ctrl-D
        line = ""
    if not (line and sys.stdin.isatty()):  # elsewhere nobody sees what is typed
        print(line.rstrip("\r\n"))
    return line.strip().lower() if line else None
