"""The command ``ttt``: what it looks up, what it refuses, and how it ends."""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ttt_runtime
from tests import UNMEASURED, oracle
from tests.files import snapshot
from tests.sessions import Run
from tests.test_words import SMALL
from ttt_runtime import load
from ttt_runtime.cli.words import facts, move_facts

HERE = Path(__file__).resolve().parent
TTT = [sys.executable, "-m", "ttt_runtime"]


@pytest.fixture
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


EVENTS = json.loads((HERE / "data" / "events.json").read_text())


@pytest.mark.parametrize(
    ("arguments", "cell"),
    [
        ("XX.OO....", 2),
        ("XX.OO.... --turn O", 2),
        ("XX.OO.... --variant misere", 6),
        ("XXO.O..X.", 3),
        ("XXO.O..X. --variant fastest", 6),
        ("OOO...... --turn O --variant fill", 4),
    ],
)
def test_move_is_the_best_cell(arguments: str, cell: int, ttt: Run) -> None:
    assert ttt("move", *arguments.split()) == (0, f"{cell}\n", "")


def test_value_is_os_whoever_moves_and_however_the_game_has_ended(ttt: Run) -> None:
    for arguments, value in {
        "XX.OO....": -1,
        "XX./OO./... --turn O": 1,
        "XX.OO.... --variant fastest --turn 1": 5,
        "OOOXX.X.. --variant misere": -1,
        "XXXXXXXXX --turn X --variant fill": -8,
    }.items():
        assert ttt("value", *arguments.split()) == (0, f"{value}\n", "")
    known = ttt("move", "XX.OO....", "--json")
    assert ttt("value", "XX.OO....", "--json") == known
    assert json.loads(ttt("value", "XXXOO....", "--json").out)["move"] is None


