"""Tests of docs/recipes.md: every block runs, and prints what is shown.

A section is skipped if a package that it imports is missing, but with CI set in the
environment it fails: the optional group ``recipes`` has them all. Columns of frames are
tested here as well, in every form.
"""

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sessions import ENVIRONMENT, replay
from ttt_runtime import InvalidBoardError, InvalidIndexError, load
from ttt_runtime.arrays import decode_many, encode_many, to_text
from ttt_runtime.boards import UNDEFINED

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "recipes.md").read_text()
FENCED = r"^```(.*)\n((?:.*\n)*?)```$"
SECTIONS = {
    title: re.findall(FENCED, section, re.M)
    for title, section in re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", TEXT, re.M)
}


def missing(blocks: list[tuple[str, str]]) -> list[str]:
    """Return the packages that blocks, or programs they name, import in vain."""
    source = "".join(text for _, text in blocks)
    for program in sorted(set(re.findall(r"\bdocs/(\w+\.py)\b", source))):
        source += (DOCS / program).read_text()
    imported = set(re.findall(r"^ *(?:from|import) (\w+)", source, re.M))
    return sorted(name for name in imported if find_spec(name) is None)


def installed(blocks: list[tuple[str, str]]) -> None:
    """Skip if a package is missing; with CI set that is a failure."""
    packages = missing(blocks)
    if packages and not os.environ.get("CI"):
        pytest.skip(f"not installed: {', '.join(packages)}; pip install '.[recipes]'")
    assert not packages


def test_every_fence_belongs_to_a_block_that_is_run() -> None:
    blocks = [block for section in SECTIONS.values() for block in section]
    assert 2 * len(blocks) == TEXT.count("```")
    before = ""
    for kind, _ in blocks:
        assert kind in ("python", "console") or (kind, before) == ("text", "python")
        before = kind


