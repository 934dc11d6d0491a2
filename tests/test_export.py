"""Exported functions: they answer as the tables do, in as few bytes as promised."""

import re
import sys
from itertools import product
from pathlib import Path

import pytest

from tests import UNMEASURED
from tests import run as output_of
from tests.clients import VECTORS, need, run
from tests.exports import LANGUAGES, answers, check_itself
from tests.files import ROOT
from tests.sessions import Run, replay
from ttt_runtime import load
from ttt_runtime.errors import InvalidExportError, UnknownVariantError
from ttt_runtime.export import FUNCTIONS, TARGETS, WHATS, source
from ttt_runtime.variants import RULES

PAGE = (ROOT / "docs" / "export.md").read_text()
HEADER, *LINES = (VECTORS / "states.txt").read_text().splitlines()
STATES = [line.split() for line in LINES]
GIVEN = "".join([f"{board} {turn}\n" for board, turn, *_ in STATES])


def expected(variant: str, classes: bool = False) -> list[str]:
    """Return what a driver prints for each state of 3x3, by the vectors."""
    start = 2 + 4 * HEADER.split()[2:].index(variant)
    rows = [row[start : start + 4] for row in STATES]
    return [
        "-129 -129 -129 -129"
        if classes and reachable == "0"
        else f"{move} {value} {move} {value}"
        for value, move, _, reachable in rows
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_answers_all_states_of_3x3(language: str, tmp_path: Path) -> None:
    text = source("opponent", LANGUAGES[language][0])
    assert answers(language, text, GIVEN, tmp_path) == expected("standard")
    check_itself(language, text, tmp_path)


@pytest.mark.parametrize("variant", RULES)
@pytest.mark.parametrize("language", ["header in C", "header in C++"])
def test_a_header_of_classes_answers_what_games_lead_to_and_nothing_else(
    language: str, variant: str, tmp_path: Path
) -> None:
    text = source("opponent", "header", variant, classes=True)
    assert answers(language, text, GIVEN, tmp_path) == expected(variant, classes=True)
    check_itself(language, text, tmp_path)


NAMES = ["fill-2x3x2", "fastest-2x3x2", "torus"]


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("variant", NAMES)
def test_other_boards_and_variants_of_ones_own(variant: str, tmp_path: Path) -> None:
    table = load(variant)
    states = [table.grid.decode(index) for index in range(table.grid.states)]
    given = "".join([f"{board} {turn}\n" for board, turn in states])
    pairs = list(zip(table.moves.tolist(), table.values.tolist(), strict=True))
    wanted = [f"{move} {value} {move} {value}" for move, value in pairs]
    for language in ("CPython", "Node", "header in C"):
        text = source("opponent", LANGUAGES[language][0], variant)
        assert answers(language, text, given, tmp_path) == wanted
    reachable = table.reachable.tolist()
    text = source("opponent", "header", variant, classes=True)
    assert answers("C", text, given, tmp_path) == [
        line if known else "-129 -129 -129 -129"
        for line, known in zip(wanted, reachable, strict=True)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_state_gets_no_answer(language: str, tmp_path: Path) -> None:
    wrong = ["xx.oo.... 0", "XX.OO... 0", "XX.OO.... 2", "XX.OO.... -1", "XX.OO...0 0"]
    text = source("opponent", LANGUAGES[language][0])
    found = answers(language, text, "\n".join(wrong) + "\n", tmp_path)
    assert len(found) == len(wrong)
    for line in found:
        assert "-129 -129 -129 -129" in line or "expected" in line


def test_a_function_in_cpp_is_a_constant_expression(tmp_path: Path) -> None:
    need("g++")
    constant = 'static_assert(ttt::best_move("XX.OO....", 0) == 2);'
    (tmp_path / "constant.cpp").write_text(source("best-move", "cpp") + constant)
    command = "g++", "-std=c++17", "-fsyntax-only", "constant.cpp"
    assert run(*command, cwd=tmp_path) == (0, b"", b"")


@pytest.mark.parametrize("variant", RULES)
def test_every_file_of_3x3_is_small_and_has_its_function_alone(variant: str) -> None:
    for what, to in product(FUNCTIONS, TARGETS):
        text = source(what, to, variant)
        assert len(text) < 64 << 10
        assert text.isascii()
        assert "[if" not in text
        assert "[end]" not in text
        names = re.findall(r"^(?:#|//)   (?:.*ttt[_:.]+)?(\w+)\(", text, re.M)
        found = dict.fromkeys([name.replace("bestM", "best_m") for name in names])
        own = ["best_move", "value", "opponent"] if what == "opponent" else [what]
        assert list(found) == [name.replace("-", "_") for name in own]


@pytest.mark.parametrize(
    ("classes", "limit"), [(False, 12_000), (True, 1_000)], ids=["states", "classes"]
)
def test_the_data_of_a_header_for_avr_stays_in_flash_and_is_small(
    classes: bool, limit: int, tmp_path: Path
) -> None:
    need("avr-gcc", "avr-size")
    for variant in RULES:
        (tmp_path / "export.h").write_text(
            source("best-move", "header", variant, classes)
        )
        (tmp_path / "sketch.c").write_text(
            '#include "export.h"\n'
            "volatile char board[TTT_CELLS];\n"
            "int main(void) { return ttt_best_move((const char *)board, 0); }\n"
        )
        compile_ = "avr-gcc", "-mmcu=atmega328p", "-std=c99", "-Os", "-Wall", "-Wextra"
        warned = run(*compile_, "-Werror", "-c", "sketch.c", cwd=tmp_path)
        assert warned == (0, b"", b"")
        _, out, _ = run("avr-size", "-A", "sketch.o", cwd=tmp_path)
        sizes = dict(re.findall(r"^(\.\S+) +(\d+)", out.decode(), re.M))
        data = [int(size) for name, size in sizes.items() if "progmem" in name]
        assert sum(data) < limit, variant
        assert f"{sum(data):,}" in re.findall(rf"`{variant}` \|(.*)", PAGE)[0]
        assert int(sizes[".data"]) + int(sizes.get(".rodata", 0)) <= 2, variant
        assert int(sizes[".bss"]) <= 9, variant


def test_exporting_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for what, to in [("best-move", "header"), ("value", "python")]:
        for seed in "12":
            command = sys.executable, "-m", "ttt_runtime", "export", what, "--to", to
            environment = UNMEASURED | {"PYTHONHASHSEED": seed}
            text = output_of(*command, "-o", "-", cwd=ROOT, env=environment)
            assert text == source(what, to)


def test_the_command_writes_a_whole_file_or_none(ttt: Run, tmp_path: Path) -> None:
    path = tmp_path / "export.h"
    text = source("value", "header", "misere", classes=True)
    asked = ["export", "value", "--to", "header", "--variant", "misere", "--classes"]
    assert ttt(*asked, "-o", "-") == (0, text, "")
    assert ttt(*asked, "-o", str(path)) == (0, "", "")
    assert path.read_text() == text
    assert "ttt " + " ".join(asked) in text
    done = ttt("export", "value", "--to", "java", "-o", str(path))
    assert (done.status, done.out) == (2, "")
    assert "'java', only to python, c, cpp, javascript, header" in done.err
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (("best", "c"), "there is no 'best' to export; there are best-move, value, "),
        (("value", "C"), "value cannot be exported to 'C', only to python, c, cpp, "),
        (("toe1", "c"), "toe1 cannot be exported to 'c', only to python, cpp"),
        (("3C", "python", "fill"), "3C has rules of its own, not those of fill"),
        (("value", "c", "standard", True), "classes are for a header with best-move"),
        (
            ("value", "c", "standard-13x1x3"),
            "standard-13x1x3 has 13 cells; a table in ",
        ),
    ],
)
def test_what_cannot_be_exported_is_refused_with_what_can(
    asked: tuple[str, str], complaint: str
) -> None:
    with pytest.raises(InvalidExportError, match=re.escape(complaint)):
        source(*asked)


def test_an_unknown_variant_is_refused() -> None:
    for variant in ("nobody", 5):
        with pytest.raises(UnknownVariantError, match=f"variant is '?{variant}"):
            source("value", "c", variant)  # type: ignore[arg-type]


def test_the_help_has_everything_that_can_be_exported(ttt: Run) -> None:
    shown = ttt("export", "--help").out.split()
    assert {*WHATS, *TARGETS} <= {word.strip(",;") for word in shown}


@pytest.mark.parametrize("session", re.findall(r"```console\n(.*?)```", PAGE, re.S))
def test_a_session_of_the_page_prints_what_it_shows(
    session: str, tmp_path: Path
) -> None:
    need("cc", "c++", "node", "avr-gcc", "avr-size")
    for name, text in re.findall(r"```\w+\n(?:#|//) (\S+)\n(.*?)```", PAGE, re.S):
        (tmp_path / name).write_text(text)
    replay(session, tmp_path)
