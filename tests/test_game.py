"""The game at the prompt."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tests import oracle
from tests.sessions import Run, replay
from tests.strength import PLAYERS
from tests.test_words import SMALL, result, sentence
from ttt_runtime.cli.words import review_text
from ttt_runtime.levels import LEVELS, choose
from ttt_runtime.review import review

HERE = Path(__file__).resolve().parent
TRAPS = "plays of the best cells those after which the most replies are wrong"
AGAIN = "Again? y, s (with sides swapped), u (undo) or n: "


def grids(transcript: str, rows: int = 3) -> list[str]:
    """Return the boards of three columns that a transcript shows."""
    row = r" (.) \| (.) \| (.)\n"
    found = []
    for match in re.finditer(r"[-+]+\n".join([row] * rows), transcript):
        assert all(
            mark in "XO" or mark == str(c) for c, mark in enumerate(match.groups())
        )
        found.append(re.sub(r"\d", ".", "".join(match.groups())))
    return found


def test_games_to_the_character(tmp_path: Path) -> None:
    replay((HERE / "data" / "game.txt").read_text(), tmp_path)


def scripted(
    variant: str, board: str, turn: int, human: int, chance: random.Random
) -> tuple[list[str], list[str]]:
    """Play as the rules say: the human's inputs, and the boards from first to last."""
    inputs, boards = [], [board]
    while not oracle.ended(variant, board):
        best = oracle.best(variant, board, turn)
        cell = best[0]
        if turn == human:
            free = [cell for cell, mark in enumerate(board) if mark == "."]
            cell = chance.choice(best if chance.random() < 0.7 else free)
            inputs.append(chance.choice([str(cell), f"{cell // 3},{cell % 3}"]))
        board = oracle.play(board, turn, cell)
        boards.append(board)
        turn = 1 - turn
    return inputs, boards


def cells_of(boards: list[str]) -> list[int]:
    """Return the cell of each move that leads from board to board."""
    return [
        next(
            cell
            for cell, (old, new) in enumerate(zip(*pair, strict=True))
            if old != new
        )
        for pair in pairwise(boards)
    ]


def reviewed(variant: str, boards: list[str], turn: int) -> str:
    """Return what is printed after the last board, when nothing more is typed."""
    if len(boards) == 1:
        return ""
    known = review(cells_of(boards), variant, boards[0], turn)
    return f"\n{review_text(known)}\n\n{AGAIN}\nGoodbye.\n"


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_the_computer_plays_as_the_oracle_does_to_each_result(
    variant: str, ttt: Run
) -> None:
    chance = random.Random(5)
    states = sorted(oracle.reached(variant))
    missing = {(human, end) for human in "XO" for end in ("win", "draw", "loss")}
    while missing:
        board, turn = chance.choice([("." * 9, 0), chance.choice(states)])
        human = chance.randrange(2)
        inputs, boards = scripted(variant, board, turn, human, chance)
        end = result(oracle.score(variant, boards[-1]), human)
        missing.discard(("XO"[human], end))
        options = ["--variant", variant, "--player", "XO"[human]]
        done = ttt("play", board, *options, given="\n".join([*inputs, ""]))
        assert (done.status, done.err) == (0, "")
        assert grids(done.out) == boards
        yours = {"win": " You win.", "draw": "", "loss": " You lose."}[end]
        last = sentence(variant, boards[-1], turn) + yours
        _, _, rest = done.out.partition(f"\n\n{last}\n")
        assert rest == reviewed(variant, boards, turn)
        assert done.out.count("Your move") == len(inputs)


@pytest.mark.parametrize("variant", SMALL)
def test_a_game_on_another_board(variant: str, built: Path, ttt: Run) -> None:
    chance = random.Random(5)
    for human in (0, 1):
        inputs, boards = scripted(variant, "......", 0, human, chance)
        options = ["--variant", variant, "--player", "XO"[human]]
        done = ttt("play", *options, given="\n".join([*inputs, ""]))
        assert (done.status, done.err) == (0, "")
        assert grids(done.out, rows=2) == boards


