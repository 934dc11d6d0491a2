"""Tests of `ttt_runtime.judge`."""

import io
import os
import random
import re
import resource
import select
import shlex
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from tests import UNMEASURED, oracle
from tests.queries import contest_file, random_query
from ttt_runtime import InvalidBoardError, JudgeInputError, situation_score
from ttt_runtime.judge import situation, stream
from ttt_runtime.judge.command import main

HERE = Path(__file__).resolve().parent
JUDGE = Path(sysconfig.get_path("scripts"), "ttt-judge")

Process = subprocess.CompletedProcess[bytes]
Sizes = Callable[[], int]


def always(size: int) -> Sizes:
    """Return a reader's habit: so many bytes at a time."""
    return lambda: size


WHOLE = always(1 << 18)


def judge(given: bytes, *arguments: str) -> Process:
    """Run the command on standard input."""
    return subprocess.run(
        [sys.executable, JUDGE, *arguments], input=given, capture_output=True
    )


def judged(given: bytes, sizes: Sizes = WHOLE) -> tuple[str, str]:
    """Answer in this process, reading so much at a time: answers and complaint."""
    source = io.BytesIO(given)
    answers: list[bytes] = []
    try:
        stream.answer(
            situation, lambda size: source.read(min(size, sizes())), answers.append
        )
        complaint = ""
    except JudgeInputError as error:
        complaint = str(error)
    return b"".join(answers).decode(), complaint


def reference(given: bytes) -> tuple[str, str]:
    """Answer token by token; the complaint is only 'line L, query Q' of the fault."""
    words = [
        (word[0], given.count(b"\n", 0, word.start()) + 1)
        for word in re.finditer(rb"[^ \t\n\r\v\f]+", given)
    ]
    end = given.count(b"\n") + 1
    if not words or not re.fullmatch(rb"[0-9]{1,18}", words[0][0]):
        return "", f"line {words[0][1] if words else end}, before query 1"
    total = int(words.pop(0)[0])
    answers = ""
    for query in range(total):
        tokens = words[4 * query : 4 * query + 4]
        shapes = [rb"[01]", *[rb"[.XO]{3}"] * 3]
        for (word, line), shape in zip(tokens, shapes, strict=False):
            if not re.fullmatch(shape, word):
                return answers, f"line {line}, query {query + 1}"
        if len(tokens) < 4:
            return answers, f"line {end}, query {query + 1}"
        turn, *rows = [word.decode() for word, _ in tokens]
        answers += f"{oracle.value('fill', ''.join(rows), int(turn))}\n"
    if words[4 * total :]:
        return answers, f"line {words[4 * total][1]}, query {total + 1}"
    return answers, ""


def assert_as_reference(
    given: bytes, sizes: Callable[[], int] = lambda: 1 << 18
) -> str:
    """Check answers and place of the fault; return the complaint."""
    answers, complaint = judged(given, sizes)
    expected_answers, expected_place = reference(given)
    assert answers == expected_answers
    assert complaint.split(":")[0] == expected_place, complaint
    return complaint


def spread(text: str, chance: random.Random) -> bytes:
    """Separate the tokens of a text by white space of any kind and length."""
    blanks = [" ", "\n", "\r\n", "\t", "\n\n", "  ", "\v", "\f", " \r\n \n", "\r"]
    pieces = [chance.choice(["", *blanks])]
    for word in text.split():
        pieces += [word, chance.choice(blanks)]
    if chance.random() < 0.3:
        pieces.pop()
    return "".join(pieces).encode()


LAYOUTS: dict[str, Callable[[str], str]] = {
    "canonical": lambda text: text,
    "no final newline": lambda text: text.rstrip(),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "a query a line": lambda text: re.sub(
        r"(.)\n(...)\n(...)\n(...)", r"\1 \2 \3 \4", text
    ),
    "one line": lambda text: " ".join(text.split()),
    "tabs": lambda text: text.replace("\n", "\t"),
    "blank lines between": lambda text: re.sub(r"((?:.{1,3}\n){4})", r"\1\n", text),
    "leading spaces": lambda text: text.replace("\n", "\n  "),
    "trailing spaces": lambda text: text.replace("\n", "  \n"),
    "byte-order mark": lambda text: "\ufeff" + text,
    "byte-order mark, then a line": lambda text: "\ufeff\n" + text,
    "blank start": lambda text: "\n\n \n" + text,
    "blank end": lambda text: text + " \n\n\t\n",
}


