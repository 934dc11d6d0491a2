"""Tests of every problem that the judge answers, over every board there is."""

import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import oracle
from ttt_runtime import JudgeInputError
from ttt_runtime.judge import stream
from ttt_runtime.judge.command import PROBLEMS
from ttt_runtime.judge.queries import indices
from ttt_runtime.judge.queries import rows as rows_of

JUDGE = Path(sysconfig.get_path("scripts"), "ttt-judge")
REACHED = {board for board, _ in oracle.reached("standard")}


def turn_of(board: str) -> int:
    """Return whose turn the counts tell."""
    return board.count("X") - board.count("O")


def counting(board: str) -> str | None:
    """Count by playing on."""
    if board not in REACHED:
        return "-1 -1"
    x_wins, o_wins, _ = oracle.games(board, turn_of(board))
    return f"{x_wins} {o_wins}"


def csp_201803_4(board: str) -> str | None:
    """Score from X's side with X to move, by search."""
    if oracle.meaningless("fastest", board):
        return None
    return str(-oracle.value("fastest", board, 0))


def three_c(board: str) -> str | None:
    """Judge a board by counts and lines alone."""
    lead = turn_of(board)
    xs, os = oracle.lines(board, "X") > 0, oracle.lines(board, "O") > 0
    if lead not in (0, 1) or (xs and (os or lead == 0)) or (os and lead == 1):
        return "illegal"
    if xs:
        return "the first player won"
    if os:
        return "the second player won"
    if "." not in board:
        return "draw"
    return ["first", "second"][lead]


def toe2(board: str) -> str | None:
    """Tell whether a game ends on a board."""
    final = board in REACHED and oracle.ended("standard", board)
    return "valid" if final else "invalid"


def toe1(board: str) -> str | None:
    """Tell whether a game leads to a board."""
    return "yes" if board in REACHED else "no"


def rows(board: str) -> str:
    """Write a board as three lines."""
    return f"{board[:3]}\n{board[3:6]}\n{board[6:]}\n"


def digits(board: str) -> str:
    """Write a board as three lines of three integers."""
    return re.sub(
        r"(.)(.)(.)", r"\1 \2 \3\n", board.translate({46: 48, 88: 49, 79: 50})
    )


SOLVERS: dict[str, tuple[Callable[[str], str | None], Callable[[str], str]]] = {
    "counting": (counting, lambda board: f"{board}\n"),
    "csp-201803-4": (csp_201803_4, digits),
    "3C": (three_c, lambda board: rows(board.replace("O", "0"))),
    "toe2": (toe2, lambda board: f"{board}\n"),
    "toe1": (toe1, lambda board: f"{rows(board)}\n"),
}
COUNTED = ["counting", "csp-201803-4", "toe1"]


def problem(name: str) -> SimpleNamespace:
    """Return a problem that works its answers out once only."""
    module = import_module(f"ttt_runtime.judge.{PROBLEMS[name]}")
    answers = module.answers()
    return SimpleNamespace(**{**vars(module), "answers": lambda: answers})


def judged(given: bytes, of: SimpleNamespace, size: int = 1 << 18) -> tuple[str, str]:
    """Answer in this process: the answers and the complaint."""
    source = BytesIO(given)
    answers: list[bytes] = []
    try:
        stream.answer(of, lambda most: source.read(min(most, size)), answers.append)
    except JudgeInputError as error:
        return b"".join(answers).decode(), str(error)
    return b"".join(answers).decode(), ""


def judge(given: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(
        [sys.executable, JUDGE, *arguments], input=given, capture_output=True, text=True
    )


def wrapped(name: str, queries: list[str]) -> str:
    """Write queries as a whole input."""
    text = "".join(queries)
    if name in COUNTED:
        return f"{len(queries)}\n{text}"
    return f"{text}end\n" if name == "toe2" else text


LAYOUTS: dict[str, Callable[[str], str]] = {
    "as documented": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "a token a line": lambda text: "\n".join(text.split()) + "\n",
    "one line": lambda text: " ".join(text.split()),
    "blank lines": lambda text: "\n\n" + text.replace("\n", "\n \n"),
    "byte-order mark": lambda text: "\ufeff" + text,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*COUNTED, "toe2"])