def test_a_player_on_another_board_gets_help_hints_and_moves_back(
    built: Path, ttt: Run
) -> None:
    given = "?\n1,3\nh\n1 , 2\nu\n1 2\nq\n"
    out = ttt("play", "--variant", "standard-2x3x2", given=given).out
    forms = "type 0 to 5, or row,column, 0 to 1 and 0 to 2"
    assert f"in a cell, {forms}:\n5 and 1,2 are the same." in out
    assert f"'1,3' is no cell; {forms}; ? for help." in out
    assert "'1 2' is no cell" in out
    assert "Best: 0, 1, 2, 3, 4, 5 (X wins with perfect play)." in out
    assert grids(out, rows=2)[-4:] == [".....X", "O....X", "......", "......"]


@pytest.mark.parametrize(("level", "trap"), PLAYERS.values())
def test_a_level_plays_the_cells_of_its_seed_also_after_undo(
    level: str, trap: bool, ttt: Run
) -> None:
    board, cells = "." * 9, []
    for turn in (0, 1, 0, 1):
        cell = board.index(".") if turn == 0 else choose(level, 9, board, 1, trap=trap)
        assert cell is not None
        board = oracle.play(board, turn, cell)
        cells.append(cell)
    options = ["--level", level, "--seed", "9", *["--trap"] * trap]
    given = "{0}\n{2}\nu\n{2}\n".format(*cells)
    out = ttt("play", *options, given=given).out
    does = TRAPS if trap else LEVELS[level]
    assert f" help. Level {level}, seed 9: {does}. " in " ".join(out.split())
    assert out.count(f"The computer plays cell {cells[1]}.") == 1
    assert out.count(f"The computer plays cell {cells[3]}.") == 2
    assert grids(out)[-1] == board


def test_a_seed_that_was_drawn_is_told_and_repeats_the_game(ttt: Run) -> None:
    given = "0\n1\n2\n3\n4\n5\n6\n7\n8\n"
    out = ttt("play", "--level", "easy", given=given).out
    seed = re.search(r"^Level easy, seed (\d+): ", out, re.M)
    assert seed
    assert ttt("play", "--level", "easy", "--seed", seed[1], given=given).out == out
    others = [ttt("play", "--level", "easy", given="q\n").out for _ in range(3)]
    assert len({out.split("\n")[1] for out in others}) > 1


def test_a_game_can_follow_with_sides_swapped_and_the_next_seed(ttt: Run) -> None:
    start = ["play", "XXOOOX.XO", "--level", "easy", "--seed", str(2**32 - 1)]
    last = (
        "\n\nYou play {}, the computer {}; type ? for help.\nLevel easy, seed {}: plays"
    )
    out = ttt(*start, given="6\nwhat\ny\nu\n6\nu\n6\ns\nno\n").out
    assert last.format("X", "O", 0) in out
    assert last.format("O", "X", 1) in out
    assert out.count(AGAIN) == 5
    assert f"{AGAIN}what\n'what' is no answer.\n{AGAIN}y\n" in out
    assert out.count("There is no move of yours to take back.") == 1
    assert out.endswith(f"{AGAIN}no\nGoodbye.\n")


@pytest.mark.parametrize(
    "text",
    [
        b"", b"9", b"-1", b"00", b"1.0", b"3,0", b"0,-1", b"0,", b",", b"1,1,1", b"1 1",
        b"x", b"undo!", b"\xff", "\u0664".encode(), "\uff14".encode(), b"\x00",
        b"4" * 5000, b"\x1b[2J",
    ],
)  # fmt: skip
def test_what_is_no_cell_is_named_and_costs_nothing(text: bytes, ttt: Run) -> None:
    done = ttt("play", given=text + b"\n4\n")
    assert (done.status, done.err) == (0, "")
    assert " is no cell; type 0 to 8, or row,column, each 0 to 2" in done.out
    assert grids(done.out)[:3] == ["." * 9, "." * 9, "....X...."]


