"""Tests of `ttt_runtime.judge`: every problem, its answers and its complaints."""

import bz2
import gzip
import lzma
import random
import re
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import chain, cycle, repeat
from types import SimpleNamespace
from typing import Any

import pytest

from tests import oracle
from tests.queries import contest_file, reference
from ttt_runtime import JudgeInputError
from ttt_runtime.judge import queries, stream
from ttt_runtime.judge.command import PROBLEMS

REACHED = {board for board, _ in oracle.reached("standard")}
BOARDS = [(board, 0) for board in oracle.BOARDS]


def rows(board: str) -> str:
    return f"{board[:3]}\n{board[3:6]}\n{board[6:]}\n"


def integers(board: str) -> str:
    return re.sub("(.)(.)(.)", r"\1 \2 \3\n", board.translate({46: 48, 88: 49, 79: 50}))


QUERY: dict[str, Callable[[str, int], str]] = {
    "situation": lambda board, turn: f"{turn}\n{rows(board)}",
    "counting": lambda board, _: f"{board}\n",
    "csp-201803-4": lambda board, _: integers(board),
    "3C": lambda board, _: rows(board.replace("O", "0")),
    "toe1": lambda board, _: f"{rows(board)}\n",
    "toe2": lambda board, _: f"{board}\n",
}
"""A query as the problem shows it."""


def situation(board: str, turn: int) -> str:
    return str(oracle.value("fill", board, turn))


def counting(board: str, _: int) -> str:
    if board not in REACHED:
        return "-1 -1"
    x_wins, o_wins, _ = oracle.games(board, board.count("X") - board.count("O"))
    return f"{x_wins} {o_wins}"


def csp_201803_4(board: str, _: int) -> str | None:
    if oracle.meaningless("fastest", board):
        return None
    return str(-oracle.value("fastest", board, 0))


def codeforces_3c(board: str, _: int) -> str:
    lead = board.count("X") - board.count("O")
    xs, os = oracle.lines(board, "X") > 0, oracle.lines(board, "O") > 0
    if lead not in (0, 1) or (xs and (os or lead == 0)) or (os and lead == 1):
        return "illegal"
    if xs or os:
        return f"the {'first' if xs else 'second'} player won"
    return ["first", "second"][lead] if "." in board else "draw"


def toe1(board: str, _: int) -> str:
    return "yes" if board in REACHED else "no"


def toe2(board: str, _: int) -> str:
    final = board in REACHED and oracle.ended("standard", board)
    return "valid" if final else "invalid"


ANSWER: dict[str, Callable[[str, int], str | None]] = {
    "situation": situation,
    "counting": counting,
    "csp-201803-4": csp_201803_4,
    "3C": codeforces_3c,
    "toe1": toe1,
    "toe2": toe2,
}


@cache
def problem(name: str) -> Any:
    """Return a problem that works its answers out once; 3C counts its boards, too."""
    module = import_module(f"ttt_runtime.judge.{PROBLEMS[name]}")
    answers = module.answers()
    parts = {**vars(module), "answers": lambda: answers}
    return SimpleNamespace(**parts | ({"COUNT": "T"} if name == "3C" else {}))


def judged(
    of: Any, given: bytes, sizes: Iterator[int] | None = None
) -> tuple[str, str]:
    """Answer in this process, reading so much at a time: answers and complaint."""
    source = BytesIO(given)
    answers: list[bytes] = []
    complaint = ""

    def read(size: int) -> bytes:
        return source.read(min(size, next(sizes)) if sizes else size)

    try:
        stream.answer(of, read, answers.append)
    except JudgeInputError as error:
        complaint = str(error)
    return b"".join(answers).decode(), complaint


def whole(name: str, asked: list[str]) -> str:
    """Write queries as one input."""
    text = "".join(asked)
    if problem(name).COUNT:
        return f"{len(asked)}\n{text}"
    return f"{text}end\n"


