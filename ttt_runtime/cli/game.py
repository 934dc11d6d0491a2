"""A game at the prompt against the table."""

import sys
from contextlib import suppress

from ..boards import Grid, shown
from ..tables import Table
from .words import SIDES, board_text, played, result, verdict


def _forms(grid: Grid) -> str:
    """Say how a cell is typed."""
    row, column = grid.rows - 1, grid.columns - 1
    each = f"each 0 to {row}" if row == column else f"0 to {row} and 0 to {column}"
    return f"type 0 to {grid.cells - 1}, or row,column, {each}"


def _help(grid: Grid) -> str:
    cell = min(5, grid.cells - 1)
    return (
        f"To set your mark in a cell, {_forms(grid)}:\n"
        f"{cell} and {_row_and_column(cell, grid)} are the same. "
        "undo (u) takes your last move back, hint (h) names the\n"
        "best cells, quit (q) leaves."
    )


def _row_and_column(cell: int, grid: Grid) -> str:
    return f"{cell // grid.columns},{cell % grid.columns}"


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
    grid = table.grid
    cells = {
        name: cell
        for cell in range(grid.cells)
        for name in (str(cell), _row_and_column(cell, grid))
    }
    past: list[str] = []
    print(f"You play {SIDES[human]}, the computer {SIDES[1 - human]}; type ? for help.")
    while True:
        print(f"\n{board_text(board, grid.columns, colour)}\n")
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
                print(_help(grid))
            case text:
                cell = cells.get("".join(text.split()))
                if cell is None:
                    print(f"{shown(text)} is no cell; {_forms(grid)}; ? for help.")
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