@pytest.mark.parametrize("title", SECTIONS)
def test_a_section_prints_what_it_shows(title: str, tmp_path: Path) -> None:
    blocks = SECTIONS[title]
    installed(blocks)
    directory = tmp_path / "directory"
    directory.mkdir()
    (directory / "docs").symlink_to(DOCS)
    script = tmp_path / "block.py"
    for number, (kind, text) in enumerate(blocks):
        if kind == "console":
            replay(text, directory)
        elif kind == "python":
            script.write_text(text)
            done = subprocess.run(
                [sys.executable, script],
                cwd=directory,
                env=ENVIRONMENT,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{text}\n{done.stderr}"
            after = blocks[number + 1 : number + 2]
            shown = after[0][1] if after and after[0][0] == "text" else ""
            assert done.stdout == shown, text


def definitions(title: str) -> dict[str, Any]:
    """Run the first block of a section up to where it makes its example."""
    installed(SECTIONS[title])
    names: dict[str, Any] = {}
    exec(SECTIONS[title][0][1].partition("\nchosen = ")[0], names)
    return names


TABLES = pytest.mark.parametrize("title", ["DuckDB", "Polars"])


@TABLES
def test_a_turn_in_the_data_is_used(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = definitions(title)
    polars = import_module("polars")
    monkeypatch.chdir(tmp_path)
    table = load()
    index = np.flatnonzero(table.values != UNDEFINED)
    boards, turns = decode_many(index)
    given = polars.DataFrame({"board": to_text(boards), "turn": turns, "at": index})
    given.write_parquet("given.parquet")
    names["look_up"]("given.parquet", "found.parquet")
    found = polars.read_parquet("found.parquet").sort("at")
    assert found.columns == ["board", "turn", "at", "value", "move", "optimal"]
    for column, expected in (
        ("at", index),
        ("turn", turns),
        ("value", table.values[index]),
        ("move", table.moves[index]),
        ("optimal", table.optimal[index]),
    ):
        assert found[column].to_list() == expected.tolist()


@TABLES
@pytest.mark.parametrize(
    ("board", "turn"),
    [(None, 0), ("XXXOOO...", 0), ("X...", 0), ("x........", 1), ("X........", None)],
)
def test_a_bad_board_leaves_what_was_there(
    title: str,
    board: str | None,
    turn: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = definitions(title)
    polars = import_module("polars")
    monkeypatch.chdir(tmp_path)
    sound = 300_000
    columns = {"board": ["X........"] * sound + [board], "turn": [1] * sound + [turn]}
    polars.DataFrame(columns).write_parquet("given.parquet")
    Path("found.parquet").write_text("of yesterday")
    with pytest.raises(Exception, match=r"no answer for board|boards|turns"):
        names["look_up"]("given.parquet", "found.parquet")
    assert Path("found.parquet").read_text() == "of yesterday"
    assert sorted(os.listdir()) == ["found.parquet", "given.parquet"]


# Columns of frames

PACKAGES = "import pandas\nimport polars\nimport pyarrow"


def columns(texts: list[Any], digits: list[Any], marks: list[Any]) -> dict[str, Any]:
    """Return the same boards in every form that frames have, by name."""
    installed([("python", PACKAGES)])
    pd, pl, pa = map(import_module, ("pandas", "polars", "pyarrow"))
    nine = pa.list_(pa.int8(), 9)
    return {
        "pandas object": pd.Series(texts, dtype=object),
        "pandas str": pd.Series(texts),
        "pandas string": pd.Series(texts, dtype="string"),
        "pandas string of Arrow": pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
        "pandas category": pd.Series(texts, dtype="category"),
        "pandas lists": pd.Series(digits),
        "pandas, nine int8": pd.DataFrame(digits),
        "pandas, nine Int8": pd.DataFrame(digits, dtype="Int8"),
        "pandas, nine object": pd.DataFrame(marks, dtype=object),
        "pandas, nine string": pd.DataFrame(marks, dtype="string"),
        "pandas, nine categories": pd.DataFrame(marks).astype("category"),
        "Polars String": pl.Series(texts),
        "Polars Categorical": pl.Series(texts, dtype=pl.Categorical),
        "Polars Enum": pl.Series(texts, dtype=pl.Enum([*{*texts} - {None}])),
        "Polars List": pl.Series(digits, dtype=pl.List(pl.Int8)),
        "Polars Array": pl.Series(digits, dtype=pl.Array(pl.Int8, 9)),
        "Polars, nine Int64": pl.DataFrame(digits, orient="row"),
        "Polars, nine String": pl.DataFrame(marks, orient="row"),
        "Arrow string": pa.array(texts),
        "Arrow dictionary": pa.array(texts).dictionary_encode(),
        "Arrow chunks": pa.chunked_array([texts[:1], texts[1:]]),
        "Arrow list": pa.array(digits, pa.list_(pa.int8())),
        "Arrow fixed-size list": pa.array(digits, nine),
        "Arrow fixed-size lists in chunks": pa.chunked_array([digits], nine),
    }


def test_every_form_of_column_has_the_index_of_every_board() -> None:
    digits, _ = decode_many(np.arange(19683))
    texts = to_text(digits).tolist()
    for name, column in columns(texts, digits.tolist(), [*map(list, texts)]).items():
        assert encode_many(column, 0).tolist() == list(range(19683)), name


def test_a_wrong_board_in_a_column_is_refused_with_its_row() -> None:
    texts, digits = ["X.......O"] * 4, [[1, 0, 0, 0, 0, 0, 0, 0, 2]] * 4
    texts[2], digits[2] = "X...?...O", [1, 0, 0, 0, 3, 0, 0, 0, 2]
    for name, column in columns(texts, digits, [*map(list, texts)]).items():
        with pytest.raises(InvalidBoardError) as caught:
            encode_many(column)
        place = r"boards\[2(, 4\] is (3,|'\?';)|\]: .* in cell 4; the marks are )"
        assert re.match(place, str(caught.value)), (name, str(caught.value))


GAP = r"( is nan| is None| is of type NAType), expected "


def test_a_gap_in_a_column_is_refused_with_its_row() -> None:
    texts: list[Any] = ["X.......O", None]
    digits: list[Any] = [[1, 0, 0, 0, 0, 0, 0, 0, 2], [1, 0, 0, 0, None, 0, 0, 0, 2]]
    marks: list[Any] = [[*"X.......O"], ["X", *"...", None, *"...", "O"]]
    for name, column in columns(texts, digits, marks).items():
        with pytest.raises(InvalidBoardError) as caught:
            encode_many(column)
        place = rf"boards\[1(, 4)?\]{GAP}"
        assert re.match(place, str(caught.value)), (name, str(caught.value))


def test_a_column_of_integers_is_turns_or_indices() -> None:
    installed([("python", PACKAGES)])
    pd, pl, pa = map(import_module, ("pandas", "polars", "pyarrow"))
    board = ["." * 9] * 2
    for kind in ("int64", "Int64", "int64[pyarrow]", object, "Polars", "Arrow"):

        def column(items: list[Any], kind: Any = kind) -> Any:
            if kind in ("Polars", "Arrow"):
                return pl.Series(items) if kind == "Polars" else pa.array(items)
            return pd.Series(items, dtype=None if kind == "int64" else kind)

        assert encode_many(board, column([0, 1])).tolist() == [0, 19683]
        assert decode_many(column([9396, 29079]))[1].tolist() == [0, 1]
        with pytest.raises(InvalidBoardError, match=rf"^turns\[1\]{GAP}0 \(X"):
            encode_many(board, column([0, None]))
        with pytest.raises(InvalidIndexError, match=rf"^indices\[1\]{GAP}an integer"):
            decode_many(column([0, None]))
        with pytest.raises(InvalidIndexError, match=r"^indices\[1\] is -1, expected"):
            decode_many(column([0, -1]))
    for truths in (pd.Series([True, False]), pl.Series([True]), pa.array([True])):
        with pytest.raises(
            InvalidIndexError, match="^indices has dtype bool, expected"
        ):
            decode_many(truths)
        with pytest.raises(InvalidBoardError, match="^turns has dtype bool, expected"):
            encode_many(board, truths)
