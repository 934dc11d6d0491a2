"""A game at the terminal against the table."""

import sys

from ..boards import CELLS, shown
from .words import SIDES, board_text, played, result, verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tables import Table

_FORMS = "type 0 to 8, or row,column, each 0 to 2"

_HELP = f"""\
To set your mark in a cell, {_FORMS}: 5 and 1,2 are the same.
undo (u) takes your last move back, hint (h) names the best cells, quit (q) leaves."""


def play(table: "Table", board: str, turn: int, human: int, colour: bool) -> None:
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
                cell = _cell(text)
                if cell is None:
                    print(f"{shown(text)} is no cell; {_FORMS}; ? for help.")
                elif board[cell] != ".":
                    print(f"Cell {cell} is taken by {board[cell]}; choose another.")
                else:
                    past.append(board)
                    board, turn = played(board, cell, turn), 1 - turn


def _asked(prompt: str) -> str | None:
    """Return the next line of standard input in lower case, None at its end."""
    print(prompt, end="", flush=True)
    try:
        line = sys.stdin.readline() if sys.stdin else ""
    except KeyboardInterrupt:
        print()
        raise
    if not (line and sys.stdin.isatty()):  # elsewhere nobody sees what is typed
        print(line.rstrip("\r\n"))
    return line.strip().lower() if line else None


def _cell(text: str) -> int | None:
    """Return the cell that is named by its number, or by row and column."""
    coordinates = [part.strip() for part in text.split(",")]
    if len(coordinates) == 1 and text in map(str, range(CELLS)):
        return int(text)
    if len(coordinates) == 2 and all(part in ("0", "1", "2") for part in coordinates):
        return 3 * int(coordinates[0]) + int(coordinates[1])
    return None
