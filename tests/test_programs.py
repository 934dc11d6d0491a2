"""Exported contest programs, and random input for them: both hold against the judge."""

import ast
import random
import sys
from itertools import cycle
from pathlib import Path

import pytest

from tests import oracle
from tests.clients import need, run
from tests.exports import STRICT
from tests.files import ROOT
from tests.sessions import Run
from tests.test_judge import (
    ANSWER,
    BOARDS,
    LAYOUTS,
    QUERY,
    judged,
    problem,
    spread,
    whole,
)
from ttt_runtime.export import source
from ttt_runtime.export.programs import program
from ttt_runtime.judge.command import PROBLEMS
from ttt_runtime.judge.inputs import random_input

LANGUAGES = {"CPython": sys.executable, "PyPy": "pypy3", "C++": "g++"}
BUNDLED = ROOT / "tests" / "data" / "situation-40000.txt"

Command = list[str]


def made(name: str, language: str, directory: Path) -> Command:
    """Write a program, compile it if that is its way, and return what runs it."""
    need(LANGUAGES[language])
    if language == "C++":
        (directory / "main.cpp").write_text(source(name, "cpp"))
        flags = [each for each in STRICT if each != "-Wconversion"]
        compiled = run(
            "g++", "-std=c++17", *flags, "main.cpp", "-o", "main", cwd=directory
        )
        assert compiled == (0, b"", b"")
        return [str(directory / "main")]
    (directory / "main.py").write_text(source(name, "python"))
    return [LANGUAGES[language], str(directory / "main.py")]


def answered(command: Command, text: str) -> str:
    status, out, err = run(*command, stdin=text.encode())
    assert (status, err) == (0, b"")
    return out.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_program_answers_every_board_in_every_layout(
    name: str, language: str, tmp_path: Path
) -> None:
    command = made(name, language, tmp_path)
    states = oracle.STATES if name == "situation" else BOARDS
    if name == "3C":  # one board an input
        states = BOARDS[::1301]
    answers = {state: ANSWER[name](*state) for state in states}
    sound = {state: answer for state, answer in answers.items() if answer is not None}
    asked = [QUERY[name](*state) for state in sound]
    expected = [f"{answer}\n" for answer in sound.values()]
    if name == "3C":
        for text, answer, layout in zip(asked, expected, cycle(LAYOUTS.values())):
            assert answered(command, layout(text)) == answer
    else:
        text = whole(name, asked)
        spreading = spread(text, random.Random(5))
        for given in [*[layout(text) for layout in LAYOUTS.values()], spreading]:
            assert answered(command, given) == "".join(expected)
    status, out, err = run(*command, "--check")
    assert (status, err) == (0, b"")
    assert out.decode().split() in (
        [name, "is", "sound"],
        [f"{name}.py", "is", "sound"],
    )


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_python_program_knows_every_board_by_itself(name: str) -> None:
    names: dict[str, object] = {"__name__": "program"}
    exec(program(name, "python"), names)
    answers = names["answers"]
    assert callable(answers)
    for board, turn in [*oracle.STATES[::7], ("." * 9, 0)]:
        answer = ANSWER[name](board, turn)
        if answer is not None:
            text = QUERY[name](board, turn)
            asked = text if name == "3C" else whole(name, [text])
            assert answers(asked.encode()) == f"{answer}\n".encode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_situation_answers_the_bundled_file(language: str, tmp_path: Path) -> None:
    command, given = made("situation", language, tmp_path), BUNDLED.read_text()
    assert answered(command, given) == judged(problem("situation"), given.encode())[0]


@pytest.mark.parametrize("language", ["CPython", "C++"])
def test_what_is_no_input_is_refused(language: str, tmp_path: Path) -> None:
    command = made("situation", language, tmp_path)
    for text in (
        "",
        "x\n",
        "2\n1\n.OO\nX.O\nOXO\n",
        "1\n1\n.OO\nX.O\nOX",
        "1\n1\n.oO\nX.O\nOXO\n",
    ):
        status, out, err = run(*command, stdin=text.encode())
        assert (status, out) == (1, b"")
        assert err.startswith(b"situation")
        assert b"Traceback" not in err


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_program_is_small_plain_and_the_same_each_time(name: str) -> None:
    text = source(name, "python")
    assert text == source(name, "python")
    assert len(text) < (16 if name == "situation" else 64) << 10
    tree = ast.parse(text, feature_version=(3, 8))
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules = {node.module for node in imported}
    assert modules <= {"binascii", "codecs", "zlib"}
    assert text.count("\nimport ") == text.count("\nimport sys\n") == 1
    assert len(source(name, "cpp")) < 64 << 10
    assert source(name, "cpp") == source(name, "cpp")


@pytest.mark.parametrize("name", PROBLEMS)
def test_random_input_is_what_the_judge_takes_and_a_seed_repeats_it(
    name: str, ttt: Run
) -> None:
    count = "1" if name == "3C" else "3000"
    out = ttt("queries", name, "--count", count, "--seed", "5").out
    assert out == ttt("queries", name, "--count", count, "--seed", "5").out
    assert out != ttt("queries", name, "--count", count, "--seed", "6").out
    given = f"1\n{out}" if name == "3C" else out
    answers, complaint = judged(problem(name), given.encode())
    assert complaint == ""
    assert answers.count("\n") == int(count)
    kinds = {"3C": 1, "toe1": 2, "toe2": 2, "csp-201803-4": 6}
    assert len(set(answers.splitlines())) >= kinds.get(name, 13)


def test_x_moves_next_on_random_boards_of_csp_and_games_lead_to_them() -> None:
    games = oracle.reached("standard")
    _, *digits = "".join(random_input("csp-201803-4", 3000, 5)).split()
    text = "".join(digits).translate({48: ".", 49: "X", 50: "O"})
    boards = [text[start : start + 9] for start in range(0, len(text), 9)]
    assert [board for board in boards if (board, 0) not in games] == []


SEED_1 = {
    "situation": "2\n1\nO..\nO.O\nXO.\n0\nXX.\nXOO\nOXO\n",
    "counting": "2\nOXXOXOOX.\n.XOO.XOX.\n",
    "csp-201803-4": "2\n2 1 1\n0 0 0\n1 2 2\n0 1 2\n2 1 1\n0 0 2\n",
    "3C": "0XX\n0X0\n0X.\n",
    "toe1": "2\nOXX\nOXO\nOX.\n\n.XO\nO.X\nOX.\n\n",
    "toe2": "OXXOXOOX.\n.XOO.XOX.\nend\n",
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_seed_stands_for_one_input_for_ever_in_the_layout_of_the_problem(
    name: str,
) -> None:
    count = 1 if name == "3C" else 2
    assert "".join(random_input(name, count, 1)) == SEED_1[name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("chess", "argument PROBLEM: problem is 'chess', expected one of situation, "
         "counting, csp-201803-4, 3C, toe1, toe2"),
        ("3C --count 2", "--count is 2; 3C has one query an input"),
        ("toe1 --count 0", "argument --count: count is '0', expected an integer from 1 "
         "to 999999999"),
        ("toe1 --seed -1", "argument --seed: seed is '-1', expected an integer from 0 "
         "to 4294967295"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_wrong_usage(
    arguments: str, message: str, ttt: Run
) -> None:
    done = ttt("queries", *arguments.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(f"\nttt queries: error: {message}\n")