def test_json_is_one_object_a_line(ttt: Run) -> None:
    table = load("fastest")
    expected = {**facts(table, "XX.OO....", 1), "optimal": [5]}
    arguments = ["XX.OO....", "--turn", "O", "--variant", "fastest", "--json"]
    assert ttt("move", *arguments) == (0, json.dumps(expected) + "\n", "")
    expected["moves"] = move_facts(table, "XX.OO....", 1)
    assert ttt("show", *arguments) == (0, json.dumps(expected) + "\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("move xx.oo....", "board 'xx.oo....' has 'x' in cell 0; write X in upper"),
        ("show XX.OO...", "board 'XX.OO...' has 8 marks, expected 9: row by row"),
        ("draw XX.00.... -o -", "'0' in cell 3; write the letter O, not the digit 0"),
        ("play XX.OO....Q", "has 10 marks, expected 9"),
        ("move XX.OO___.", "'_' in cell 5; write an empty cell as '.'"),
        ("show ---------", "'-' in cell 0; write an empty cell as '.'"),
        ("draw -X-O----- -o -", "'-' in cell 0; write an empty cell as '.'"),
        ("move XX.......", "2 X and 0 O; X moves first, so a game has as many X as O, "
         "or one more; or give --turn X or O"),
        ("show O........", "0 X and 1 O; X moves first, so a game has as many X as O, "
         "or one more; or give --turn X or O"),
        ("move XXXOO....", "board 'XXXOO....': there is no move to make. Game over: X "
         "wins"),
        ("move XXXOOXOXO --variant fill", "Game over: X ends 1 line ahead"),
        ("move XXXOO....  --json", "there is no move to make"),
        ("map --player X --board XXXOO.... -o -", "'XXXOO....': there is no move to"),
        ("map --player X --board XX....... -o -", "as many X as O, or one more; or "
         "give --turn X or O"),
        ("map --player X --board xx -o -", "board 'xx' has 2 marks, expected 9"),
        ("value xx.oo....", "board 'xx.oo....' has 'x' in cell 0; write X in upper"),
        ("value XXXOOO...", "shows a line of X and a line of O"),
        ("show XXXOOO...", "shows a line of X and a line of O"),
        ("draw XXXOOO... --variant fastest -o -", "fastest: board 'XXXOOO...' shows"),
        ("move ×........", "'×' in cell 0; that is MULTIPLICATION SIGN"),
    ],
)  # fmt: skip
def test_bad_data_exits_1_with_one_line_that_says_how_to_put_it_right(
    arguments: str, message: str, ttt: Run
) -> None:
    done = ttt(*arguments.split())
    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert ("--turn" in done.err) == ("--turn" in message)
    assert done.err.startswith("ttt: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        "fly",
        "--fly",
        "move XX.OO.... extra",
        "move XX.OO.... --turn x",
        "draw XX.OO....",
        "info --turn 0",
        "classes XX.OO....",
        "classes --format xml",
    ],
)
def test_wrong_usage_exits_2_with_the_usage(arguments: str, ttt: Run) -> None:
    done = ttt(*arguments.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("usage: ttt")


@pytest.mark.parametrize(
    "board", ["XX.OO....", "XX./OO./...", "XX. OO. ...", " XX. / OO.\n/ ...\n"]
)
def test_rows_of_a_board_may_be_parted(board: str, ttt: Run) -> None:
    assert ttt("move", board) == (0, "2\n", "")
    assert json.loads(ttt("show", board, "--json").out)["board"] == "XX.OO...."
    assert ttt("play", board, given="q\n") == ttt("play", "XX.OO....", given="q\n")


@pytest.mark.parametrize("variant", SMALL)
def test_every_board_of_2x3_is_answered_as_by_the_oracle(
    variant: str, built: Path, ttt: Run
) -> None:
    states = sorted(oracle.reached(variant, 6))
    for board, turn in states[::9]:
        done = ttt("show", f"{board[:3]}/{board[3:]}", "--variant", variant, "--json")
        known = json.loads(done.out)
        assert known["board"] == board
        assert known["variant"] == variant
        assert known["optimal"] == oracle.best(variant, board, turn)
        assert known["value"] == oracle.value(variant, board, turn)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("move XX.OO.... --variant fill-2x3x2", "board 'XX.OO....' has 9 marks, "
         "fill-2x3x2 has 6: row by row"),
        ("show XX/OO --variant fill-2x3x2", "board 'XXOO' has 4 marks, fill-2x3x2 has"),
        ("draw -X-O-. --variant fill-2x3x2 -o -", "board '-X-O-.' has '-' in cell 0; "
         "write an empty cell as '.'\n"),
        ("move -X/.. --variant fill-2x2x2", "has '-' in cell 0; write an empty cell"),
        ("move XOXOXO. --variant torus", "board 'XOXOXO.' has 7 marks, torus has 9:"),
        ("value -X-O-. --variant fill-2x3x2", "'-' in cell 0; write an empty cell as"),
        ("classes --variant fill-1x2x1", "fill-1x2x1 is not built; build it with"),
        ("play x..... --variant fill-2x3x2", "'x' in cell 0; write X in upper case"),
        ("move XO --variant fill-1x2x1", "fill-1x2x1 is not built; build it with "
         "'ttt build fill-1x2x1', which takes some 1 s and 1 MB\n"),
        ("verify fill-1x2x1", "fill-1x2x1 is not built; build it with 'ttt build"),
        ("verify chess", "variant is 'chess', expected one of standard, fill, misere"),
        ("remove fill-1x2x1", "built: 'fill-1x2x1' is not built there\n"),
        ("remove .. fill-2x3x2", "built: '..' is not built there\n"),
        ("remove /", "built: '/' is not built there\n"),
        ("verify --variants no.py", "no.py: No such file or directory\n"),
    ],
)  # fmt: skip
def test_bad_data_of_other_boards_exits_1_with_one_line(
    arguments: str, message: str, built: Path, ttt: Run
) -> None:
    before = snapshot(built)
    done = ttt(*arguments.split())
    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert done.err.startswith("ttt: ")
    assert done.err.count("\n") == 1
    assert snapshot(built) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("move XX.OO.... --variant chess", "argument --variant: variant is 'chess', "
         "expected one of standard, fill, misere, fastest, with the size of any board"),
        ("show . --variant fill-5x5x5", "a board of 5x5 has 25 cells, expected 1 to"),
        ("map --player X -o - --variant fill-2x3x2", "a map is of games on 3x3, "
         "fill-2x3x2 has 2x3"),
        ("map --player X -o - --variant fill-1x9x3", "a map is of games on 3x3, "
         "fill-1x9x3 has 1x9"),
        ("map --player X -o - --variant hundreds", "on 3x3, hundreds has 1x11"),
        ("build", "expected a VARIANT, or --variants FILE.py that defines some"),
        ("build fill-2x2x2 --out=", "argument --out: is empty, expected a path"),
        ("remove", "the following arguments are required: VARIANT"),
    ],
)  # fmt: skip
def test_wrong_usage_says_what_is_expected(
    arguments: str, message: str, built: Path, ttt: Run
) -> None:
    done = ttt(*arguments.split())
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_a_file_may_have_a_name_of_marks(ttt: Run, in_tmp_path: Path) -> None:
    assert ttt("draw", "XX.OO....", "-oXO") == (0, "", "")
    assert Path("XO").read_text().startswith("<svg")