@pytest.mark.process
def test_40000_random_queries_are_the_oracles() -> None:
    """The bundled contest file is answered as a plain recursion does, to the byte."""
    given = (HERE / "data" / "situation-40000.txt").read_text()
    assert given == contest_file(40000, 102800)
    done = judge(given.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == oracle.judge(given)


def test_every_state_is_answered() -> None:
    """All 39,366 queries there can be, in one file, given by name."""
    queries = [
        f"{turn}\n{board[:3]}\n{board[3:6]}\n{board[6:]}\n"
        for board, turn in oracle.STATES
    ]
    answers, complaint = judged(f"{len(queries)}\n{''.join(queries)}".encode())
    assert complaint == ""
    assert answers.split() == [
        str(oracle.value("fill", *state)) for state in oracle.STATES
    ]


def test_situation_score_is_the_same_for_one_query() -> None:
    """Any board and either turn, as a plain int."""
    for board, turn in random.Random(5).sample(oracle.STATES, 4000):
        score = situation_score(board, turn)
        assert (score, type(score)) == (oracle.value("fill", board, turn), int)
    assert situation_score("OOO......", 1) == 3
    assert situation_score("XXXXXXXXX", 1) == -8


@pytest.mark.parametrize("turn", [None, 2, -1, True, "1"])
def test_situation_score_wants_the_turn(turn: int) -> None:
    """It is given, never counted."""
    with pytest.raises(InvalidBoardError, match="turn is .*, expected 0") as caught:
        situation_score("." * 9, turn)
    if turn is None:
        names = "turn is None, expected 0 (Bob) or 1 (Alice)"
        assert str(caught.value) == names


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout: str) -> None:
    """Any white space separates tokens; the answers are the same."""
    text = contest_file(300, 6)
    given = LAYOUTS[layout](text).encode()
    assert judged(given) == (oracle.judge(text), "")
    for size in (1, 2, 3, 7, 14, 15, 64):
        assert judged(given, always(size)) == (oracle.judge(text), "")


def test_the_own_layout_is_not_cut_into_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunk after chunk is a block: fewer tokens than queries in a chunk are cut."""
    cut = []
    words = stream._words

    def counted(text: bytes, ended: bool) -> tuple[list[bytes], bool]:
        found = words(text, ended)
        cut.append(len(found[0]))
        return found

    text = contest_file(60000, 15)
    monkeypatch.setattr(stream, "_words", counted)
    assert judged(text.encode()) == (oracle.judge(text), "")
    assert len(cut) > 15
    assert max(cut[1:]) < 4


def test_layouts_may_change_within_a_file() -> None:
    """A file in any mixture of layouts, in chunks of any size, is answered the same."""
    chance = random.Random(7)
    for _ in range(300):
        text = contest_file(chance.randint(0, 30), chance.randint(0, 9**9))
        cut = text.find("\n", chance.randint(0, len(text) - 1)) + 1
        parts = [text[:cut].encode(), text[cut:].encode()]
        for number in (0, 1):
            if chance.random() < 0.7 and parts[number]:
                parts[number] = spread(parts[number].decode(), chance)
                parts[number] += b"\n"
        given = b"".join(parts)
        assert assert_as_reference(given, lambda: chance.randint(1, 60)) == ""


def test_a_chunk_may_end_anywhere() -> None:
    """The edge of a chunk is swept over every byte of several queries, twice."""
    chance = random.Random(8)
    text = contest_file(6, 8)
    for given in (
        text.encode(),
        spread(text, chance),
        text.replace("\n", "\r\n").encode(),
    ):
        expected = (oracle.judge(text), "")
        for first in range(1, len(given)):
            for second in (1, 5, 14, len(given)):
                sizes = chain([first, second], repeat(1 << 18))
                assert judged(given, sizes.__next__) == expected


BAD_TURNS = ["2", "-1", "+1", "01", "O", "X", ".", "1.", "...", "\uff11", "\x00"]
BAD_ROWS = [
    ".", "..", "....", "x..", ".o.", "..0", "._.", "...1", "0", "...\x00", "X-O",
    "\u00d7..", "\ud800", "....................X", "XO" * 40, "...,...", "'..'",
]  # fmt: skip


def faulty(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield each kind of bad token at the first, a middle and the last query."""
    for query in (0, 4, 8):
        for part, bad in enumerate([BAD_TURNS, *[BAD_ROWS] * 3]):
            for token in bad:
                words = contest_file(9, chance.randint(0, 9**9)).split()
                words[1 + 4 * query + part] = token
                yield token, "\n".join(words) + "\n"