@pytest.mark.parametrize(
    ("arguments", "you", "board"),
    [
        ("", "X", "........."),
        ("--player O", "O", "X........"),
        ("X........", "X", "X...O...."),
        ("--board X........", "X", "X...O...."),
        ("XX....... --turn O", "X", "XXO......"),
        ("--first human", "X", "........."),
        ("--first computer", "O", "X........"),
        ("X........ --first human", "O", "X........"),
        ("X........ --first computer", "X", "X...O...."),
        ("XX....... --turn 1 --first human", "O", "XX......."),
        ("--player X --first human", "X", "........."),
        ("--player O --first human", "O", "........."),
        ("--player X --first computer", "X", "O........"),
        ("--player O --first computer --turn X", "O", "X........"),
        ("XX....... --player O --first human --turn 1", "O", "XX......."),
        ("XX....... --player O --first computer", "O", "XXX......"),
    ],
)
def test_player_is_your_mark_and_first_is_who_moves(
    arguments: str, you: str, board: str, ttt: Run
) -> None:
    done = ttt("play", *arguments.split(), given="quit\n")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"You play {you}, ")
    assert grids(done.out)[-1] == board


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--level expert", "argument --level: level is 'expert', expected one of easy, "
         "medium, hard, perfect"),
        ("--level easy --seed 1.0", "argument --seed: seed is '1.0', expected an "
         "integer from 0 to 4294967295"),
        ("--seed 7", "--seed is for a game with a level; add --level LEVEL"),
        ("--level hard --trap", "--trap is for --level perfect"),
        ("--player O --first human --turn X", "--turn X contradicts --player O --first "
         "human: there O moves next"),
        ("XX....... --player X --first human --turn 1", "--turn 1 contradicts --player "
         "X --first human: there X moves next"),
        (". --board .........", "argument --board: not allowed with argument BOARD"),
        ("--board ......... .", "argument BOARD: not allowed with argument --board"),
    ],
)  # fmt: skip
def test_options_that_contradict_each_other_are_wrong_usage(
    arguments: str, message: str, ttt: Run
) -> None:
    done = ttt("play", *arguments.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(f"\nttt play: error: {message}\n")


def test_a_board_of_no_marks_is_not_taken_for_the_empty_board(ttt: Run) -> None:
    assert "board '' has 0 marks" in ttt("play", "--board", "").err
    assert "board '' has 0 marks" in ttt("play", "").err


@contextmanager
def playing(*streams: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start a game beside the test, on these as standard input and output."""
    command = [sys.executable, "-m", "ttt_runtime", "play"]
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    stdin, stdout = streams
    with subprocess.Popen(
        command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=environment
    ) as game:
        try:
            yield game
        finally:
            game.kill()


def shown(file: int, until: str = "Your move, X: ") -> str:
    """Read what a game shows next, without what steers the terminal."""
    text = ""
    while not text.endswith(until):
        assert select.select([file], [], [], 30)[0], text
        text += os.read(file, 1 << 16).decode()
        text = re.sub(r"\x1b\[\?[\d;]+[hl]", "", text)
    return re.sub(r"\r+\n|\r", "\n", text)


def test_at_a_terminal_arrow_keys_edit_and_bring_back_what_was_typed() -> None:
    pytest.importorskip("readline")
    outer, inner = pty.openpty()
    with playing(inner, inner) as game:
        os.close(inner)
        shown(outer)
        os.write(outer, b"5\x1b[D1,\r")  # 5, left, 1,: makes 1,5
        assert "'1,5' is no cell; " in shown(outer)
        os.write(outer, b"4\r")
        typed = shown(outer)
        assert typed.count("4\n") == 1  # it stands there once
        assert grids(typed) == ["....X....", "O...X...."]
        os.write(outer, b"\x1b[A\r")  # up
        assert "Cell 4 is taken by X; " in shown(outer)
        os.write(outer, b"\x1b[A\x1b[A\r")  # up, up: 4 is there once
        assert "'1,5' is no cell; " in shown(outer)
        os.write(outer, b"\x04")  # Ctrl-D
        shown(outer, "Goodbye.\r\n")
        assert game.wait(30) == 0
        assert game.stderr
        assert game.stderr.read() == b""
    os.close(outer)


@pytest.mark.parametrize("terminal", [True, False])
def test_ctrl_c_ends_the_game_with_130_and_without_a_word(terminal: bool) -> None:
    outer, inner = pty.openpty() if terminal else os.pipe()
    with playing(inner if terminal else subprocess.PIPE, inner) as game:
        os.close(inner)
        shown(outer)
        game.send_signal(signal.SIGINT)
        if terminal:  # readline misses a signal just before it waits for a key
            os.write(outer, b"\r")
        assert game.wait(30) == 130
        assert game.stderr
        assert game.stderr.read() == b""
    os.close(outer)