OWN = """
from ttt_runtime.boards import Grid
from ttt_runtime.variants import RULES, Variant
ring = Grid(1, 4, [(0, 1), (1, 2), (2, 3), (3, 0)])
VARIANTS = [Variant("ring", RULES["standard"], ring)]
"""


def test_what_is_built_is_found_proved_told_of_and_removed(
    ttt: Run, in_tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_TABLES", "built")
    Path("own.py").write_text(OWN)
    nothing = ttt("info").out
    assert json.loads(ttt("info", "--json").out)["built"] == {}
    assert ttt("build", "standard").err == (
        "standard comes with the package; --out DIR builds it anew\n"
    )
    for arguments in (["fill-2x2x2"], ["--variants", "own.py"]):
        done = ttt("build", *arguments)
        assert (done.status, done.err) == (0, "")
        assert " states, " in done.out
        assert " bytes written\n" in done.out
        assert ttt("build", *arguments, "--check").out.endswith(": as built\n")
    assert ttt("move", "X...", "--variant", "ring", "--turn", "X") == (0, "1\n", "")
    for arguments in (
        ["ring", "--variants", "own.py"],
        ["--variants", "own.py"],
        ["--directory", "built", "--variants", "own.py"],
    ):
        done = ttt("verify", *arguments)
        assert "ring: all 162 states follow from the rules and each other" in done.out
        assert ("fill-2x2x2: all 162" in done.out) == ("--directory" in arguments)
    assert ttt("info").out.startswith(nothing)
    built = json.loads(ttt("info", "--json").out)["built"]
    assert list(built) == ["fill-2x2x2", "ring"]
    size = sum(path.stat().st_size for path in Path("built", "ring").iterdir())
    assert built["ring"] == {
        "rule": "two in a row wins: +1 O has a line, -1 X has one, 0 a draw",
        "states": 162,
        "reachable": 31,
        "finished": 10,
        "bytes": size,
        "tables": str(Path("built", "ring").resolve()),
    }
    assert f"  {size} bytes in {built['ring']['tables']}\n" in ttt("info").out
    about = Path("built", "ring", "about.json")
    about.write_bytes(about.read_bytes()[1:])
    built = json.loads(ttt("info", "--json").out)["built"]
    assert list(built["ring"]) == ["fault"]
    assert f"{about.resolve()}: " in built["ring"]["fault"]
    assert f"\nring: {built['ring']['fault']}\n" in ttt("info").out
    assert "\nfill-2x2x2: every cell" in ttt("info").out
    removed = f"{about.parent.resolve()}: {size - 1:,} bytes removed\n"
    assert ttt("remove", "ring") == (0, removed, "")
    assert ttt("remove", "fill-2x2x2", "--out", "no").status == 1
    assert ttt("move", "....", "--variant", "ring").status == 2
    assert ttt("move", "....", "--variant", "fill-2x2x2") == (0, "0\n", "")


def test_a_build_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("VARIANTS = ()")
    command = [*TTT, "build", "--variants", str(tmp_path / "own.py")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "own.py: defines no VARIANTS" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["fill-2x2x2", "chess"])
def test_where_nothing_is_built_there_is_nothing_to_tell_or_remove(
    name: str, ttt: Run, in_tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_TABLES", "none")
    message = {"fill-2x2x2": "is not built; build it with", "chess": "expected one of"}
    assert message[name] in ttt("verify", name).err
    assert ttt("remove", name).err.endswith(f"none: {name!r} is not built there\n")
    assert json.loads(ttt("info", "--json").out)["built"] == {}
    assert not Path("none").exists()


def test_a_build_that_was_cut_off_is_removed(
    ttt: Run, built: Path, tmp_path: Path
) -> None:
    (built / "checksums.txt").unlink()
    assert ttt("remove", "torus").status == 0
    assert not (built / "torus").exists()


def test_a_build_without_numpy_says_what_it_needs(
    ttt: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    done = ttt("build", "fill-2x2x2", "--out", str(tmp_path))
    assert done == (
        1,
        "",
        "ttt: tqdm is needed and not installed: pip install tqdm\n",
    )


def test_version(ttt: Run) -> None:
    assert ttt("--version") == (0, f"ttt {ttt_runtime.__version__}\n", "")


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: str(case["id"]))
def test_events_of_attempts_on_standard_input_or_in_a_file(
    case: dict[str, Any], ttt: Run, tmp_path: Path
) -> None:
    text = json.dumps(case["human_moves"])
    path = tmp_path / "attempts.json"
    path.write_text(text)
    done = ttt("events", given=text)
    assert (done.status, json.loads(done.out), done.err) == (0, case["events"], "")
    assert done == ttt("events", "-", given=f" {text}\n") == ttt("events", str(path))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"", "is not JSON (Expecting value: line 1 column 1 (char 0)); expected "
         "attempts, [[0, 0], [1, 1]]\n"),
        (b"\xff", "is not JSON ('utf-8' codec can't decode"),
        (b"[" * 100000, "is not JSON (maximum recursion depth"),
        (b"9" * 5000, "is not JSON (Exceeds the limit"),
        (b"[[0, 0], [3, 0]]", "human_moves[1]: row is 3, expected an integer from 0"),
    ],
)  # fmt: skip
def test_bad_attempts_exit_1_and_the_file_is_named(
    given: bytes, message: str, ttt: Run, tmp_path: Path
) -> None:
    path = tmp_path / "attempts.json"
    path.write_bytes(given)
    for done, name in [
        (ttt("events", given=given), "standard input"),
        (ttt("events", str(path)), path),
    ]:
        assert (done.status, done.out) == (1, "")
        assert done.err.startswith(f"ttt: {name}: {message}")
        assert done.err.count("\n") == 1