def test_bad_tokens_are_named_with_their_place() -> None:
    """All answers before it are given; the complaint has line, query and finding."""
    chance = random.Random(9)
    for token, text in faulty(chance):
        given = text.encode(errors="surrogatepass")
        for sizes in (WHOLE, lambda: chance.randint(1, 40)):
            complaint = assert_as_reference(given, sizes)
            if token.isascii() and token.isprintable():
                assert f" is {token[:40]!r}" in complaint
            assert complaint.isascii()
            assert "\n" not in complaint
        messy = (
            spread(text, chance) if token.isascii() and token.isprintable() else given
        )
        assert_as_reference(messy, lambda: chance.randint(1, 40))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("", "line 1, before query 1: the input ends, expected T, the number"),
        ("\n\n", "line 3, before query 1: the input ends, expected T, the number"),
        ("-1\n", "line 1, before query 1: T is '-1', expected the number of queries"),
        ("+1\n", "line 1, before query 1: T is '+1'"),
        ("1_0\n", "line 1, before query 1: T is '1_0'"),
        ("1.0\n", "line 1, before query 1: T is '1.0'"),
        ("1e3\n", "line 1, before query 1: T is '1e3'"),
        ("0x1\n", "line 1, before query 1: T is '0x1'"),
        ("\u0661\n", r"line 1, before query 1: T is '\xd9\xa1'"),
        ("\uff11\n", r"line 1, before query 1: T is '\xef\xbc\x91'"),
        ("9" * 5000, f"line 1, before query 1: T is '{'9' * 40}'..., expected the"),
        ("0" * 5000, f"line 1, before query 1: T is '{'0' * 40}'..."),
        ("\n\nT\n", "line 3, before query 1: T is 'T'"),
        ("1\n0\n...\n...\nXXx\n", "line 5, query 1: row 3 is 'XXx', expected 3 marks, "
         "each . or X or O; write X in upper case"),
        ("1\n0\n.0.\n", "line 3, query 1: row 1 is '.0.', expected 3 marks, each . or "
         "X or O; write the letter O, not the digit 0"),
        ("1\n0\n.__\n", "; write an empty cell as '.'"),
        ("1\n0\n..\n", "line 3, query 1: row 1 is '..', expected 3 marks"),
        ("1\n2\n", "line 2, query 1: turn is '2', expected 0 or 1"),
        ("1\n", "line 2, query 1: the input ends, expected turn, as T is 1"),
        ("2\n0 ... ... ...\n1 ...\n", "line 4, query 2: the input ends, expected row"),
        ("1\n0 ... ... ...\n\n9", "line 4, query 2: found '9', expected the end, as"),
        ("0\n1", "line 2, query 1: found '1', expected the end, as T is 0"),
    ],
)  # fmt: skip
def test_complaints(given: str, complaint: str) -> None:
    """Each names line and query, what stood there, and what was expected."""
    data = given.encode()
    for size in (1, 2, 50, 1 << 18):
        assert complaint in judged(data, always(size))[1]
    assert_as_reference(data)


def test_an_endless_token_is_not_waited_for() -> None:
    """Whatever follows, it is wrong; what is held in memory stays small."""
    served = 0

    def read(size: int) -> bytes:
        nonlocal served
        served += size
        return b"X" * size if served > size else b"1\n0\n"

    with pytest.raises(JudgeInputError, match="line 3, query 1: row 1 is 'X{40}'..."):
        stream.answer(situation, read, lambda _: None)
    assert served < 1 << 20


@pytest.mark.parametrize("length", [64, 65])
def test_a_token_of_more_than_64_characters_is_not_waited_for(length: int) -> None:
    """A shorter one is: it is shown as a whole, or cut short after 40."""
    chunks = iter([b"1\n0\n" + b"X" * length, b"Y\n"])
    with pytest.raises(JudgeInputError, match="line 3, query 1: row 1 is 'X{40}'..."):
        stream.answer(situation, lambda _: next(chunks), lambda _: None)
    assert list(chunks) == ([] if length == 64 else [b"Y\n"])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_complete_queries_are_answered_before_more_is_read(layout: str) -> None:
    """In any layout, wherever the chunks end; and nothing is read after the end."""
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
            whole = max(0, len(re.findall(r"\S+(?=\s)", done)) - 1) // 4
            assert b"".join(answers) == b"".join(expected[:whole])
            chunk = given[served : served + size]
            served += len(chunk) or 1
            return chunk

        stream.answer(situation, read, answers.append)
        assert b"".join(answers) == b"".join(expected)


