"""Tests of the command ``ttt``: `ttt_runtime.cli` and `ttt_runtime.play`."""

import contextlib
import io
import json
import os
import pty
import random
import re
import runpy
import select
import signal
import stat
import subprocess
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import UNMEASURED, oracle
from ttt_runtime import TableError, cli, load
from ttt_runtime.cli import main
from ttt_runtime.cli.pictures import board_picture, map_picture
from ttt_runtime.cli.words import (
    board_text,
    facts,
    move_facts,
    shows_colour,
    values_text,
)

HERE = Path(__file__).resolve().parent
TTT = [sys.executable, "-m", "ttt_runtime"]
COMMANDS = ["move", "show", "play", "events", "draw", "map", "verify", "info"]
UNREACHED = [("X...O...X", 0), ("OO.......", 1)]
"""Boards with a turn that their counts do not tell."""

EVENTS = json.loads((HERE / "data" / "events.json").read_text())


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def ttt(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process."""

    def run(*arguments: str, given: str | bytes = "") -> Done:
        data = given if isinstance(given, bytes) else given.encode()
        stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        status = main(list(arguments))
        return Done(status, *capfd.readouterr())

    return run


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as a process."""
    options = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": BUFFERED,
        **options,
    }
    return subprocess.run([*TTT, *arguments], text=True, **options)


BUFFERED = {**os.environ, "PYTHONUNBUFFERED": ""}
"""The environment, but output is buffered, which is usual, whatever it says."""