def some_queries(name: str, count: int, chance: random.Random) -> list[str]:
    states = [state for state in oracle.STATES[::97] if ANSWER[name](*state)]
    return [QUERY[name](*state) for state in chance.choices(states, k=count)]


LAYOUTS: dict[str, Callable[[str], str]] = {
    "as documented": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "a token a line": lambda text: "\n".join(text.split()),
    "one line": lambda text: " ".join(text.split()),
    "blank lines": lambda text: "\n\n" + text.replace("\n", "\n \n"),
    "byte-order mark": lambda text: "\ufeff" + text,
}


def spread(text: str, chance: random.Random) -> str:
    """Separate the tokens of a text by white space of any kind and length."""
    blanks = [" ", "\n", "\r\n", "\t", "\n\n", "  ", "\v", "\f", " \r\n \n", "\r"]
    return "".join([f"{token}{chance.choice(blanks)}" for token in text.split()])


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_board_in_six_layouts_is_answered_as_by_search(name: str) -> None:
    states = oracle.STATES if name == "situation" else BOARDS
    answers = {state: ANSWER[name](*state) for state in states}
    sound = {state: answer for state, answer in answers.items() if answer is not None}
    text = whole(name, [QUERY[name](*state) for state in sound])
    expected = "".join([f"{answer}\n" for answer in sound.values()])
    for layout, arranged in LAYOUTS.items():
        assert judged(problem(name), arranged(text).encode()) == (expected, ""), layout