def test_a_query_may_be_far_apart() -> None:
    """Its tokens are kept, whatever blank space and part of a token follows them."""
    for parts in (
        ["1\n1" + " " * 300 + "OO", "O\n", "...\n...\n"],
        ["1\n1 OOO" + "\n" * 300 + ".", "..", " ", "...\n"],
        ["1\n1 OOO" + "\n" * 300, ".", "..\n", "...\n"],
    ):
        chunks = iter([part.encode() for part in parts])
        answers: list[bytes] = []
        stream.answer(situation, lambda _, c=chunks: next(c, b""), answers.append)  # type: ignore[misc]
        assert answers == [b"3\n"]


def test_a_number_of_queries_has_18_digits_at_most() -> None:
    """One more is refused before any query is read."""
    query, digits = "1 OOO ... ...", "0" * 17 + "1"
    assert judged(f"{digits} {query}".encode()) == ("3\n", "")
    assert judged(f"0{digits} {query}".encode()) == (
        "",
        f"line 1, before query 1: T is '0{digits}', expected the number of queries in "
        "plain digits, at most 18 of them",
    )


def test_blank_space_is_not_kept() -> None:
    """Ten million blank lines before, inside and after a query take no memory."""
    blank = b"\n" * (1 << 15)
    lines = 300

    def chunks() -> Iterator[bytes]:
        for word in (b"2", b"1", b"OOO", b"...", b"...", b"0", b"xxx"):
            yield word
            yield from repeat(blank, lines)

    source = chunks()
    answers: list[bytes] = []
    tracemalloc.start()
    place = f"line {6 * lines * len(blank) + 1}, query 2: row 1 is 'xxx'"
    with pytest.raises(JudgeInputError, match=place):
        stream.answer(situation, lambda _: next(source, b""), answers.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert answers == [b"3\n"]
    assert peak < 4 << 20


@pytest.mark.process
def test_non_blocking_streams_are_waited_for() -> None:
    """A pipe that has nothing yet, or is full, is no end and no fault."""
    text = contest_file(40000, 14)
    script = "import os, sys; [os.set_blocking(n, False) for n in (0, 1)]; "
    script += "os.execv(sys.argv[1], sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", script, sys.executable, JUDGE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        writer = threading.Thread(target=slowly_write, args=(process, text.encode()))
        writer.start()
        assert process.stdout is not None
        assert process.stdout.read().decode() == oracle.judge(text)
        writer.join()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 0


def slowly_write(process: subprocess.Popen[bytes], text: bytes) -> None:
    """Write in two parts with a pause between them, and close."""
    assert process.stdin is not None
    process.stdin.write(text[:70000])
    process.stdin.flush()
    time.sleep(0.3)
    process.stdin.write(text[70000:])
    process.stdin.close()


def test_no_queries_no_answers() -> None:
    """T may be 0, and may have zeros in front."""
    assert judged(b"0\n") == judged(b"000") == ("", "")
    assert judged(b"0001 1 OOO ... ...") == ("3\n", "")


@pytest.mark.process
def test_a_file_by_name(tmp_path: Path) -> None:
    """A file, '-' and standard input are the same; also by python -m."""
    text = contest_file(50, 10)
    path = tmp_path / "queries"
    path.write_text(text)
    module = [sys.executable, "-m", "ttt_runtime.judge", str(path)]
    for done in (
        judge(b"", str(path)),
        judge(text.encode(), "-"),
        judge(text.encode()),
        subprocess.run(module, capture_output=True),
    ):
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == oracle.judge(text)


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["a", "b"], "more than one file"),
        (["--fast"], "unknown option --fast"),
        (["-x", "a"], "unknown option -x"),
        (["/nowhere/at/all"], "/nowhere/at/all: No such file or directory"),
        ([""], "No such file or directory"),
    ],
)
def test_wrong_usage_exits_2(arguments: list[str], complaint: str) -> None:
    """The message says what is wrong and how it is used; nothing is answered."""
    done = judge(b"0\n", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert complaint in done.stderr.decode()
    assert done.stderr.decode().endswith("usage: ttt-judge [PROBLEM] [FILE]\n")


@pytest.mark.process
def test_a_directory_is_no_file(tmp_path: Path) -> None:
    """It is named, in one line."""
    done = judge(b"", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.decode() == f"ttt-judge: {tmp_path}: Is a directory\n"


@pytest.mark.process
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(option: str) -> None:
    """Help shows an example, and the example is true."""
    done = judge(b"", option)
    assert (done.returncode, done.stderr) == (0, b"")
    match = re.search(r"\$ (printf .*)\n +(.*)\n", done.stdout.decode())
    assert match is not None
    command = match[1].replace("ttt-judge", shlex.join([sys.executable, str(JUDGE)]))
    shown = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert shown.stdout == f"{match[2]}\n"


@pytest.mark.process
def test_bad_input_exits_1() -> None:
    """Answers before the fault on standard output, one line on standard error."""
    done = judge(b"3\n1 OOO ... ...\n0 OOO ... ...\n1 OOO ... ..z\n")
    assert (done.returncode, done.stdout) == (1, b"3\n1\n")
    assert done.stderr == (
        b"ttt-judge: line 4, query 3: row 3 is '..z', "
        b"expected 3 marks, each . or X or O\n"
    )


@pytest.mark.process
def test_a_reader_that_leaves_early_is_no_fault() -> None:
    """A closed pipe ends the judge quietly."""
    path = HERE / "data" / "situation-40000.txt"
    with subprocess.Popen(
        [sys.executable, JUDGE, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.process
def test_a_full_disk_is_reported() -> None:
    """Answers that cannot be written are not taken for written."""
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, JUDGE],
            input=b"1\n1 OOO ... ...\n",
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1
    assert done.stderr == b"ttt-judge: standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("{} <&-", "standard input: Bad file descriptor"),
        ("{} 0>/dev/null", "standard input: Bad file descriptor"),
        ("{} . <&-", ".: Is a directory"),
        ("{} . </dev/null", ".: Is a directory"),
    ],
)
def test_what_cannot_be_read_is_named(command: str, complaint: str) -> None:
    """Also where standard input is closed, and a file takes its number."""
    judge = f"{shlex.quote(sys.executable)} {shlex.quote(str(JUDGE))}"
    done = subprocess.run(
        ["sh", "-c", command.format(judge)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"ttt-judge: {complaint}\n"


def test_too_little_memory_is_a_line_and_not_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The status is 1."""

    def fail() -> None:
        raise MemoryError

    monkeypatch.setattr(situation, "answers", fail)
    assert main([str(HERE / "data" / "situation-40000.txt")]) == 1
    assert capfd.readouterr() == ("", "ttt-judge: out of memory\n")


def converse(process: subprocess.Popen[bytes], text: str) -> str:
    """Write to an open judge and return the lines that come back at once."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text.encode())
    process.stdin.flush()
    answer = b""
    while select.select([process.stdout], [], [], 30 if not answer else 0.2)[0]:
        read = os.read(process.stdout.fileno(), 1 << 16)
        if not read:
            break
        answer += read
    return answer.decode()


@pytest.mark.process
def test_the_judge_as_a_co_process() -> None:
    """Ask, read, ask again: complete queries are answered before more is awaited."""
    chance = random.Random(12)
    with subprocess.Popen(
        [sys.executable, JUDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        first = random_query(chance)
        assert converse(process, f"7\n{first}") == oracle.judge(f"1 {first}")
        two = random_query(chance) + random_query(chance)
        half, rest = random_query(chance).split("\n", 1)
        assert converse(process, two + half) == oracle.judge(f"2 {two}")
        assert converse(process, f"\n{rest}") == oracle.judge(f"1 {half} {rest}")
        crlf = random_query(chance).replace("\n", "\r\n")
        assert converse(process, crlf) == oracle.judge(f"1 {crlf}")
        three = "".join(random_query(chance) for _ in range(2))
        assert converse(process, three) == oracle.judge(f"2 {three}")
        assert process.stdin
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.process
def test_ctrl_c_ends_it_with_130() -> None:
    """There is no traceback."""
    with subprocess.Popen(
        [sys.executable, JUDGE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert converse(process, "2\n1 OOO ... ...\n") == "3\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.process
def test_the_tests_can_run_in_the_background() -> None:
    """Where a shell has them ignore Ctrl-C, the test above has nothing to wait for."""
    test = f"{__file__}::{test_ctrl_c_ends_it_with_130.__name__}"
    script = "trap '' INT HUP; exec \"$@\""
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        ["sh", "-c", script, "sh", *pytest_command, test],
        stdout=subprocess.PIPE,
        timeout=600,
        text=True,
    )
    assert done.stdout.splitlines()[-1].startswith("1 passed"), done.stdout


@pytest.mark.process
def test_memory_does_not_grow_with_the_input() -> None:
    """A million queries through a pipe need no more than 25 MB."""
    text = contest_file(40000, 13)
    body = text.split("\n", 1)[1].encode()
    script = (
        "import resource, subprocess, sys; "
        f"status = subprocess.call([sys.executable, {str(JUDGE)!r}]); "
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss; "
        "print(peak, file=sys.stderr); sys.exit(status)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=UNMEASURED,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"1000000\n")
        for _ in range(25):
            process.stdin.write(body)
        process.stdin.close()
        peak = int(process.stderr.read())
        assert process.wait() == 0
    assert resource.getpagesize() // 1024 < peak < 25 * 1024