def test_every_board_in_one_input(name: str, layout: str) -> None:
    """All 19,683 boards are answered as an independent solver does."""
    solver, query = SOLVERS[name]
    boards = [board for board in oracle.BOARDS if solver(board) is not None]
    given = LAYOUTS[layout](wrapped(name, [query(board) for board in boards]))
    answers, complaint = judged(given.encode(), problem(name))
    assert complaint == ""
    assert answers == "".join(f"{solver(board)}\n" for board in boards)


def test_every_board_of_3c() -> None:
    """One board an input, each in another layout."""
    solver, query = SOLVERS["3C"]
    of = problem("3C")
    for board, layout in zip(oracle.BOARDS, cycle(LAYOUTS.values()), strict=False):
        given = layout(query(board)).encode()
        assert judged(given, of) == (f"{solver(board)}\n", ""), board


@pytest.mark.parametrize("name", SOLVERS)
def test_the_documented_layout_is_the_one_that_is_read_fastest(name: str) -> None:
    """Many queries in it are read as one block, but not with a byte less."""
    _, query = SOLVERS[name]
    of = problem(name)
    block = "".join(query(board) for board in oracle.BOARDS[::1301])
    assert indices(block.encode(), of.TOKENS, of.AFTER) is not None
    assert indices(block.encode()[:-1], of.TOKENS, of.AFTER) is None


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 64])
def test_chunks_of_any_size(name: str, size: int) -> None:
    """Where a chunk ends does not matter."""
    solver, query = SOLVERS[name]
    boards = [board for board in oracle.BOARDS[::1301] if solver(board) is not None]
    if name == "3C":
        boards = boards[5:6]
    given = wrapped(name, [query(board) for board in boards])
    expected = "".join(f"{solver(board)}\n" for board in boards)
    for layout in LAYOUTS.values():
        assert judged(layout(given).encode(), problem(name), size) == (expected, "")


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("counting", {"XX..O....": "191 194", "X...OX...": "232 200",
                      "OOOX.X.X.": "0 1", "OOOXXX...": "-1 -1",
                      ".........": "131184 77904"}),
        ("csp-201803-4", {"XOXOXO...": "3", "OXX.OX..O": "-4", ".........": "0"}),
        ("toe1", {"XOXOXXOOX": "yes"}),
        ("toe2", {"XXXOO.XXX": "invalid", "XOXOXOXOX": "valid"}),
    ],
)  # fmt: skip
def test_published_answers(name: str, answers: dict[str, str]) -> None:
    """The known answers, through the command."""
    queries = [SOLVERS[name][1](board) for board in answers]
    done = judge(wrapped(name, queries), name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == list(answers.values())


@pytest.mark.parametrize(
    ("name", "given", "answers", "complaint"),
    [
        ("counting", "2\nXX..O....\nXX..O...\n", "191 194\n",
         "line 3, query 2: board is 'XX..O...', expected 9 marks, each . or X or O"),
        ("counting", "x\n", "", "line 1, before query 1: t is 'x', expected the"),
        ("counting", "1\nxX..O....\n", "", "line 2, query 1: board is 'xX..O....', "
         "expected 9 marks, each . or X or O; write X in upper case"),
        ("counting", "2\n.........", "131184 77904\n",
         "line 2, query 2: the input ends, expected board, as t is 2"),
        ("counting", "1\n.........\n.........", "131184 77904\n",
         "line 3, query 2: found '.........', expected the end, as t is 1"),
        ("csp-201803-4", "1\n0 0 0\n0 3 0\n0 0 0\n", "",
         "line 3, query 1: row 2 column 2 is '3', expected 0 or 1 or 2"),
        ("csp-201803-4", "1\n000\n000\n000\n", "",
         "line 2, query 1: row 1 column 1 is '000', expected 0 or 1 or 2"),
        ("csp-201803-4", "2\n0 0 0 0 0 0 0 0 0\n\n1 1 1\n2 2 2\n0 0 0", "0\n",
         "line 4, query 2: both sides have a line, expected a board of a game"),
        ("csp-201803-4", "2\n0 0 0 0 0 0 0 0 0\n\n1 1 1\n2 2 2\n0 0 0\n", "0\n",
         "line 4, query 2: both sides have a line, expected a board of a game"),
        ("csp-201803-4", "1\n0 0 0\n0 0 0\n0 0", "",
         "line 4, query 1: the input ends, expected row 3 column 3, as T is 1"),
        ("3C", "X0X\n.O.\n.X.\n", "", "line 2, query 1: row 2 is '.O.', expected"),
        ("3C", "X0X\n.0.\n", "", "line 3, query 1: the input ends, expected row 3"),
        ("3C", "X0X\n.0.\n.X.\n...", "second\n",
         "line 4, query 2: found '...', expected the end, after one query"),
        ("3C", "", "", "line 1, query 1: the input ends, expected row 1"),
        ("toe2", "XXXOO.XXX\n", "invalid\n",
         "line 2, query 2: the input ends, expected board or 'end'"),
        ("toe2", "XXXOO.XXX\nEnd\n", "invalid\n", "line 2, query 2: board is 'End', "
         "expected 9 marks, each . or X or O, or 'end' after the last"),
        ("3C", "X0o\n", "", "row 1 is 'X0o', expected 3 marks, each . or X or 0; "
         "write the digit 0"),
        ("3C", "xO.\n", "", "; write X in upper case"),
        ("toe2", "end\n\nend", "",
         "line 3, query 1: found 'end', expected the end, after 'end'"),
        ("toe2", "XXXOO.XXX XOXOXOXOX end x", "invalid\nvalid\n",
         "line 1, query 3: found 'x', expected the end, after 'end'"),
        ("toe2", "XXXOO.XX0\nend\n", "", "write the letter O, not the digit 0"),
        ("toe1", "1\nXOX\n\nO.\n", "", "line 4, query 1: row 2 is 'O.', expected"),
        ("toe1", "-1\n", "", "line 1, before query 1: N is '-1', expected the number"),
    ],
)  # fmt: skip
def test_complaints(name: str, given: str, answers: str, complaint: str) -> None:
    """Each names line and query, what stood there and what was expected."""
    for size in (1, 5, 1 << 18):
        found, said = judged(given.encode(), problem(name), size)
        assert found == answers
        assert complaint in said


@pytest.mark.parametrize(
    ("name", "word", "complaint"),
    [
        ("toe1", "..x", "3 marks, each . or X or O; write X in upper case"),
        ("toe1", "o..", "3 marks, each . or X or O; write O in upper case"),
        ("toe1", "0..", "3 marks, each . or X or O; write the letter O, not the digit "
         "0"),
        ("toe1", "._.", "3 marks, each . or X or O; write an empty cell as '.'"),
        ("toe1", "-..", "3 marks, each . or X or O; write an empty cell as '.'"),
        ("toe1", "?..", "3 marks, each . or X or O"),
        ("toe1", "....", "3 marks, each . or X or O"),
        ("3C", "..x", "3 marks, each . or X or 0; write X in upper case"),
        ("3C", "..o", "3 marks, each . or X or 0; write the digit 0"),
        ("3C", "O..", "3 marks, each . or X or 0; write the digit 0"),
        ("3C", "?..", "3 marks, each . or X or 0"),
        ("3C", "..", "3 marks, each . or X or 0"),
        ("csp-201803-4", "o", "0 or 1 or 2"),
        ("csp-201803-4", "O", "0 or 1 or 2"),
        ("csp-201803-4", "x", "0 or 1 or 2"),
        ("csp-201803-4", "-", "0 or 1 or 2"),
    ],
)  # fmt: skip
def test_what_is_expected_and_the_likely_slip(
    name: str, word: str, complaint: str
) -> None:
    """To the character; no hint names a mark that the problem does not have."""
    given = f"1\n{word}\n" if name in COUNTED else f"{word}\n"
    assert judged(given.encode(), problem(name))[1].endswith(
        f" is {word!r}, expected {complaint}"
    )


def test_a_long_word_is_cut_short() -> None:
    """Forty characters are shown, and three dots for any number more."""
    for length, found in ((40, "?" * 40 + "'"), (41, "?" * 40 + "'...")):
        complaint = judged(b"1\n" + b"?" * length, problem("toe1"))[1]
        assert f"row 1 is '{found}, expected" in complaint


def test_a_board_of_rows_has_three_of_them() -> None:
    """Each of three marks, with a name for complaints."""
    assert rows_of(".X0") == (
        ("row 1", ".X0", 3),
        ("row 2", ".X0", 3),
        ("row 3", ".X0", 3),
    )


@pytest.mark.parametrize("name", [*COUNTED, "toe2"])
def test_a_fault_at_the_first_a_middle_and_the_last_query(name: str) -> None:
    """Every query before it is answered, and it is named by its number."""
    solver, query = SOLVERS[name]
    boards = [board for board in oracle.BOARDS[::13] if solver(board) is not None]
    for place in (0, len(boards) // 2, len(boards) - 1):
        queries = [query(board) for board in boards]
        queries[place] = queries[place].replace(queries[place][0], "?", 1)
        given = wrapped(name, queries)
        answers, complaint = judged(given.encode(), problem(name))
        assert answers == "".join(f"{solver(board)}\n" for board in boards[:place])
        line = given[: given.index("?")].count("\n") + 1
        assert complaint.startswith(f"line {line}, query {place + 1}: ")


@pytest.mark.process
@pytest.mark.parametrize("name", PROBLEMS)
def test_help_explains_a_problem(name: str) -> None:
    """Its example, run as it stands there, gives the answers that stand there."""
    done = judge("", name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    command, shown = re.search(r"\$ (printf .*)\n((?:    .*\n)+)", done.stdout).groups()  # type: ignore[union-attr]
    command = command.replace("ttt-judge", shlex.join([sys.executable, str(JUDGE)]))
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert run.stdout.split() == shown.split()
    assert all(len(line) <= 88 for line in done.stdout.splitlines())


@pytest.mark.process
def test_list_names_every_problem() -> None:
    """With its source and an example of input and answer."""
    done = judge("", "--list")
    assert (done.returncode, done.stderr) == (0, "")
    for name, module in PROBLEMS.items():
        source = import_module(f"ttt_runtime.judge.{module}").SOURCE
        assert f"{name}: {source}\n  input\n" in done.stdout
    assert "    191 194\n" in done.stdout


@pytest.mark.process
def test_situation_is_the_problem_if_none_is_named(tmp_path: Path) -> None:
    """A problem's name comes first, then a file; a file alone is Situation's."""
    path = tmp_path / "queries"
    path.write_text("1\n1\nOOO\n...\n...\n")
    for arguments in ([str(path)], ["situation", str(path)], ["situation", "-"], []):
        assert judge(path.read_text(), *arguments).stdout == "3\n"
    board = tmp_path / "board"
    board.write_text("X0X\n.0.\n.X.\n")
    assert judge("", "3C", str(board)).stdout == "second\n"


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["cuonting", "file"], "more than one file, and cuonting is no problem"),
        (["counting", "--lst"], "unknown option --lst"),
        (["counting", "-h", "x"], "unknown option -h"),
    ],
)
def test_wrong_usage_exits_2(arguments: list[str], complaint: str) -> None:
    """The message says where to look."""
    done = judge("", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.endswith("usage: ttt-judge [PROBLEM] [FILE]\n")