@contextlib.contextmanager
def started(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command beside the test, and not for longer."""
    with subprocess.Popen([*TTT, *arguments], **options) as running:
        try:
            yield running
        finally:
            running.kill()


# move


def test_move_is_the_oracles(ttt: Run) -> None:
    """In each variant, with the turn inferred or given in each way."""
    chance = random.Random(1)
    for variant in oracle.VARIANTS:
        live = [
            (board, turn)
            for board, turn in sorted(oracle.reached(variant))
            if not oracle.ended(variant, board)
        ]
        for board, turn in chance.sample(live, 20):
            best = oracle.best(variant, board, turn)[0]
            for given in ([], ["--turn", str(turn)], ["--turn", "XO"[turn]]):
                done = ttt("move", board, "--variant", variant, *given)
                assert done == (0, f"{best}\n", ""), board


def test_move_takes_any_board_with_a_turn(ttt: Run) -> None:
    """Also one that no game leads to."""
    for turn in (0, 1):
        best = oracle.best("standard", "XX.......", turn)[0]
        assert ttt("move", "XX.......", "--turn", str(turn)).out == f"{best}\n"


def test_move_is_standard_unless_told_otherwise(ttt: Run) -> None:
    """The example of the help: standard puts the win off, fastest does not."""
    assert ttt("move", "XXO.O..X.").out == "3\n"
    assert ttt("move", "XXO.O..X.", "--variant", "fastest").out == "6\n"


def test_facts_are_the_oracles() -> None:
    """What --json prints, for every board of a game in each variant, and two more."""
    for variant in oracle.VARIANTS:
        table = load(variant)
        for board, turn in [*oracle.reached(variant), *UNREACHED]:
            best = oracle.best(variant, board, turn)
            assert facts(table, board, turn) == {
                "board": board,
                "turn": turn,
                "variant": variant,
                "move": best[0] if best else None,
                "optimal": tuple(best),
                "value": oracle.value(variant, board, turn),
            }
            ended = oracle.ended(variant, board)
            after = {} if ended else oracle.after(variant, board, turn)
            assert move_facts(table, board, turn) == [
                {
                    "cell": cell,
                    "value": value,
                    "result": result(value, turn),
                    "plies": 1 + length(oracle.play(board, turn, cell), 1 - turn)
                    if variant == "fastest" and value
                    else None,
                }
                for cell, value in after.items()
            ], board


def result(value: int, turn: int) -> str:
    """Say what a value is for a side: O wants much, X wants little."""
    mine = value * (-1, 1)[turn]
    return "win" if mine > 0 else "loss" if mine < 0 else "draw"


@cache
def length(board: str, turn: int) -> int:
    """Play best moves of ``fastest`` to the end of the game, and count them."""
    if oracle.ended("fastest", board):
        return 0
    cell = oracle.best("fastest", board, turn)[0]
    return 1 + length(oracle.play(board, turn, cell), 1 - turn)


def test_json(ttt: Run) -> None:
    """One JSON object a line, for move and show."""
    table = load("fastest")
    expected = {**facts(table, "XX.OO....", 1), "optimal": [5]}
    arguments = ["XX.OO....", "--turn", "O", "--variant", "fastest", "--json"]
    done = ttt("move", *arguments)
    assert (done.status, json.loads(done.out), done.err) == (0, expected, "")
    done = ttt("show", *arguments)
    expected["moves"] = move_facts(table, "XX.OO....", 1)
    assert (done.status, json.loads(done.out), done.err) == (0, expected, "")
    assert done.out.count("\n") == 1
    done = ttt("show", "XXXOO....", "--json")
    assert json.loads(done.out) == {
        "board": "XXXOO....",
        "turn": 1,
        "variant": "standard",
        "move": None,
        "optimal": [],
        "value": -1,
        "moves": [],
    }


# show


def sentence(variant: str, board: str, turn: int) -> str:
    """Say how it ends."""
    value = oracle.value(variant, board, turn)
    side = "O" if value > 0 else "X"
    if value == 0:
        words = "a draw"
    elif variant == "fill":
        words = f"{side} ends {abs(value)} lines ahead"
        words = words.replace("1 lines", "1 line")
    elif variant == "fastest" and not oracle.ended(variant, board):
        words = f"{side} wins in {length(board, turn)} plies"
        words = words.replace("1 plies", "1 ply")
    else:
        words = f"{side} wins"
    if oracle.ended(variant, board):
        return f"Game over: {words}."
    return f"{'XO'[turn]} to move: {words} with perfect play. * is best."


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_show_says_what_the_oracle_says(variant: str) -> None:
    """Number, mark or prospect of each cell, and the sentence, on every board."""
    table = load(variant)
    for board, turn in [*oracle.reached(variant), *UNREACHED]:
        best = oracle.best(variant, board, turn)
        ended = oracle.ended(variant, board)
        after = {} if ended else oracle.after(variant, board, turn)
        lines = values_text(table, board, turn, colour=False).split("\n")
        assert max(map(len, lines[:8])) <= 35
        upper = [text.strip() for row in lines[0:8:3] for text in row.split("|")]
        lower = [text.strip() for row in lines[1:8:3] for text in row.split("|")]
        assert lines[2] == lines[5] == "-----------+-----------+-----------"
        for cell in range(9):
            assert upper[cell] == f"{cell} *" if cell in best else str(cell), board
            expected = board[cell].replace(".", "")
            if cell in after:
                expected = result(after[cell], turn)
                if variant == "fill" and after[cell]:
                    expected += f" by {abs(after[cell])}"
                if variant == "fastest" and after[cell]:
                    moves = 1 + length(oracle.play(board, turn, cell), 1 - turn)
                    expected += f" in {moves}"
            assert lower[cell] == expected, board
        assert lines[8:10] == ["", sentence(variant, board, turn)]
        measured = any(after.values()) and variant in ("fill", "fastest")
        assert len(lines) == 10 + measured


def test_show(ttt: Run) -> None:
    """The whole of it, to the character."""
    done = ttt("show", "OOO......", "--turn", "O", "--variant", "fill")
    assert done == (0, """\
 0         | 1         | 2
     O     |     O     |     O
-----------+-----------+-----------
 3         | 4 *       | 5
  win by 2 |  win by 3 |  win by 2
-----------+-----------+-----------
 6         | 7         | 8
  win by 2 |  win by 1 |  win by 2

O to move: O ends 3 lines ahead with perfect play. * is best.
By 2: two lines more than the other side.
""", "")  # fmt: skip


# bad data


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("move xx.oo....", "board 'xx.oo....' has 'x' in cell 0; write X in upper"),
        ("show XX.OO...", "board 'XX.OO...' has 8 marks, expected 9: row by row"),
        ("draw XX.00.... -o -", "'0' in cell 3; write the letter O, not the digit 0"),
        ("play XX.OO....Q", "has 10 marks, expected 9"),
        ("move XX.OO___.", "'_' in cell 5; write an empty cell as '.'"),
        ("move XX.......", "2 X and 0 O; X moves first, so a game has as many X as O, "
         "or one more; or give --turn X or O"),
        ("move XXX.O....", "3 X and 1 O; X moves first, so a game has as many X as O, "
         "or one more; or give --turn X or O"),
        ("show O........", "0 X and 1 O; X moves first, so a game has as many X as O, "
         "or one more; or give --turn X or O"),
        ("move XXXOO....", "board 'XXXOO....': there is no move to make. Game over: X "
         "wins"),
        ("move XOXXOOOXX", "there is no move to make. Game over: a draw"),
        ("move XXXOO.... --variant misere", "no move to make. Game over: O wins"),
        ("move XXXOOXOXO --variant fill", "Game over: X ends 1 line ahead"),
        ("move XXX...... --turn O", "there is no move to make. Game over: X wins"),
        ("move XXXOO....  --json", "there is no move to make"),
        ("show XXXOOO...", "shows a line of X and a line of O"),
        ("draw XXXOOO... --variant fastest -o -", "fastest: board 'XXXOOO...' shows"),
        ("move ×........", "board '×........' has '×' in cell 0; the marks are"),
    ],
)  # fmt: skip
def test_bad_data_exits_1(arguments: str, message: str, ttt: Run) -> None:
    """One line on standard error that says how to put it right, and no answer."""
    done = ttt(*arguments.split())
    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert ("--turn" in done.err) == ("--turn" in message)
    assert done.err.startswith("ttt: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        "move",
        "fly",
        "--fly",
        "move XX.OO.... extra",
        "move XX.OO.... --turn x",
        "move XX.OO.... --turn 2",
        "move XX.OO.... --variant chess",
        "draw XX.OO....",
        "map -o map.svg",
        "map --player Z -o map.svg",
        "play --player both",
        "events a b",
        "verify tables",
        "info --turn 0",
    ],
)
def test_wrong_usage_exits_2(arguments: str, ttt: Run) -> None:
    """With the usage on standard error."""
    done = ttt(*arguments.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("usage: ttt")


def test_a_complaint_that_nobody_hears(
    ttt: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status tells all the same."""

    def fail(file: int, text: bytes) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(os, "write", fail)
    assert ttt("move", "xx.oo....") == (1, "", "")


# help


def test_ttt_alone_is_its_help(ttt: Run) -> None:
    """It names every command and every variant."""
    done = ttt()
    assert (done.status, done.err) == (0, "")
    assert done == ttt("--help") == ttt("-h")
    for name in COMMANDS:
        assert re.search(rf"^    {name} +\w", done.out, re.MULTILINE)
    for variant in oracle.VARIANTS:
        assert re.search(rf"^  {variant} +\w", done.out, re.MULTILINE)


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield each example of a help text: the command and what it prints."""
    for match in re.finditer(r"^  \$ (.*)\n((?:(?:  (?!\$).*)?\n)*)", text, re.M):
        yield match[1], re.sub("^  ", "", match[2], flags=re.M).strip("\n")


@pytest.mark.process
def test_examples_of_the_help_are_true(ttt: Run, tmp_path: Path) -> None:
    """Every command has one; what it prints is what the help says."""
    (tmp_path / "tables").symlink_to(HERE.parent / "tables")
    shell = f'ttt() {{ "{sys.executable}" -m ttt_runtime "$@"; }}\n'
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    for name in ["", *COMMANDS]:
        text = ttt(*name.split(), "--help").out
        found = list(examples(text.partition("exit status")[0]))
        assert len(found) == (1 if name else 2), name
        for command, printed in found:
            assert f"ttt {name}" in command
            done = subprocess.run(
                shell + command,
                shell=True,
                capture_output=True,
                text=True,
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
            assert (done.returncode, done.stderr) == (0, ""), command
            if printed:
                assert done.stdout.strip("\n") == printed
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "board.svg",
        "map.svg",
        "tables",
    ]


@pytest.mark.parametrize("columns", ["1", "20", "200"])
def test_help_fits_any_terminal(
    columns: str, ttt: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However narrow."""
    monkeypatch.setenv("COLUMNS", columns)
    for name in ["", *COMMANDS]:
        assert ttt(*name.split(), "-h").status == 0
        assert ttt(name, "--fly").status == 2


# play


def grids(transcript: str) -> list[str]:
    """Return the boards that a transcript shows."""
    found = []
    row = r" (.) \| (.) \| (.)\n"
    for match in re.finditer(rf"{row}[-+]+\n{row}[-+]+\n{row}", transcript):
        assert all(
            mark in "XO" or mark == str(c) for c, mark in enumerate(match.groups())
        )
        found.append(re.sub(r"\d", ".", "".join(match.groups())))
    return found


def scripted(
    variant: str, board: str, turn: int, human: int, chance: random.Random
) -> tuple[list[str], list[str]]:
    """Play as the rules say: the human's inputs, and the boards from first to last."""
    inputs, boards = [], [board]
    while not oracle.ended(variant, board):
        best = oracle.best(variant, board, turn)
        cell = best[0]
        if turn == human:
            free = [cell for cell in range(9) if board[cell] == "."]
            cell = chance.choice(best if chance.random() < 0.7 else free)
            inputs.append(chance.choice([str(cell), f"{cell // 3},{cell % 3}"]))
        board = oracle.play(board, turn, cell)
        boards.append(board)
        turn = 1 - turn
    return inputs, boards


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_games_to_each_result(variant: str, ttt: Run) -> None:
    """The computer answers as the oracle does; the end is told, and for whom it is."""
    chance = random.Random(5)
    states = sorted(oracle.reached(variant))
    results = dict.fromkeys(
        [(human, end) for human in "XO" for end in ("win", "draw", "loss")], 0
    )
    while min(results.values()) < 3:
        board, turn = chance.choice([("." * 9, 0), chance.choice(states)])
        human = chance.randrange(2)
        inputs, boards = scripted(variant, board, turn, human, chance)
        end = result(oracle.score(variant, boards[-1]), human)
        results["XO"[human], end] += 1
        arguments = ["--variant", variant, "--player", "XO"[human]]
        start = [] if board == "." * 9 else [board]
        done = ttt("play", *start, *arguments, given="\n".join([*inputs, ""]))
        assert (done.status, done.err) == (0, "")
        assert grids(done.out) == boards
        yours = {"win": " You win.", "draw": "", "loss": " You lose."}[end]
        last = sentence(variant, boards[-1], turn) + yours
        assert done.out.endswith(f"\n\n{last}\n")
        assert done.out.count("Your move") == len(inputs)
        assert done.out.count("The computer plays") == len(boards) - 1 - len(inputs)


def test_a_game(ttt: Run) -> None:
    """Attempts of every kind, to the character."""
    given = "undo\n4\n4\nhint\n2,0\nu\n9\n1, 2\nquit\n"
    done = ttt("play", "--variant", "fastest", given=given)
    assert done.err == ""
    assert done.status == 0
    assert (
        done.out
        == """\
You play X, the computer O; type ? for help.

 0 | 1 | 2
---+---+---
 3 | 4 | 5
---+---+---
 6 | 7 | 8

Your move, X: undo
There is no move of yours to take back.

 0 | 1 | 2
---+---+---
 3 | 4 | 5
---+---+---
 6 | 7 | 8

Your move, X: 4

 0 | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 6 | 7 | 8

The computer plays cell 0.

 O | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 6 | 7 | 8

Your move, X: 4
Cell 4 is taken by X; choose another.

 O | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 6 | 7 | 8

Your move, X: hint
Best: 1, 2, 3, 5, 6, 7, 8 (a draw with perfect play).

 O | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 6 | 7 | 8

Your move, X: 2,0

 O | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 X | 7 | 8

The computer plays cell 2.

 O | 1 | O
---+---+---
 3 | X | 5
---+---+---
 X | 7 | 8

Your move, X: u

 O | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 6 | 7 | 8

Your move, X: 9
'9' is no cell; type 0 to 8, or row,column, each 0 to 2; ? for help.

 O | 1 | 2
---+---+---
 3 | X | 5
---+---+---
 6 | 7 | 8

Your move, X: 1, 2

 O | 1 | 2
---+---+---
 3 | X | X
---+---+---
 6 | 7 | 8

The computer plays cell 3.

 O | 1 | 2
---+---+---
 O | X | X
---+---+---
 6 | 7 | 8

Your move, X: quit
Goodbye.
"""
    )


def test_undo_goes_back_to_the_start(ttt: Run) -> None:
    """Move by move; then there is nothing left to take back."""
    done = ttt("play", "--player", "O", given="1\n8\nu\nu\nU\nq\n")
    first, second = "X........", "XO......."
    third = oracle.play(second, 0, oracle.best("standard", second, 0)[0])
    fourth = oracle.play(third, 1, 8)
    fifth = oracle.play(fourth, 0, oracle.best("standard", fourth, 0)[0])
    assert grids(done.out) == [
        *("." * 9, first, second, third, fourth, fifth),
        *(third, first, first),
    ]
    assert done.out.count("There is no move of yours") == 1


def test_each_command_of_the_game_has_a_letter(ttt: Run) -> None:
    """The letter and the word do the same."""
    for word in ("undo", "hint"):
        outs = [ttt("play", given=f"4\n{name}\nq\n").out for name in (word, word[0])]
        boards = ["." * 9, "....X....", "O...X...."]
        boards.append({"undo": "." * 9, "hint": "O...X...."}[word])
        assert grids(outs[0]) == grids(outs[1]) == boards
        assert outs[0].replace(f": {word}\n", f": {word[0]}\n") == outs[1]


def test_a_turn_that_is_given_counts_to_the_end(ttt: Run) -> None:
    """On boards that no game has, for the hint and for the result."""
    board = "XX......."
    best = oracle.best("fastest", board, 1)
    options = ["--turn", "O", "--player", "O", "--variant", "fastest"]
    done = ttt("play", board, *options, given="h\n")
    words = sentence("fastest", board, 1).partition(": ")[2].partition(".")[0]
    assert f"Best: {', '.join(map(str, best))} ({words}).\n" in done.out
    done = ttt("play", board, "--turn", "X", given="2\n")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("\n\nGame over: X wins. You win.\n")
    done = ttt("play", "XXXX.....", "--turn", "O", "--player", "O")
    assert done.out.endswith("\n\nGame over: X wins. You lose.\n")


@pytest.mark.parametrize("word", ["q", "quit", "Quit", " QUIT ", "Q", None])
def test_leaving(word: str | None, ttt: Run) -> None:
    """By a word, or by the end of the input: the status is 0."""
    done = ttt("play", given="" if word is None else f"{word}\n4\n")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("\nGoodbye.\n")
    assert grids(done.out) == ["." * 9]


@pytest.mark.parametrize("word", ["?", "help"])
def test_help_of_the_game(word: str, ttt: Run) -> None:
    """It names every command."""
    done = ttt("play", given=f"{word}\n")
    for name in ("undo (u)", "hint (h)", "quit (q)", "0 to 8", "row,column"):
        assert name in done.out


@pytest.mark.parametrize(
    "text",
    [
        b"", b"9", b"-1", b"00", b"+1", b"1.0", b"3,0", b"0,-1", b"0,", b",", b"1,1,1",
        b"1 1", b"x", b"undo!", b"\xff", "\u0664".encode(), "\uff14".encode(), b"\x00",
        b"\xe2\x80\xa8", b"4" * 5000, b"\x1b[2J",
    ],
)  # fmt: skip
def test_what_is_no_cell_costs_nothing(text: bytes, ttt: Run) -> None:
    """It is named, and the board is as it was."""
    done = ttt("play", given=text + b"\n4\n")
    assert (done.status, done.err) == (0, "")
    assert " is no cell; type 0 to 8, or row,column, each 0 to 2" in done.out
    assert grids(done.out)[:3] == ["." * 9, "." * 9, "....X...."]


def test_a_taken_cell_costs_nothing(ttt: Run) -> None:
    """Whoever has it; the board is shown as it was, and the move is still to make."""
    done = ttt("play", "XO.......", given="0\n0,1\n2\n")
    assert done.out.count("Cell 0 is taken by X; choose another.") == 1
    assert done.out.count("Cell 1 is taken by O; choose another.") == 1
    assert grids(done.out)[:4] == [*["XO......."] * 3, "XOX......"]


def test_play_can_start_anywhere(ttt: Run) -> None:
    """At the end of a game, too; a turn that the counts do not tell is given."""
    done = ttt("play", "XXXOO....")
    assert done.out.endswith("\n\nGame over: X wins. You win.\n")
    assert ttt("play", "XX.......").status == 1
    done = ttt("play", "XX.......", "--turn", "O", given="q\n")
    assert grids(done.out) == ["XX.......", "XXO......"]


# events


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: str(case["id"]))
def test_known_events(case: dict[str, Any], ttt: Run, tmp_path: Path) -> None:
    """From standard input, by either name, and from a file."""
    text = json.dumps(case["human_moves"])
    path = tmp_path / "attempts.json"
    path.write_text(text)
    done = ttt("events", given=text)
    assert (done.status, json.loads(done.out), done.err) == (0, case["events"], "")
    assert done == ttt("events", "-", given=f" {text}\n") == ttt("events", str(path))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "standard input: is not JSON (Expecting value: line 1 column 1 (char 0)"),
        ("[[0, 0]", "standard input: is not JSON (Expecting ',' delimiter: line 1"),
        ("[[0, 0]] x", "is not JSON (Extra data"),
        (b"\xff", "standard input: is not JSON ('utf-8' codec can't decode"),
        ("[" * 100000, "standard input: is not JSON (maximum recursion depth"),
        ("9" * 5000, "standard input: is not JSON (Exceeds the limit"),
        ("{}", "standard input: human_moves is of type dict, expected a sequence"),
        ("null", "standard input: human_moves is None"),
        ("[0, 0]", "human_moves[0] is 0, expected a pair [row, column]"),
        ("[[0, 0], [3, 0]]", "human_moves[1]: row is 3, expected an integer from 0"),
        ('[["0", 0]]', "human_moves[0]: row is '0', expected an integer"),
        ("[[0, 1.0]]", "human_moves[0]: column is 1.0"),
        ("[[true, 0]]", "human_moves[0]: row is True"),
        ("[[NaN, 0]]", "human_moves[0]: row is nan"),
    ],
)
def test_bad_attempts_exit_1(given: str | bytes, message: str, ttt: Run) -> None:
    """One line that says where and what; no event."""
    done = ttt("events", given=given)
    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_file_that_cannot_be_read(ttt: Run, tmp_path: Path) -> None:
    """It is named."""
    missing = tmp_path / "missing.json"
    done = ttt("events", str(missing))
    assert done == (1, "", f"ttt: {missing}: No such file or directory\n")
    done = ttt("events", str(tmp_path))
    assert done == (1, "", f"ttt: {tmp_path}: Is a directory\n")
    (tmp_path / "bad.json").write_bytes(b"\xff")
    done = ttt("events", str(tmp_path / "bad.json"))
    assert done.err.startswith(f"ttt: {tmp_path / 'bad.json'}: is not JSON ('utf-8'")
    (tmp_path / "bad.json").write_text("[1]")
    done = ttt("events", str(tmp_path / "bad.json"))
    assert done.err.startswith(f"ttt: {tmp_path / 'bad.json'}: human_moves[0] is 1")


