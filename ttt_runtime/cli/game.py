"""Games at the prompt against the computer."""

import re
import sys
from contextlib import suppress
from typing import NamedTuple

from ..boards import Grid, played, shown
from ..tables import Table
from .words import SIDES, board_text, result, review_text, verdict


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


def names_of(grid: Grid) -> dict[str, int]:
    """Return the cell that each way to type one stands for.

    Examples
    --------
    >>> names_of(Grid(1, 2, 2))
    {'0': 0, '0,0': 0, '1': 1, '0,1': 1}
    """
    return {
        name: cell
        for cell in range(grid.cells)
        for name in (str(cell), _row_and_column(cell, grid))
    }


def _row_and_column(cell: int, grid: Grid) -> str:
    return f"{cell // grid.columns},{cell % grid.columns}"


class Opponent(NamedTuple):
    """Who plays against standard input: a level, or the table's move if it has none."""

    level: str | None = None
    seed: int = 0
    trap: bool = False

    def choose(self, table: Table, board: str, turn: int) -> int | None:
        """Return its cell, None where play has ended."""
        if self.level is None:
            return table.move(board, turn)
        from ..levels import choose

        return choose(self.level, self.seed, board, turn, table, self.trap)

    def about(self) -> str:
        """Say how it plays, and what repeats a game with it."""
        if self.level is None:
            return ""
        from textwrap import fill

        from ..levels import LEVELS

        does = "plays of the best cells those after which the most replies are wrong"
        does = does if self.trap else LEVELS[self.level]
        return "\n" + fill(f"Level {self.level}, seed {self.seed}: {does}.", 79)


def play(
    table: Table, board: str, turn: int, human: int, opponent: Opponent, colour: bool
) -> None:
    """Play games from here on: moves are read from standard input, till it ends.

    After its end a game is reviewed. The next one has the next seed.

    Parameters
    ----------
    table : Table
        The rules, and what hints and reviews know.
    board, turn : str, int
        Where the games begin.
    human : int
        The side that standard input plays: 0 for X, 1 for O.
    opponent : Opponent
        Plays the other side.
    colour : bool
        Whether the terminal shows colours.
    """
    while True:
        sides = f"You play {SIDES[human]}, the computer {SIDES[1 - human]}"
        print(f"{sides}; type ? for help.{opponent.about()}")
        match _game(table, (board, turn), human, opponent, colour):
            case "n":
                return
            case "s":
                human = 1 - human
        opponent = opponent._replace(seed=(opponent.seed + 1) % 2**32)
        print()


def _game(
    table: Table, start: tuple[str, int], human: int, opponent: Opponent, colour: bool
) -> str:
    """Play a game; return ``y`` for another one, ``s`` with sides swapped, or ``n``."""
    cells: list[int] = []
    states = [start]
    while True:
        board, turn = states[-1]
        print(f"\n{board_text(board, table.grid.columns, colour)}\n")
        answer: int | str | None
        if table.move(board, turn) is None:
            yours = {"win": ". You win.", "draw": ".", "loss": ". You lose."}
            words = yours[result(table.value(board, turn), human)]
            print(verdict(table, board, turn) + words)
            answer = _afterwards(table, start, cells) if cells else "n"
        elif turn != human:
            answer = opponent.choose(table, board, turn)
            print(f"The computer plays cell {answer}.")
        else:
            answer = _own_move(table, board, turn)
        match answer:
            case int():
                cells.append(answer)
                states.append((played(board, answer, turn), 1 - turn))
            case "undo":
                mine = [move for move in range(len(cells)) if states[move][1] == human]
                if not mine:
                    print("There is no move of yours to take back.")
                else:
                    del cells[mine[-1] :], states[mine[-1] + 1 :]
            case "y" | "s" | "n":
                return answer


def _own_move(table: Table, board: str, turn: int) -> int | str | None:
    """Ask for a move; return its cell, ``undo``, ``n`` to leave, None to go on."""
    cells = names_of(table.grid)
    match _asked(f"Your move, {SIDES[turn]}: "):
        case None | "q" | "quit":
            print("Goodbye.")
            return "n"
        case "u" | "undo":
            return "undo"
        case "h" | "hint":
            best = ", ".join(map(str, table.optimal_moves(board, turn)))
            print(f"Best: {best} ({verdict(table, board, turn)}).")
        case "?" | "help":
            print(_help(table.grid))
        case text:
            cell = cells.get(re.sub(r"\s*,\s*", ",", text))
            if cell is not None and board[cell] == ".":
                return cell
            words = f"Cell {cell} is taken by {board[cell or 0]}; choose another."
            if cell is None:
                words = f"{shown(text)} is no cell; {_forms(table.grid)}; ? for help."
            print(words)
    return None


def _afterwards(table: Table, start: tuple[str, int], cells: list[int]) -> str:
    """Review a game and ask what is wanted next: ``y``, ``s``, ``n`` or ``undo``."""
    from ..review import review

    print(f"\n{review_text(review(cells, table, *start))}\n")
    while True:
        match _asked("Again? y, s (with sides swapped), u (undo) or n: "):
            case "y" | "yes" | "s" | "swap" as answer:
                return answer[0]
            case "u" | "undo":
                return "undo"
            case None | "n" | "no" | "q" | "quit":
                print("Goodbye.")
                return "n"
            case text:
                print(f"{shown(text)} is no answer.")


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
