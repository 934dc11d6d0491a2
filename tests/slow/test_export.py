"""Exported functions: of every variant, on the largest boards, on a simulated AVR."""

import random
from itertools import product
from pathlib import Path

import pytest

from tests.clients import need, run
from tests.exports import LANGUAGES, answers, check_itself
from ttt_runtime import load
from ttt_runtime.boards import Grid
from ttt_runtime.builder.variants import build
from ttt_runtime.export import FUNCTIONS, source
from ttt_runtime.variants import RULES, Rules, Variant, named

LARGE = "fastest-3x4x3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_function_of_every_variant_finds_its_answers_right(
    language: str, tmp_path: Path
) -> None:
    for what, variant in product(FUNCTIONS, RULES):
        text = source(what, LANGUAGES[language][0], variant)
        check_itself(language, text, tmp_path)


def test_a_self_check_notices_one_wrong_answer(tmp_path: Path) -> None:
    text = source("opponent", "header")
    before, line, after = text.partition("-128, -1, 0, 1, -128, -1, 1")
    assert line
    with pytest.raises(AssertionError):
        check_itself("C", before + line.replace("0, 1", "1, 1") + after, tmp_path)


def test_a_summary_that_is_no_comment_and_a_board_without_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = "a */ \"\"\" ''' /* $check `b` \u2028 \\\n#error ??/"
    rules = Rules("odd", summary, True, lambda x, o, empty: 0)
    build([Variant("odd", rules, Grid(2, 2, []))], tmp_path / "tables")
    monkeypatch.setenv("TTT_TABLES", str(tmp_path / "tables"))
    for language, (to, *_) in LANGUAGES.items():
        check_itself(language, source("opponent", to, "odd"), tmp_path)
    check_itself("C", source("opponent", "header", "odd", classes=True), tmp_path)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a variant of as many cells as can be exported."""
    directory = tmp_path_factory.mktemp("large")
    build([named(LARGE)], directory)
    return directory


@pytest.mark.parametrize("language", LANGUAGES)
def test_twelve_cells(
    language: str, large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_TABLES", str(large))
    table = load(LARGE)
    text = source("opponent", LANGUAGES[language][0], LARGE)
    check_itself(language, text, tmp_path)
    indices = random.Random(18).sample(range(table.grid.states), 20_000)
    states = [table.grid.decode(index) for index in indices]
    given = "".join([f"{board} {turn}\n" for board, turn in states])
    wanted = [
        f"{move} {value} {move} {value}"
        for move, value in zip(
            table.moves[indices].tolist(), table.values[indices].tolist(), strict=True
        )
    ]
    assert answers(language, text, given, tmp_path) == wanted
    if language.startswith("header"):
        classes = source("opponent", "header", LARGE, classes=True)
        check_itself(language, classes, tmp_path)


SKETCH = r"""
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdio.h>
#define main self_check
#include "export.h"
#undef main

static int put(char character, FILE *stream)
{
    (void)stream;
    UDR0 = (uint8_t)character;
    return 0;
}

static FILE serial = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);

int main(void)
{
    UCSR0B = _BV(TXEN0);
    stdout = &serial;
    self_check();
    cli();
    sleep_mode();
}
"""


@pytest.mark.parametrize("classes", [False, True], ids=["states", "classes"])
def test_all_answers_are_right_on_a_simulated_avr(
    classes: bool, tmp_path: Path
) -> None:
    need("avr-gcc", "simavr")
    (tmp_path / "export.h").write_text(source("opponent", "header", classes=classes))
    (tmp_path / "sketch.c").write_text(SKETCH)
    build_ = "avr-gcc -mmcu=atmega328p -DF_CPU=16000000 -DTTT_SELF_CHECK -std=c99 -Os"
    done = run(*build_.split(), "-Wall", "-Werror", "sketch.c", "-o", "a", cwd=tmp_path)
    assert done == (0, b"", b"")
    _, out, err = run("simavr", "-m", "atmega328p", "-f", "16000000", "a", cwd=tmp_path)
    assert b"all answers are right" in out + err