# draw and map


def test_pictures_are_written_as_they_are(ttt: Run, tmp_path: Path) -> None:
    """To a file, over a file, and to standard output."""
    path = tmp_path / "picture.svg"
    board = board_picture(load("fill"), "X...O...X", 0)
    asked = ["X...O...X", "--turn", "X", "--variant", "fill"]
    assert ttt("draw", *asked, "-o", str(path)) == (0, "", "")
    assert path.read_text() == board
    assert ttt("draw", *asked, "-o", "-") == (0, board, "")
    for player, turn in (("X", 0), ("O", 1)):
        sheet = map_picture(load("fastest"), turn)
        asked = ["--player", player, "--variant", "fastest"]
        assert ttt("map", *asked, "-o", str(path)) == (0, "", "")
        assert path.read_text() == sheet
        assert ttt("map", *asked, "-o", "-") == (0, sheet, "")
    standard = map_picture(load(), 1)
    assert ttt("map", "--player", "O", "-o", "-").out == standard
    assert list(tmp_path.iterdir()) == [path]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/board.svg", "No such file or directory"),
        ("file/board.svg", "Not a directory"),
        (".", "Is a directory"),
        ("a" * 300, "File name too long"),
    ],
)
def test_where_nothing_can_be_written(
    name: str, reason: str, ttt: Run, tmp_path: Path
) -> None:
    """It is said in one line, and nothing is left behind."""
    (tmp_path / "file").write_text("mine")
    target = str(tmp_path / name) if name != "." else str(tmp_path)
    done = ttt("draw", ".........", "-o", target)
    assert done == (1, "", f"ttt: {target}: {reason}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_is_replaced_as_a_whole_or_not_at_all(
    ttt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the last step fails, the file is as it was."""
    path = tmp_path / "board.svg"
    path.write_text("old")

    def fail(source: str, target: str) -> None:
        assert Path(source).read_text() == board_picture(load(), "." * 9, 0)
        assert Path(source).parent == tmp_path
        raise OSError(28, "No space left on device", source)

    monkeypatch.setattr(os, "replace", fail)
    done = ttt("draw", ".........", "-o", str(path))
    assert done == (1, "", f"ttt: {path}: No space left on device\n")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_plain_file_is_not_replaced(ttt: Run, tmp_path: Path) -> None:
    """A link stays a link, a pipe stays a pipe."""
    link, target, fifo = (tmp_path / name for name in ("link", "target", "fifo"))
    link.symlink_to(target)
    os.mkfifo(fifo)
    board = board_picture(load(), "." * 9, 0)
    assert ttt("draw", ".........", "-o", str(link)).status == 0
    assert link.is_symlink()
    assert target.read_text() == board
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()), daemon=True)
    reader.start()
    assert ttt("draw", ".........", "-o", str(fifo)).status == 0
    reader.join(30)
    assert read == [board]
    assert fifo.is_fifo()
    if os.path.exists("/dev/full"):
        done = ttt("draw", ".........", "-o", "/dev/full")
        assert done.err == "ttt: /dev/full: No space left on device\n"
        assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_file_that_is_in_the_way_is_not_written_to(ttt: Run, tmp_path: Path) -> None:
    """A link in place of the file that is written first is not followed."""
    path = tmp_path / "board.svg"
    other = tmp_path / "other"
    other.write_text("mine")
    Path(f"{path}.{os.getpid()}.tmp").symlink_to(other)
    done = ttt("draw", ".........", "-o", str(path))
    assert done == (1, "", f"ttt: {path}: File exists\n")
    assert other.read_text() == "mine"


# verify and info


def test_verify(ttt: Run, tmp_path: Path) -> None:
    """The packaged tables are right; a directory without any is not."""
    done = ttt("verify")
    assert (done.status, done.err) == (0, "")
    for variant in oracle.VARIANTS:
        assert f"{variant}: all 39366 states" in done.out
    done = ttt("verify", "--directory", str(tmp_path / "caf\u00e9"))
    assert (done.status, done.out) == (1, "")
    assert f"{tmp_path}/caf\u00e9/checksums.txt: cannot be read" in done.err


def test_info(ttt: Run) -> None:
    """Version, directory, and the counts of the oracle."""
    about = json.loads(ttt("info", "--json").out)
    text = ttt("info").out
    import ttt_runtime

    assert about["version"] == ttt_runtime.__version__
    assert about["tables"] == load().directory
    assert about["states"] == len(oracle.STATES)
    version = Path(load().directory, "VERSION").read_text()
    assert version == f"ttt-tables {about['format']}\n"
    assert list(about["variants"]) == oracle.VARIANTS
    for variant in oracle.VARIANTS:
        reached = oracle.reached(variant)
        finished = [board for board, _ in reached if oracle.ended(variant, board)]
        known = about["variants"][variant]
        assert (known["reachable"], known["finished"]) == (len(reached), len(finished))
        assert f"{variant}: {known['rule']}\n" in text
        assert f"{len(reached)} of them in games, {len(finished)} of those" in text
    for piece in (about["version"], about["format"], about["tables"]):
        assert piece in text


def test_tables_that_cannot_be_read_are_named(
    ttt: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 1, and one line with the remedy."""

    def refuse(variant: str) -> None:
        raise TableError(f"tables/{variant}: damaged; rebuild")

    monkeypatch.setattr("ttt_runtime.cli.commands.load", refuse)
    done = ttt("move", ".........")
    assert done == (1, "", "ttt: tables/standard: damaged; rebuild\n")


# the terminal


def on_terminal(*arguments: str, **environment: str) -> str:
    """Run the command with a terminal as standard output; return what it shows."""
    outer, inner = pty.openpty()
    base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(
        [*TTT, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=inner,
        env={**base, "TERM": "xterm", **environment},
    ) as running:
        os.close(inner)
        shown = b""
        with contextlib.suppress(OSError):  # the terminal goes when the process does
            while piece := os.read(outer, 1 << 16):
                shown += piece
        os.close(outer)
    assert running.returncode == 0
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "X...O...X", "--variant", "fastest"],
        ["play", "X...O...X", "--player", "O"],
    ],
)
def test_colour_is_for_terminals_and_says_nothing_more(arguments: list[str]) -> None:
    """NO_COLOR, if not empty, and TERM=dumb are heeded; so is a pipe."""
    plain = process(*arguments).stdout
    coloured = on_terminal(*arguments)
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[\d+m", "", coloured) != coloured
    bare = re.sub(r"\x1b\[\d+m", "", coloured)
    assert re.sub(" +\n", "\n", bare) == re.sub(" +\n", "\n", plain)
    assert on_terminal(*arguments, NO_COLOR="1") == plain
    assert on_terminal(*arguments, TERM="dumb") == plain
    assert on_terminal(*arguments, NO_COLOR="") == coloured


@pytest.mark.process
def test_a_game_on_a_terminal() -> None:
    """What is typed is not written twice; Ctrl-C ends it with 130, without a word."""
    outer, inner = pty.openpty()
    streams = {"stdin": inner, "stdout": inner, "stderr": subprocess.PIPE}
    with started("play", **streams, env={**BUFFERED, "NO_COLOR": "1"}) as running:
        os.close(inner)

        def shown(until: str) -> str:
            text = ""
            while until not in text:
                assert select.select([outer], [], [], 30)[0], text
                text += os.read(outer, 1 << 16).decode()
            return text

        shown("Your move, X: ")
        os.write(outer, b"4\n")
        text = shown("Your move, X: ")
        assert text.startswith("4\r\n\r\n 0 | 1 | 2\r\n---+---+---\r\n 3 | X | 5")
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
        assert running.stderr is not None
        assert running.stderr.read() == b""
    os.close(outer)


@pytest.mark.process
def test_ctrl_c_at_a_pipe() -> None:
    """The same where nobody looks."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with started("play", **streams, env=BUFFERED) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        text = b""
        while not text.endswith(b"Your move, X: "):
            assert select.select([running.stdout], [], [], 30)[0], text
            text += os.read(running.stdout.fileno(), 1 << 16)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
        assert running.stderr.read() == b""


ANSWERS = [
    ["move", "XX.OO...."],
    ["show", "XX.OO....", "--json"],
    ["play"],
    ["draw", ".........", "-o", "-"],
    ["map", "--player", "O", "-o", "-"],
    ["info"],
    [],
    ["move", "--help"],
]


@pytest.mark.process
@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_a_reader_that_leaves_early_is_no_fault(arguments: list[str]) -> None:
    """A closed pipe ends the command quietly."""
    outer, inner = os.pipe()
    os.close(outer)
    done = process(*arguments, stdout=inner)
    os.close(inner)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_a_full_disk_is_reported(arguments: list[str]) -> None:
    """Once; what could not be written is not taken for written."""
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        buffered = process(*arguments, stdout=full)
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        unbuffered = process(*arguments, stdout=full, env=environment)
    assert buffered.returncode == 1
    assert buffered.stderr == "ttt: standard output: No space left on device\n"
    if "--help" not in arguments:  # argparse keeps it to itself
        assert unbuffered.returncode == 1
        assert unbuffered.stderr == buffered.stderr


@pytest.mark.process
def test_streams_that_are_closed() -> None:
    """Without standard output nothing can be told; without input a game is left."""
    shell = f"{sys.executable} -m ttt_runtime"
    for command, status, out, err in [
        ("move XX.OO.... >&-", 1, "", "ttt: standard output is closed\n"),
        ("move XX.OO.... <&- 2>&-", 0, "2\n", ""),
        ("play XXXOO.... <&-", 0, None, ""),
        ("play <&-", 0, None, ""),
        ("events <&-", 1, "", None),
    ]:
        done = subprocess.run(
            f"{shell} {command}", shell=True, capture_output=True, text=True
        )
        assert done.returncode == status, command
        assert out is None or done.stdout == out, command
        assert err is None or done.stderr == err, command
        assert "Traceback" not in done.stderr


@pytest.mark.process
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_any_locale_will_do(encoding: str) -> None:
    """What cannot be read or shown is escaped."""
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": encoding,
    }
    for arguments in ANSWERS:
        done = process(*arguments, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.isascii()

    def raw(*arguments: str | bytes, given: bytes = b"") -> tuple[int, bytes, bytes]:
        done = subprocess.run(
            [*TTT, *arguments], input=given, capture_output=True, env=environment
        )
        return done.returncode, done.stdout, done.stderr

    status, out, err = raw("play", given=b"\xc3\xa9\n\xff\n4\n")
    assert (status, err) == (0, b"")
    assert out.count(b" is no cell") == 2
    assert grids(out.decode(errors="replace"))[-1] == "O...X...."
    status, out, err = raw("move", b"\xff" * 9)
    assert (status, out) == (1, b"")
    assert err.startswith(b"ttt: board '")
    status, out, err = raw("draw", "." * 9, "-o", b"/\xff/\xe9")
    assert (status, out) == (1, b"")
    assert err.endswith(b": No such file or directory\n")
    assert err.count(b"\n") == 1


@pytest.mark.process
def test_it_runs_without_docstrings() -> None:
    """The help of the commands is made of them."""
    done = subprocess.run(
        [sys.executable, "-OO", "-m", "ttt_runtime", "move", "XX.OO...."],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


@pytest.mark.process
def test_importing_the_package_does_not_import_the_command() -> None:
    """Nor NumPy; nor does a look-up on the command line."""
    script = (
        "import sys, ttt_runtime; print(*sys.modules); "
        "import ttt_runtime.cli; ttt_runtime.cli.main(['move', 'XX.OO....']); "
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=UNMEASURED,
    )
    before, _, after = done.stdout.strip().split("\n")
    for name in ("argparse", "ttt_runtime.cli", "ttt_runtime.cli.words"):
        assert name not in before.split()
    for name in ("numpy", "msgpack", "json", "ttt_runtime.cli.pictures"):
        assert name not in after.split()


@pytest.mark.parametrize(
    ("arguments", "you"),
    [
        ([], "X"),
        (["--player", "O"], "O"),
        (["X........"], "X"),
        (["--first", "human"], "X"),
        (["--first", "computer"], "O"),
        (["--board", "X........", "--first", "human"], "O"),
        (["--board", "X........", "--first", "computer"], "X"),
        (["X........", "--first", "human"], "O"),
        (["XX.......", "--turn", "1", "--first", "human"], "O"),
    ],
)
def test_who_moves_next_says_who_you_are(
    arguments: list[str], you: str, ttt: Run
) -> None:
    """With --first human you have the side to move, and else the other."""
    done = ttt("play", *arguments, given="quit\n")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"You play {you}, ")


# in this process, with streams that are not as usual


class Terminal(io.StringIO):
    """A terminal at which somebody types, and presses Ctrl-C after the last line."""

    def isatty(self) -> bool:
        """Say so."""
        return True

    def readline(self, _: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the next line that is typed."""
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


def test_what_is_typed_is_not_written_twice(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends the line and the game, with status 130."""
    monkeypatch.setattr(sys, "stdin", Terminal("4\n"))
    assert main(["play"]) == 130
    out, err = capfd.readouterr()
    assert err == ""
    assert "Your move, X: \n 0 | 1 | 2\n---+---+---\n 3 | X | 5" in out
    assert out.endswith("\n\nYour move, X: \n")


def test_what_is_asked_is_shown_before_it_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also to a program at the other end of a pipe."""
    pipe = io.BytesIO()

    class Program(io.StringIO):
        """What answers when it has been asked."""

        def readline(self, _: int | None = -1, /) -> str:  # type: ignore[override]
            """Read to the end what is there."""
            assert pipe.getvalue().endswith(b"\n\nYour move, X: ")
            return super().readline()

    monkeypatch.setattr(sys, "stdin", Program("4\n1\nq\n"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe))
    assert main(["play"]) == 0
    assert pipe.getvalue().count(b"Your move, X: ") == 3


def test_what_is_typed_at_a_pipe_is_written_as_it_is(ttt: Run) -> None:
    """Nobody would see it otherwise; but for the end of the line."""
    done = ttt("play", given=" X \r\nX\n")
    assert "Your move, X:  X \n'x' is no cell; " in done.out
    assert "Your move, X: X\n'x' is no cell; " in done.out


def test_without_standard_input(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game is left; and nothing at all is not JSON."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["play"]) == 0
    assert capfd.readouterr().out.endswith("\nYour move, X: \nGoodbye.\n")
    assert main(["events"]) == 1
    assert capfd.readouterr().err == (
        "ttt: standard input: is not JSON (Expecting value: line 1 column 1 (char 0)); "
        "expected attempts, [[0, 0], [1, 1]]\n"
    )


def test_without_standard_output(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said on standard error, and nothing is done."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["move", "xx.oo...."]) == 1
    assert capfd.readouterr() == ("", "ttt: standard output is closed\n")


def test_characters_that_cannot_be_shown_are_escaped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On standard output, and those that cannot be read on standard input."""
    shown = io.BytesIO()
    typed = io.BytesIO("\u00e9\n".encode())
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="ascii"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(typed, encoding="ascii"))
    assert main(["play"]) == 0
    assert rb"'\\xc3\\xa9' is no cell" in shown.getvalue()
    typed = io.BytesIO("\u00e9\n".encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(typed, encoding="utf-8"))
    assert main(["play"]) == 0
    assert rb"'\xe9' is no cell" in shown.getvalue()


class Failing(io.StringIO):
    """An output on which nothing arrives: it fails when it is flushed."""

    def __init__(self, error: OSError, file: int) -> None:
        """Fail with this error; the number is that of a file."""
        super().__init__()
        self.error, self.file = error, file

    def flush(self) -> None:
        """Fail."""
        raise self.error

    def fileno(self) -> int:
        """Return the number."""
        return self.file


FULL = OSError(28, "No space left on device")
GONE = BrokenPipeError(32, "Broken pipe")
NO_SPACE = "ttt: standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("error", "arguments", "status", "complaint"),
    [
        (FULL, ["move", "XX.OO...."], 1, NO_SPACE),
        (FULL, ["play"], 1, NO_SPACE),
        (FULL, ["--help"], 1, NO_SPACE),
        (FULL, ["move", "XXXOO...."], 1, "ttt: board 'XXXOO....': there is no move to "
         "make. Game over: X wins\n"),
        (GONE, ["move", "XX.OO...."], 0, ""),
        (GONE, ["play"], 0, ""),
    ],
)  # fmt: skip
def test_output_that_does_not_arrive(
    error: OSError,
    arguments: list[str],
    status: int,
    complaint: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is said once; the interpreter, which tries once more, writes to nowhere."""
    with open(tmp_path / "full", "w") as file:
        monkeypatch.setattr(sys, "stdout", Failing(error, file.fileno()))
        monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
        assert main(arguments) == status
        os.write(file.fileno(), b"once more")
    assert (tmp_path / "full").read_bytes() == b""
    assert capfd.readouterr().err == complaint


def test_a_complaint_is_written_in_any_case(
    ttt: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a name that is no text, and of an error that has no file."""
    done = ttt("draw", "." * 9, "-o", "/\udcff/board.svg")
    assert done == (1, "", "ttt: /\\udcff/board.svg: No such file or directory\n")

    def fail(variant: str) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("ttt_runtime.cli.commands.load", fail)
    done = ttt("move", ".........")
    assert done == (1, "", "ttt: standard output: Input/output error\n")


def test_the_arguments_are_those_of_the_command_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless they are given."""
    monkeypatch.setattr(sys, "argv", ["ttt", "move", "XX.OO...."])
    assert main() == 0
    assert capfd.readouterr() == ("2\n", "")


def test_help_without_docstrings(ttt: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command without one is named, and nothing is said of it."""
    monkeypatch.setattr(cli.commands._move, "__doc__", None)
    assert re.search("^    move$", ttt("--help").out, re.MULTILINE)
    done = ttt("move", "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("\nexample:\n")


def test_python_m_ttt_runtime_is_the_command(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its status is that of the process; to import it does nothing."""
    for board, status, out in (("XX.OO....", 0, "2\n"), ("xx.oo....", 1, "")):
        monkeypatch.setattr(sys, "argv", ["ttt", "move", board])
        with pytest.raises(SystemExit) as caught:
            runpy.run_module("ttt_runtime", run_name="__main__")
        assert caught.value.code == status
        assert capfd.readouterr().out == out
    runpy.run_module("ttt_runtime.__main__", run_name="ttt_runtime.__main__")
    assert capfd.readouterr() == ("", "")


def test_completion_where_it_is_installed(
    ttt: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Argcomplete gets to know the commands; without it all else is the same."""
    known = []

    class Argcomplete:
        """The module, as far as it is used."""

        @staticmethod
        def autocomplete(parser: ArgumentParser) -> None:
            """Look at the commands."""
            known.append(parser.format_help())

    monkeypatch.setitem(sys.modules, "argcomplete", Argcomplete)
    assert ttt("move", "XX.OO....") == (0, "2\n", "")
    (commands,) = known
    assert ttt("--help").out == commands
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    assert ttt("move", "XX.OO....") == (0, "2\n", "")


def test_colours_have_a_meaning() -> None:
    """Marks are bold, numbers faint; a win is green, a draw yellow, a loss red."""
    bold, faint, green = "\x1b[1m%s\x1b[0m", "\x1b[2m%s\x1b[0m", "\x1b[32m%s\x1b[0m"
    yellow, red = "\x1b[33m%s\x1b[0m", "\x1b[31m%s\x1b[0m"
    text = values_text(load("fastest"), "XX.OO...X", 1, colour=True)
    assert text.split("\n")[:8] == [
        "|".join([faint % f" {each:<9} " for each in ("0", "1", "2")]),
        "|".join([bold % "     X     ", bold % "     X     ", green % "  win in 3 "]),
        "+".join(["-" * 11] * 3),
        "|".join([faint % f" {each:<9} " for each in ("3", "4", "5 *")]),
        "|".join([bold % "     O     ", bold % "     O     ", green % "  win in 1 "]),
        "+".join(["-" * 11] * 3),
        "|".join([faint % f" {each:<9} " for each in ("6", "7", "8")]),
        "|".join([red % " loss in 2 ", red % " loss in 2 ", bold % "     X     "]),
    ]
    text = values_text(load(), "X...O...X", 1, colour=True)
    assert yellow % "    draw   " in text
    assert board_text("X...O...X", colour=True).split("\n")[0] == "|".join(
        [bold % " X ", faint % " 1 ", faint % " 2 "]
    )


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize(
    ("environment", "welcome"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0", "TERM": "xterm"}, False),
        ({"no_color": "1", "term": "dumb"}, True),
    ],
)
def test_where_colour_is_welcome(
    terminal: bool,
    environment: dict[str, str],
    welcome: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a terminal, unless NO_COLOR says no, or the terminal is dumb."""
    shown = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stdout", shown)
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert shows_colour() is (terminal and welcome)
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    for arguments in (["show", "X...O...X"], ["play"]):
        shown.seek(0)
        shown.truncate()
        assert main(arguments) == 0
        assert ("\x1b[" in shown.getvalue()) is (terminal and welcome)
