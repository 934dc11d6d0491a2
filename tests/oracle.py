"""Plain minimax on strings. It shares no code and no constant with the product."""

from functools import cache
from itertools import product

BOARDS = ["".join(marks) for marks in product(".XO", repeat=9)]
"""Every board, in index order: '.' before 'X' before 'O', the first cell first."""

STATES = [(board, turn) for turn in (0, 1) for board in BOARDS]

VARIANTS = ["standard", "fill", "misere", "fastest"]

WAYS = [
    "012", "345", "678",
    "036", "147", "258",
    "048", "246",
]  # fmt: skip


@cache
def ways(variant: str) -> tuple[tuple[int, ...], ...]:
    """List the lines of a variant: written out for 3x3, else by walking the board."""
    _, _, size = variant.partition("-")
    if not size:
        return tuple(tuple(map(int, way)) for way in WAYS)
    rows, columns, length = map(int, size.split("x"))
    found = set()
    for row, column in product(range(rows), range(columns)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = []
            for _ in range(length):
                if row in range(rows) and column in range(columns):
                    cells.append(row * columns + column)
                row, column = row + down, column + right
            row, column = row - length * down, column - length * right
            if len(cells) == length:
                found.add(tuple(cells))
    return tuple(found)


def lines(board: str, mark: str, variant: str = "standard") -> int:
    """Count the lines that a mark has."""
    return sum([all(board[cell] == mark for cell in way) for way in ways(variant)])


@cache
def both_lines(size: str, board: str) -> tuple[int, int]:
    """Count the lines of X and of O."""
    variant = f"any-{size}" if size else "any"
    return lines(board, "X", variant), lines(board, "O", variant)


def ended(variant: str, board: str) -> bool:
    """Tell whether play has ended on a board."""
    rule, _, size = variant.partition("-")
    return "." not in board or (rule != "fill" and any(both_lines(size, board)))


def meaningless(variant: str, board: str) -> bool:
    """Tell whether a board cannot be scored: both have a line, and lines end play."""
    rule, _, size = variant.partition("-")
    return rule != "fill" and all(both_lines(size, board))


def score(variant: str, board: str) -> int:
    """Score a board on which play has ended, from O's side."""
    rule, _, size = variant.partition("-")
    xs, os = both_lines(size, board)
    if rule == "fill":
        return os - xs
    winner = 1 if os else -1 if xs else 0
    if rule == "misere":
        return -winner
    if rule == "fastest":
        return winner * (1 + board.count("."))
    return winner


def play(board: str, turn: int, cell: int) -> str:
    """Put the mover's mark in a cell."""
    return board[:cell] + "XO"[turn] + board[cell + 1 :]


def value(variant: str, board: str, turn: int) -> int:
    """Search the game to its end: O wants much, X wants little."""
    return entry(variant, board, turn)[0]


def after(variant: str, board: str, turn: int) -> dict[int, int]:
    """Value each move of a board on which play goes on."""
    return {
        cell: value(variant, play(board, turn, cell), 1 - turn)
        for cell, mark in enumerate(board)
        if mark == "."
    }


def best(variant: str, board: str, turn: int) -> list[int]:
    """List the best cells, none if play has ended."""
    mask = entry(variant, board, turn)[2]
    return [cell for cell in range(len(board)) if mask >> cell & 1]


@cache
def entry(variant: str, board: str, turn: int) -> tuple[int, int, int]:
    """Give value, smallest best cell and mask of the best, as the tables have them."""
    if meaningless(variant, board):
        return -128, -1, 0
    if ended(variant, board):
        return score(variant, board), -1, 0
    values = after(variant, board, turn)
    target = (max if turn else min)(values.values())
    cells = [cell for cell, found in values.items() if found == target]
    return target, cells[0], sum([2**cell for cell in cells])


def reached(variant: str, cells: int = 9) -> set[tuple[str, int]]:
    """Play every game from the empty board, X first, and collect the states."""
    found = set()
    waiting = [("." * cells, 0)]
    while waiting:
        board, turn = state = waiting.pop()
        if state in found:
            continue
        found.add(state)
        if not ended(variant, board):
            waiting += [
                (play(board, turn, cell), 1 - turn)
                for cell, mark in enumerate(board)
                if mark == "."
            ]
    return found


@cache
def games(board: str = "." * 9, turn: int = 0) -> tuple[int, int, int]:
    """Count the different standard games from here: X wins, O wins, draws."""
    if ended("standard", board):
        xs, os = lines(board, "X") > 0, lines(board, "O") > 0
        return int(xs), int(os), int(not xs and not os)
    branches = [
        games(play(board, turn, cell), 1 - turn)
        for cell in range(9)
        if board[cell] == "."
    ]
    x_wins, o_wins, draws = map(sum, zip(*branches, strict=True))
    return x_wins, o_wins, draws


def judge(text: str) -> str:
    """Answer a whole contest input: every token in its place, one answer a line."""
    words = text.split()
    answers = []
    for query in range(int(words[0])):
        turn, *rows = words[1 + 4 * query : 5 + 4 * query]
        answers.append(f"{value('fill', ''.join(rows), int(turn))}\n")
    return "".join(answers)
