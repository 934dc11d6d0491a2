"""Time a look-up beside a read from a dict and a search anew; and the first answer."""

import random
import sys
from tempfile import TemporaryDirectory

import pyperf
from rounds import (
    ONE_VALUE,
    asked_to_write,
    progress,
    publish,
    read_times,
    run_pyperf,
    shown_ratio,
    shown_time,
    time_processes,
)

from ttt_runtime import best_move, encode, load, play_against_ai
from ttt_runtime.boards import LINES, decode

ROUNDS = 21
BOARDS = 300
REPEATS = 100
MANY = BOARDS * REPEATS
SEARCHED = 20
EMPTY_CELLS = 5
GAME = [[1, 1], [0, 1], [2, 0], [1, 2], [2, 2]]  # a draw

MEMO = "memo[board]"
VALUE = "table.value(board)"
PLAY = "play_against_ai(game)"
ROWS = (
    (MEMO, "board in boards", MANY, MEMO),
    ("table.value_at(index)", "index in indices", MANY, MEMO),
    (VALUE, "board in boards", MANY, MEMO),
    ("best_move(board)", "board in boards", MANY, MEMO),
    ("searched_value(board)", "board in searched", SEARCHED, VALUE),
    (PLAY, "_ in games", REPEATS, PLAY),
    ("searched_game(game)", "_ in once", 1, PLAY),
)
"""A question, for what it is asked, how often that is, what it is compared with."""

BARE = "pass"
FIRST = "import ttt_runtime; ttt_runtime.best_move('XX.OO....')"


def searched_value(board: str) -> int:
    """Return the value by plain minimax: no table, no memo."""
    for mark, value in ("X", -1), ("O", 1):
        if any(board[a] == board[b] == board[c] == mark for a, b, c in LINES):
            return value
    if "." not in board:
        return 0
    best = min if board.count("X") == board.count("O") else max
    return best([searched_value(board) for board in replies(board).values()])


def replies(board: str) -> dict[int, str]:
    """Return, for each empty cell, the board after its move."""
    mark = "X" if board.count("X") == board.count("O") else "O"
    return {
        cell: board[:cell] + mark + board[cell + 1 :]
        for cell in range(9)
        if board[cell] == "."
    }


def searched_game(human_moves: list[list[int]]) -> str:
    """Play O by plain minimax against legal moves; return the last board."""
    board = "." * 9
    for row, column in human_moves:
        board = replies(board)[3 * row + column]
        if "." in board:
            board = max(replies(board).values(), key=searched_value)
    return board


def questions() -> None:
    """Time every row once, in a process that pyperf's options describe."""
    table = load()
    live = (table.reachable & (table.moves >= 0)).nonzero()[0].tolist()
    memo = {decode(index)[0]: table.value_at(index) for index in live}
    chance = random.Random(BOARDS)
    boards = chance.sample(list(memo), BOARDS)
    late = [board for board in memo if board.count(".") == EMPTY_CELLS]
    searched = chance.sample(late, SEARCHED)
    for board in searched:
        if searched_value(board) != table.value(board):
            sys.exit(f"search and table differ on {board}")
    if searched_game(GAME) != "".join(play_against_ai(GAME)[-1][2:5]):
        sys.exit("search and table play the game differently")

    names = {
        "best_move": best_move,
        "boards": boards * REPEATS,
        "game": GAME,
        "games": range(REPEATS),
        "indices": [encode(board) for board in boards] * REPEATS,
        "memo": memo,
        "once": range(1),
        "play_against_ai": play_against_ai,
        "searched": searched,
        "searched_game": searched_game,
        "searched_value": searched_value,
        "table": table,
    }
    runner = pyperf.Runner()
    for question, each, count, _ in ROWS:
        statement = f"for {each}: {question}"
        runner.timeit(question, statement, globals=names, inner_loops=count)


def main() -> None:
    """Measure, and publish the tables."""
    write = asked_to_write(__doc__)
    progress(f"{ROUNDS} rounds of every question")
    with TemporaryDirectory() as scratch:
        path = f"{scratch}/times.json"
        for _ in range(ROUNDS):
            run_pyperf([__file__, *ONE_VALUE, "--warmups=1", "--append", path])
        times = read_times(path)
    lines = ["| question | time | compared |", "|---|--:|--:|"]
    for question, _, _, base in ROWS:
        cells = [f"`{question}`", shown_time(times[question]), ""]
        if question != base:
            ratio = shown_ratio(times[question], times[base])
            cells[-1] = f"{ratio} times `{base}`"
        lines.append(f"| {' | '.join(cells)} |")

    progress(f"{ROUNDS} rounds of a first answer")
    commands = {code: [sys.executable, "-c", code] for code in (BARE, FIRST)}
    times = time_processes(commands, ROUNDS + 1)  # the first one warms up
    lines += ["", "| process | time | on top of `pass` |", "|---|--:|--:|"]
    bare, first = (times[code][1:] for code in (BARE, FIRST))
    added = [both - one for both, one in zip(first, bare, strict=True)]
    lines += [
        f'| `python -c "{BARE}"` | {shown_time(bare)} | |',
        f'| `python -c "{FIRST}"` | {shown_time(first)} | {shown_time(added)} |',
    ]
    publish("lookups.py", lines, write)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        questions()
    else:
        main()