def test_a_file_that_cannot_be_read_is_named(ttt: Run, tmp_path: Path) -> None:
    for name, reason in [
        (f"{tmp_path}/no.json", "No such file or directory"),
        (str(tmp_path), "Is a directory"),
    ]:
        assert ttt("events", name) == (1, "", f"ttt: {name}: {reason}\n")
    assert ttt("events", "") == (1, "", "ttt: '': No such file or directory\n")


def test_verify(ttt: Run, tmp_path: Path) -> None:
    done = ttt("verify")
    assert (done.status, done.err) == (0, "")
    for variant in oracle.VARIANTS:
        assert f"\n{variant}: all 39366 states follow" in done.out
    done = ttt("verify", "--directory", str(tmp_path / "caf\u00e9"))
    assert (done.status, done.out) == (1, "")
    assert f"{tmp_path}/caf\u00e9/checksums.txt: cannot be read" in done.err


def test_info_counts_states_and_names_versions_and_the_directory(ttt: Run) -> None:
    about = json.loads(ttt("info", "--json").out)
    text = ttt("info").out
    assert about["version"] == ttt_runtime.__version__
    assert about["tables"] == load().directory
    assert about["states"] == len(oracle.STATES)
    version = Path(load().directory, "VERSION").read_text()
    assert version == f"ttt-tables {about['format']}\n"
    assert list(about["variants"]) == oracle.VARIANTS
    for variant, known in about["variants"].items():
        counts = (6046, 126) if variant == "fill" else (5478, 958)
        assert (known["reachable"], known["finished"]) == counts
        assert f"{variant}: {known['rule']}\n" in text
        assert f"{counts[0]} of them in games, {counts[1]} of those" in text
    for piece in (about["version"], about["format"], about["tables"]):
        assert piece in text