def test_3c_is_one_board_in_any_layout() -> None:
    module: Any = import_module("ttt_runtime.judge.codeforces_3c")
    for board, layout in zip(
        oracle.BOARDS[::1301], cycle(LAYOUTS.values()), strict=False
    ):
        given = layout(QUERY["3C"](board, 0)).encode()
        assert judged(module, given) == (f"{codeforces_3c(board, 0)}\n", "")


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_examples_are_true(name: str) -> None:
    module: Any = import_module(f"ttt_runtime.judge.{PROBLEMS[name]}")
    given, answers = module.EXAMPLE
    assert judged(module, given.encode()) == (answers, "")


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_documented_layout_is_not_cut_into_tokens(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = problem(name)
    answered = {True: 0, False: 0}

    def answers_to(block: bytes, fields: Any, after: Any, answers: Any) -> Any:
        answered[after is of.AFTER] += len(block)
        return queries.answers_to(block, fields, after, answers)

    monkeypatch.setattr(stream, "answers_to", answers_to)
    text = whole(name, some_queries(name, 20000, random.Random(2)))
    assert judged(of, text.encode())[1] == ""
    assert answered[True] > 100 * answered[False]


@pytest.mark.parametrize("name", PROBLEMS)
def test_layouts_may_change_and_chunks_end_anywhere_within_an_input(name: str) -> None:
    chance = random.Random(7)
    for _ in range(60):
        text = whole(name, some_queries(name, chance.randint(0, 20), chance))
        expected = reference(problem(name), text.encode())
        cut = text.find("\n", chance.randrange(len(text))) + 1
        parts = [text[:cut], text[cut:]]
        given = "\n".join(
            [chance.choice([spread(part, chance), part]) for part in parts]
        )
        sizes = iter(lambda: chance.randint(1, 60), 0)
        assert judged(problem(name), given.encode(), sizes) == expected


def test_any_two_chunks_may_end_at_any_byte() -> None:
    text = contest_file(4, 8)
    of = problem("situation")
    for given in (text, spread(text, random.Random(8)), "\ufeff" + text):
        expected = (oracle.judge(text), "")
        data = given.encode()
        for first in range(1, len(data)):
            for second in (1, 5, 14):
                sizes = chain([first, second], repeat(1 << 15))
                assert judged(of, data, sizes) == expected


@pytest.mark.parametrize("layout", LAYOUTS)
def test_complete_queries_are_answered_before_more_is_read(layout: str) -> None:
    text = contest_file(12, 17)
    given = LAYOUTS[layout](text).encode()
    expected = oracle.judge(text).encode().splitlines(keepends=True)
    for size in (1, 5, 14, 40, 1000):
        answers: list[bytes] = []
        served = 0

        def read(_: int, size: int = size, answers: list[bytes] = answers) -> bytes:
            nonlocal served
            assert served <= len(given), "read after the end"
            done = given[:served].decode("utf-8-sig", "ignore")
            complete = max(0, len(re.findall(r"\S+(?=\s)", done)) - 1) // 4
            assert b"".join(answers) == b"".join(expected[:complete])
            chunk = given[served : served + size]
            served += len(chunk) or 1
            return chunk

        stream.answer(problem("situation"), read, answers.append)
        assert b"".join(answers) == b"".join(expected)


BAD = [
    "2", "-1", "01", "O", "X", ".", "...", "..", "....", "x..", "..0", "...1", "\x01",
    "X-O", "\u00d7..", "\udce9", "....................X", "XO" * 40, "...,...", "end",
    "000", "9", "XXXOOO...X", ".........",
]  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_bad_token_anywhere_is_named_with_its_place(name: str) -> None:
    of = problem(name)
    chance = random.Random(9)
    width = len(of.FIELDS)
    for place in (0, 3 * width + width // 2, 7 * width - 1):
        for bad in BAD:
            text = whole(name, some_queries(name, 7, chance))
            tokens = text.split()
            tokens[place + (of.COUNT is not None)] = bad
            plain, messy = "\n".join(tokens), spread(" ".join(tokens), chance)
            sizes = iter(lambda: chance.randint(1, 40), 0)
            for given, reads in ((plain, None), (messy, sizes)):
                data = given.encode(errors="surrogateescape")
                answers, complaint = judged(of, data, reads)
                assert (answers, complaint.split(":")[0]) == reference(of, data)
                assert complaint.isascii()
                assert "\n" not in complaint


MARKS = "expected 3 marks, each . or X or O"


@pytest.mark.parametrize(
    ("name", "given", "answers", "complaint"),
    [
        ("situation", "", "", "line 1, before query 1: the input ends, expected T, the "
         "number of queries"),
        ("situation", "\n\n", "", "line 3, before query 1: the input ends, expected T"),
        ("situation", "-1\n", "", "line 1, before query 1: T is '-1', expected the "
         "number of queries in plain digits, at most 18 of them"),
        ("situation", "1_0 ", "", "line 1, before query 1: T is '1_0', expected the"),
        ("situation", "\u0661\n", "", r"T is '\xd9\xa1', expected the"),
        ("situation", "9" * 5000, "", f"T is '{'9' * 40}'..., expected the"),
        ("situation", "0" * 18 + "1", "", f"T is '{'0' * 18}1', expected the number"),
        ("situation", "\n\nT\n", "", "line 3, before query 1: T is 'T'"),
        ("situation", "1\n2\n", "", "line 2, query 1: turn is '2', expected 0 or 1"),
        ("situation", "1\n", "", "line 2, query 1: the input ends, expected turn, as T "
         "is 1"),
        ("situation", "2\n0 ... ... ...\n1 ...\n", "0\n",
         "line 4, query 2: the input ends, expected row 2, as T is 2"),
        ("situation", "1\n0 ... ... ...\n\n9", "0\n",
         "line 4, query 2: found '9', expected the end, as T is 1"),
        ("situation", "0\n1", "", "line 2, query 1: found '1', expected the end, as T"),
        ("situation", f"1 1 {'?' * 40} ", "", f"row 1 is '{'?' * 40}', {MARKS}"),
        ("situation", f"1 1 {'?' * 41} ", "", f"row 1 is '{'?' * 40}'..., {MARKS}"),
        ("counting", "2\nXX..O....\nXX..O...\n", "191 194\n",
         "line 3, query 2: board is 'XX..O...', expected 9 marks, each . or X or O"),
        ("csp-201803-4", "1\n0 0 0\n0 3 0\n0 0 0\n", "",
         "line 3, query 1: row 2 column 2 is '3', expected 0 or 1 or 2"),
        ("csp-201803-4", "2\n0 0 0 0 0 0 0 0 0\n\n1 1 1\n2 2 2\n0 0 0", "0\n",
         "line 4, query 2: both sides have a line, expected a board of a game"),
        ("toe1", "-1\n", "", "line 1, before query 1: N is '-1', expected the number"),
        ("toe2", "XXXOO.XXX\n", "invalid\n",
         "line 2, query 2: the input ends, expected board or 'end'"),
        ("toe2", "XXXOO.XX0\n", "", "line 1, query 1: board is 'XXXOO.XX0', expected 9 "
         "marks, each . or X or O, or 'end' after the last; write the letter O, not "
         "the digit 0"),
        ("toe2", "XXXOO.XXX XOXOXOXOX end x", "invalid\nvalid\n",
         "line 1, query 3: found 'x', expected the end, after 'end'"),
    ],
)  # fmt: skip
def test_complaints(name: str, given: str, answers: str, complaint: str) -> None:
    for sizes in (None, repeat(1), repeat(5)):
        found, said = judged(problem(name), given.encode(), sizes)
        assert found == answers
        assert complaint in said


def test_complaints_about_the_only_board_of_3c() -> None:
    module: Any = import_module("ttt_runtime.judge.codeforces_3c")
    for given, complaint in (
        (b"", "line 1, query 1: the input ends, expected row 1"),
        (b"X0X\n.0.\n.X.\n...", "line 4, query 2: found '...', expected the end, after "
         "one query"),
    ):  # fmt: skip
        assert judged(module, given)[1] == complaint


@pytest.mark.parametrize(
    ("name", "token", "hint"),
    [
        ("toe1", "..x", "; write X in upper case"),
        ("toe1", "o..", "; write O in upper case"),
        ("toe1", "0..", "; write the letter O, not the digit 0"),
        ("toe1", "._.", "; write an empty cell as '.'"),
        ("toe1", "?..", ""),
        ("toe1", "....", ""),
        ("toe1", "\u0425..", "; that is CYRILLIC CAPITAL LETTER HA, write the Latin "
         "letter X"),
        ("3C", "..x", "; write X in upper case"),
        ("3C", "..o", "; write the digit 0"),
        ("3C", "O..", "; write the digit 0"),
        ("3C", "\u041e..", "; that is CYRILLIC CAPITAL LETTER O"),
        ("csp-201803-4", "o", ""),
        ("csp-201803-4", "-", ""),
    ],
)  # fmt: skip
def test_the_hint_names_a_mark_that_the_problem_has(
    name: str, token: str, hint: str
) -> None:
    _, symbols, width = problem(name).FIELDS[0]
    marks = " or ".join(symbols)
    expected = f"3 marks, each {marks}" if width == 3 else marks
    complaint = judged(problem(name), f"1\n{token}\n".encode())[1]
    assert complaint.endswith(f", expected {expected}{hint}")


CODECS = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_utf_16_and_utf_32_are_named_with_the_remedy(name: str, codec: str) -> None:
    asked = some_queries(name, 3, random.Random(3))
    of = problem(name)
    text = whole(name, asked)
    ascii_first = text[: text.rindex(asked[-1])]
    wide = text.replace("\n", "\r\n").encode(codec)
    for given in (wide, ascii_first.encode() + wide):
        answers, complaint = judged(of, given)
        assert (answers, complaint.split(":")[0]) == reference(of, given)
        assert complaint.endswith(
            f": found text in {codec[:6].upper()}, expected ASCII or UTF-8; in "
            "PowerShell write the file with '| Out-File -Encoding ascii FILE' and not "
            "with '> FILE'"
        )


def test_an_empty_file_of_powershell_is_utf_16() -> None:
    assert "found text in UTF-16" in judged(problem("situation"), b"\xff\xfe")[1]


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize(
    ("stray", "what"),
    [(b"\x1a", r"Ctrl-Z ('\x1a')"), (b"\0", r"a NUL byte ('\x00')"),
     (bytes(5000), r"a NUL byte ('\x00')")],
    ids=["Ctrl-Z", "NUL", "NULs"],
)  # fmt: skip
def test_ctrl_z_and_nuls_are_named_wherever_they_stand(
    name: str, stray: bytes, what: str
) -> None:
    of = problem(name)
    text = whole(name, some_queries(name, 3, random.Random(4))).encode()
    middle = text.index(b"\n", len(text) // 2)
    for given, remedy in (
        (text + stray, "; remove it"),
        (text[:-1] + stray + b"\r\n", "; remove it"),
        (text[:middle] + stray + text[middle:], ""),
        (stray + text, ""),
    ):
        answers, complaint = judged(of, given)
        place = reference(of, given)
        assert (answers, complaint.split(":")[0]) == place
        assert complaint == f"{place[1]}: found {what}, expected plain text{remedy}"


def test_packed_files_are_named() -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("queries", contest_file(9, 1))
    for kind, given in (
        ("a gzip", gzip.compress(contest_file(9, 1).encode())),
        ("a zip", packed.getvalue()),
        ("an xz", lzma.compress(contest_file(9, 1).encode())),
        ("a bzip2", bz2.compress(contest_file(9, 1).encode())),
        ("a Zstandard", bytes.fromhex("28b52ffd0458")),
    ):
        assert judged(problem("situation"), given) == (
            "",
            f"line 1, before query 1: found {kind} file, expected plain text; unpack "
            "it first",
        )


@pytest.mark.parametrize(("length", "left"), [(64, []), (65, [b"Y\n"])])
def test_a_token_of_more_than_64_characters_is_not_waited_for(
    length: int, left: list[bytes]
) -> None:
    chunks = iter([b"1\n0\n" + b"X" * length, b"Y\n"])
    with pytest.raises(JudgeInputError, match="line 3, query 1: row 1 is 'X{40}'..."):
        stream.answer(problem("situation"), lambda _: next(chunks), lambda _: None)
    assert list(chunks) == left


@pytest.mark.parametrize("gap", [1, 300, 3000])
def test_a_query_may_be_far_apart_and_its_lines_are_right(gap: int) -> None:
    far = "\n" * gap
    board = far.join("111222000")
    for sizes in (None, repeat(7)):
        of = problem("csp-201803-4")
        assert judged(of, f"2 0 0 0 0 0 0 0 0 0\n{board}".encode(), sizes) == (
            "0\n",
            "line 2, query 2: both sides have a line, expected a board of a game",
        )
        given = f"1\n{far.join('01201201')}{far}3".encode()
        place = f"line {2 + 8 * gap}, query 1: row 3 column 3 is '3'"
        assert judged(of, given, sizes)[1].startswith(place)


def test_blank_space_is_not_kept_in_memory() -> None:
    """Twenty million blank lines before, inside and after a query."""
    blank = b"\n" * (1 << 15)
    lines = 100

    def chunks() -> Iterator[bytes]:
        for token in (b"2", b"1", b"OOO", b"...", b"...", b"0", b"xxx"):
            yield token
            yield from repeat(blank, lines)

    source = chunks()
    answers: list[bytes] = []
    place = f"line {6 * lines * len(blank) + 1}, query 2: row 1 is 'xxx'"
    tracemalloc.start()
    with pytest.raises(JudgeInputError, match=place):
        stream.answer(problem("situation"), lambda _: next(source, b""), answers.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert answers == [b"3\n"]
    assert peak < 4 << 20


def test_no_queries_no_answers() -> None:
    of = problem("situation")
    assert judged(of, b"0\n") == judged(of, b"000") == ("", "")
    assert judged(of, b"0" * 17 + b"1 1 OOO ... ...") == ("3\n", "")