NO_SPACE = "ttt: standard output: No space left on device\n"
CLOSED = "ttt: standard output is closed\n"


@pytest.mark.parametrize(
    ("redirection", "unbuffered", "status", "complaint"),
    [
        ("", "", 0, ""),  # whoever reads this has seen enough
        (">/dev/full", "", 1, NO_SPACE),
        (">/dev/full", "1", 1, NO_SPACE),
        (">&-", "", 1, CLOSED),
        ("2>&-", "", 0, ""),
    ],
)
@pytest.mark.parametrize("command", ["", "move XX.OO....", "play <&-"])
def test_output_that_nobody_reads_that_is_full_or_closed(
    command: str, redirection: str, unbuffered: str, status: int, complaint: str
) -> None:
    outer, gone = os.pipe()
    os.close(outer)
    done = subprocess.run(
        f'"{sys.executable}" -m ttt_runtime {command} {redirection}',
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=gone,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    os.close(gone)
    assert (done.returncode, done.stderr) == (status, complaint)


def test_bad_data_exits_1_where_nobody_hears_why() -> None:
    command = f'"{sys.executable}" -m ttt_runtime move xx.oo.... 2>&-'
    assert subprocess.run(command, shell=True).returncode == 1


def test_events_without_standard_input_are_not_json() -> None:
    command = f'"{sys.executable}" -m ttt_runtime events <&-'
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("ttt: standard input: is not JSON")


def test_what_ascii_cannot_read_or_show_is_escaped() -> None:
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }

    def run(*arguments: str | bytes, given: bytes = b"") -> tuple[int, bytes, bytes]:
        done = subprocess.run(
            [*TTT, *arguments], input=given, capture_output=True, env=environment
        )
        return done.returncode, done.stdout, done.stderr

    status, out, err = run("play", given=b"\xc3\xa9\n\xff\n")
    assert (status, err) == (0, b"")
    assert rb"'\\xc3\\xa9' is no cell" in out
    assert rb"'\\xff' is no cell" in out
    status, out, err = run("move", b"\xff" * 9)
    assert (status, out) == (1, b"")
    assert err.startswith(b"ttt: board '")
    status, out, err = run("draw", "." * 9, "-o", b"/\xff/\xe9")
    assert (status, out) == (1, b"")
    assert err.endswith(b": No such file or directory\n")
    assert err.count(b"\n") == 1


def test_a_look_up_imports_neither_numpy_nor_json_nor_pictures() -> None:
    script = (
        "import sys; from ttt_runtime.cli import main; main(['move', 'XX.OO....']); "
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=UNMEASURED,
    )
    names = done.stdout.split()
    assert {"argparse", "ttt_runtime.cli.words"} <= set(names)
    for name in ("numpy", "msgpack", "json", "typing", "ttt_runtime.cli.pictures"):
        assert name not in names


def test_argcomplete_gets_to_know_commands_and_variants_where_the_shell_asks(
    ttt: Run, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[ArgumentParser] = []
    argcomplete = SimpleNamespace(autocomplete=known.append)
    monkeypatch.setitem(sys.modules, "argcomplete", argcomplete)
    assert ttt("move", "XX.OO....") == (0, "2\n", "")
    assert known == []
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    assert ttt("move", "XX.OO....") == (0, "2\n", "")
    assert known[0].format_help() == ttt("--help").out
    (commands,) = [each.choices for each in known[0]._actions if each.choices]
    assert isinstance(commands, dict)
    for name in ("move", "value", "show", "play", "draw", "map", "classes"):
        (variant,) = [a for a in commands[name]._actions if a.dest == "table"]
        assert variant.completer()[:5] == [*oracle.VARIANTS, "fastest-2x3x2"]
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    assert ttt("move", "XX.OO....") == (0, "2\n", "")
