"""Tests of `ttt_runtime.tables` and `ttt_runtime.files`."""

import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
import zipimport
from collections.abc import Callable
from contextlib import suppress
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import oracle
from tests.files import ROOT, TABLES, reseal, snapshot
from ttt_runtime import (
    InvalidBoardError,
    InvalidIndexError,
    Table,
    TableError,
    UnknownVariantError,
    files,
    load,
    tables,
)
from ttt_runtime.boards import Grid
from ttt_runtime.builder.variants import build
from ttt_runtime.variants import RULES, Variant, named

CASES = json.loads((ROOT / "tests" / "data" / "boards.json").read_text())


def refusal(variant: str, directory: Path) -> str:
    """Return what `load` says when it refuses a directory."""
    with pytest.raises(TableError) as caught:
        load(variant, directory)
    return str(caught.value)


def remedy(variant: str, directory: Path) -> str:
    """Return what a refusal advises."""
    own = " --variants FILE.py" if variant == "own" else ""
    return f"build it again with 'ttt build {variant}{own} --out {directory}'"


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_every_scalar_answer_is_that_of_the_arrays(variant: str) -> None:
    table = load(variant)
    arrays = [
        array.tolist()
        for array in (table.values, table.moves, table.optimal, table.reachable)
    ]
    for index, (board, turn) in enumerate(oracle.STATES):
        value, move, mask, reachable = [array[index] for array in arrays]
        if value == -128:
            for question in (
                table.value,
                table.move,
                table.optimal_moves,
                table.move_values,
                table.is_reachable,
            ):
                with pytest.raises(InvalidBoardError, match=f"{variant}: board"):
                    question(board, turn)
            continue
        assert table.value_at(index) == value
        assert table.mover_value_at(index) == (value if turn else -value)
        assert table.move_at(index) == (None if move == -1 else move)
        assert table.optimal_at(index) == mask
        assert table.is_reachable_at(index) is reachable


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_questions_by_board_agree_with_the_oracle(variant: str) -> None:
    table, reached = load(variant), oracle.reached(variant)
    for board, turn in oracle.STATES[::17]:
        if oracle.meaningless(variant, board):
            continue
        cells = oracle.best(variant, board, turn)
        value = oracle.value(variant, board, turn)
        ended = oracle.ended(variant, board)
        assert table.value(board, turn) == value
        assert table.mover_value(board, turn) == (value if turn else -value)
        assert table.move(board, turn) == (cells[0] if cells else None)
        assert table.optimal_moves(board, turn) == tuple(cells)
        assert table.move_values(board, turn) == (
            {} if ended else oracle.after(variant, board, turn)
        )
        assert table.is_reachable(board, turn) is ((board, turn) in reached)


def test_tables_that_have_just_been_read_answer() -> None:
    table = Table("fastest", str(TABLES))
    assert table.value("XX.OO....", 1) == 5
    assert table.move("XX.OO....", 1) == 5
    assert table.move("XXXOO....", 1) is None
    assert table.optimal_moves("X...O...X", 1) == (1, 3, 5, 7)
    assert not table.is_reachable("XX.OO....", 1)


def test_continuations_are_counted_for_standard() -> None:
    table = load()
    counts = table.continuations.tolist()
    for index, (board, turn) in enumerate(oracle.STATES[::7]):
        if oracle.meaningless("standard", board):
            with pytest.raises(InvalidBoardError):
                table.continuation_counts(board, turn)
        else:
            found = table.continuation_counts(board, turn)
            assert list(found) == counts[7 * index]
    assert table.continuation_counts("." * 9) == (131184, 77904, 46080)
    with pytest.raises(InvalidIndexError):
        table.continuation_counts_at(-1)


def test_other_variants_have_no_continuations() -> None:
    with pytest.raises(UnknownVariantError) as caught:
        load("fill").continuation_counts("." * 9)
    assert str(caught.value) == (
        "variant 'fill' has no array 'continuations', which standard has"
    )


def test_answers_are_plain_python() -> None:
    table = load()
    for index in (0, np.uint16(19683)):
        assert type(table.value_at(index)) is int  # type: ignore[arg-type]
        assert type(table.move_at(index)) is int  # type: ignore[arg-type]
        assert type(table.optimal_at(index)) is int  # type: ignore[arg-type]
        assert type(table.is_reachable_at(index)) is bool  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_inputs_that_broke_other_programs(case: dict[str, object]) -> None:
    board, turn = str(case["board"]), case["turn"]
    assert isinstance(turn, int)
    for variant in oracle.VARIANTS:
        table = load(variant)
        for asked in (turn, None)[: 1 if case["turn_given"] else 2]:
            if case[variant] == "undefined":
                with pytest.raises(InvalidBoardError):
                    table.value(board, asked)
                continue
            assert {
                "value": table.value(board, asked),
                "move": table.move(board, asked),
                "optimal": list(table.optimal_moves(board, asked)),
            } == case[variant], variant


def test_with_a_turn_any_counts_will_do() -> None:
    with pytest.raises(InvalidBoardError, match="2 O"):
        load().value("XO.O.....")
    assert load().value("XO.O.....", 0) == 0
    assert load().value("XO.O.....", 1) == 1


@pytest.mark.parametrize("index", [-1, 39366, True, 1.0])
def test_questions_by_index_refuse_other_things(index: int) -> None:
    table = load()
    for question in (
        table.value_at,
        table.mover_value_at,
        table.move_at,
        table.optimal_at,
        table.is_reachable_at,
        table.continuation_counts_at,
    ):
        with pytest.raises(InvalidIndexError, match="expected an integer from 0 to"):
            question(index)


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_arrays_are_the_files_and_read_only(variant: str) -> None:
    table = load(variant)
    for name, dtype in {
        "values": "|i1",
        "moves": "|i1",
        "optimal": "<u2",
        "reachable": "|b1",
    }.items():
        array = getattr(table, name)
        assert (array.shape, array.dtype.str) == ((39366,), dtype)
        assert np.shares_memory(array, getattr(table, name))
        assert np.array_equal(array, np.load(TABLES / variant / f"{name}.npy"))
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            array.setflags(write=True)
        assert table.raw(name) == array.tobytes()
    counts = load().continuations
    assert (counts.shape, counts.dtype.str) == ((39366, 3), "<i4")
    assert not counts.flags.writeable


def test_writing_through_a_fault_of_numpy_changes_no_answer(tables: Path) -> None:
    table = load("fill", tables)
    before = [table.value_at(index) for index in range(100)]
    with suppress(ValueError):  # later versions see that the array is read-only
        np.add.at(table.values, np.arange(100), np.int8(1))
    assert [table.value_at(index) for index in range(100)] == before


def test_numpy_is_imported_when_an_array_is_first_used() -> None:
    script = (
        "import sys, ttt_runtime; table = ttt_runtime.load()\n"
        "assert table.move('XX.OO....') == 2 and 'numpy' not in sys.modules\n"
        "assert table.moves[9396] == 2 and 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


def test_a_table_is_loaded_once_however_its_directory_is_written() -> None:
    assert load() is load("standard") is load(directory=None)
    assert load("fill", TABLES) is load("fill", str(TABLES)) is load(np.str_("fill"))
    assert load("fill", os.path.relpath(TABLES)) is load("fill", TABLES)
    assert load("fill", os.fsencode(TABLES)) is load("fill", TABLES)  # type: ignore[arg-type]


def test_a_table_survives_pickle_and_copy() -> None:
    table = load("misere")
    assert pickle.loads(pickle.dumps(table)) is table
    assert copy.deepcopy(table) is table
    assert repr(table) == f"ttt_runtime.load('misere', {str(TABLES)!r})"


def test_a_table_answers_when_its_files_are_gone(tables: Path) -> None:
    table = load("fill", tables)
    shutil.rmtree(tables)
    assert load("fill", tables) is table
    assert table.value("OOO......", 1) == 3


@pytest.mark.parametrize("variant", ["", "Standard", "standard\0", "../tables", "."])
def test_an_unknown_variant_is_named(variant: str) -> None:
    with pytest.raises(UnknownVariantError) as caught:
        load(variant)
    assert str(caught.value) == (
        f"variant is {variant!r}, expected one of standard, fill, misere, fastest, "
        "with the size of any board but 3x3 behind it, such as standard-4x4x4; or one "
        f"of your own, but {files.built_tables()} has none of that name"
    )


@pytest.mark.parametrize(
    ("variant", "found"), [(None, "None"), (b"fill", "b'fill'"), ([], "of type list")]
)
def test_a_variant_is_a_str(variant: str, found: str) -> None:
    with pytest.raises(UnknownVariantError) as caught:
        load(variant)
    assert str(caught.value) == f"variant is {found}, expected a str"


@pytest.mark.parametrize(("directory", "found"), [(3, "3"), ([], "of type list")])
def test_a_directory_is_a_path(directory: str, found: str) -> None:
    with pytest.raises(TableError) as caught:
        load("standard", directory)
    assert str(caught.value) == f"directory is {found}, expected a path"


def test_an_array_has_one_of_five_names() -> None:
    with pytest.raises(UnknownVariantError) as caught:
        load().raw("scores")
    assert str(caught.value) == (
        "array is 'scores', expected one of "
        "values, moves, optimal, reachable, continuations"
    )


def change_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def put_a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def put_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cannot be read (No such file or directory)": Path.unlink,
    "cannot be read (Is a directory)": put_a_directory,
    "expected 39494 bytes, found 0": put_a_pipe,
    "expected 39494 bytes, found 39493": lambda path: os.truncate(path, 39493),
    "expected 39494 bytes, found more": lambda p: p.write_bytes(p.read_bytes() + b"x"),
    "CRC-32 is 63c95ada, expected 02307afa": change_a_bit,
}


@pytest.mark.parametrize("finding", DAMAGES)
def test_a_damaged_file_is_refused(finding: str, tables: Path) -> None:
    path = tables / "fill" / "values.npy"
    DAMAGES[finding](path)
    assert refusal("fill", tables) == f"{path}: {finding}; {remedy('fill', tables)}"
    assert load("standard", tables).value("XX.OO....") == -1


def test_damaged_continuations_are_refused_when_first_asked_for(tables: Path) -> None:
    path = tables / "standard" / "continuations.npy"
    change_a_bit(path)
    table = load("standard", tables)
    for _ in range(2):
        with pytest.raises(TableError, match=f"^{path}: CRC-32 is"):
            table.continuation_counts("." * 9)
    assert table.value("." * 9) == 0


@pytest.mark.parametrize("name", ["checksums.txt", "VERSION", "fill/values.npy"])
def test_a_pointer_of_git_lfs_is_named(name: str, tables: Path) -> None:
    path = tables / name
    path.write_text(
        "version https://git-lfs.github.com/spec/v1\n"
        "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
        "size 39494\n"
    )
    assert refusal("fill", tables) == (
        f"{path}: is a Git LFS pointer, expected the file itself; "
        "fetch it with 'git lfs pull'"
    )


def test_checksums_with_windows_line_ends_are_named(tables: Path) -> None:
    path = tables / "checksums.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert refusal("fill", tables) == (
        f"{path}: its lines end with CR LF, expected LF; something has converted "
        f"them, such as Git with core.autocrlf; {remedy('VARIANT', tables)}"
    )


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere"
    assert refusal("standard", path) == (
        f"standard is not built; build it with 'ttt build standard "
        f"--out {path}', which takes some 1 s and 1 MB"
    )
    with pytest.raises(TableError, match="is not built"):
        load("standard", "\0")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "1a2b3c4d 5",
        "1 2 3 4",
        "1a2b3c4d -5 x",
        "1a2b3c4d  5 x",
        "1 1234567890 x",
    ],
)
def test_malformed_checksums_are_refused(line: str, tables: Path) -> None:
    path = tables / "checksums.txt"
    path.write_text(f"{path.read_text()}{line}\n")
    assert refusal("standard", tables) == (
        f"{path}: line 21 is {line + chr(10)!r}, "
        f"expected CRC-32, size, path and a newline; {remedy('VARIANT', tables)}"
    )


def test_a_line_that_is_cut_off_is_refused(tables: Path) -> None:
    path = tables / "checksums.txt"
    path.write_text(f"{path.read_text()}1a2b3c4d 999999999 x")
    assert "line 21 is '1a2b3c4d 999999999 x', expected" in refusal("fill", tables)
    path.write_text(f"{path.read_text()}\n")
    assert load("standard", tables).value_at(0) == 0


def test_at_most_64_kib_of_checksums_are_read(tables: Path) -> None:
    path = tables / "checksums.txt"
    path.write_text(path.read_text() + "1a2b3c4d 5 x\n" * 6000)
    assert "is '1a2b', expected" in refusal("standard", tables)


def test_a_variant_of_which_something_is_left_is_damaged(tables: Path) -> None:
    shutil.rmtree(tables / "misere")
    assert f"{tables}/misere/values.npy: cannot be read" in refusal("misere", tables)
    path = tables / "checksums.txt"
    kept = [x for x in path.read_text().splitlines() if " fill/" not in x]
    path.write_text("".join(f"{line}\n" for line in kept))
    assert refusal("fill", tables) == (
        f"{tables}/fill/values.npy: not listed in checksums.txt; "
        f"{remedy('fill', tables)}"
    )


@pytest.mark.parametrize(
    ("array", "found"),
    [
        (np.zeros(39366, np.int16), "<i2', 'fortran_orde\"... (71 long)"),
        (np.zeros((2, 19683), np.int8), "|i1', 'fortran_orde\"... (73 long)"),
        (np.zeros(39365, np.int8), "|i1', 'fortran_orde\"... (71 long)"),
    ],
)
def test_a_foreign_header_is_refused(
    array: "np.ndarray[tuple[int], np.dtype[np.generic]]", found: str, tables: Path
) -> None:
    path = tables / "fill" / "values.npy"
    np.save(path, array)
    reseal(tables)
    assert refusal("fill", tables) == (
        f"{path}: expected a .npy 1.0 file of 39366 items of dtype |i1, 39494 bytes "
        f"with the header, found {path.stat().st_size} bytes that begin with "
        f"b\"\\x93NUMPY\\x01\\x00v\\x00{{'descr': '{found}; {remedy('fill', tables)}"
    )


@pytest.mark.parametrize(
    "version",
    ["ttt-tables 2.0\n", "ttt-tables 10.0\n", "", "1.0\n", "ttt-tables 1\n"],
)
def test_another_major_version_is_refused(version: str, tables: Path) -> None:
    (tables / "VERSION").write_text(version)
    reseal(tables)
    assert refusal("standard", tables) == (
        f"{tables / 'VERSION'}: found {version!r}, "
        r"expected 'ttt-tables 1.0\n' or a later minor version; "
        f"{remedy('VARIANT', tables)}"
    )


def test_a_later_minor_version_is_read(tables: Path) -> None:
    (tables / "VERSION").write_text("ttt-tables 1.12\n")
    reseal(tables)
    assert Table("standard", str(tables)).value("XX.OO....") == -1


@pytest.mark.parametrize(
    ("left", "remedy"),
    [
        (["ttt_runtime/data"], "reinstall ttt-runtime"),
        (["ttt_runtime", "tables", "build_tables.py"], "rebuild with 'make tables'"),
        (["ttt_runtime", "build_tables.py"], "rebuild with 'make tables'"),
        (["ttt_runtime"], "reinstall ttt-runtime"),
    ],
)
def test_the_remedy_for_packaged_tables_can_work_there(
    left: list[str], remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in left:
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        if name.endswith(".py"):
            (tmp_path / name).rmdir()
            (tmp_path / name).touch()
    monkeypatch.setattr(files, "__file__", f"{tmp_path}/ttt_runtime/files.py")
    place = "tables" if "make" in remedy else "ttt_runtime/data"
    assert files._packaged_tables() == (str(tmp_path / place), remedy)


@pytest.mark.parametrize("place", ["tables", "ttt_runtime/data"])
def test_tables_in_a_zip_file_are_found_and_listed(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(TABLES, tmp_path / "app" / place)
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "app")
    directory = f"{archive}/{place}"
    importer = zipimport.zipimporter(archive)
    monkeypatch.setattr(files, "_archive", archive)
    monkeypatch.setattr(files, "__loader__", importer)
    monkeypatch.setattr(files, "__file__", f"{archive}/ttt_runtime/files.py")
    remedy = f"make {archive} anew with the tables in ttt_runtime/data"
    assert files._packaged_tables() == (directory, remedy)
    assert files.files_below(directory) == sorted(snapshot(TABLES))
    assert files.read(f"{directory}/VERSION", 15) == b"ttt-tables 1.0\n"
    with pytest.raises(TableError) as caught:
        files.read(f"{directory}/nothing", 1)
    assert str(caught.value).startswith(
        f"{directory}/nothing: cannot be read ({archive} does not have it); "
    )


def test_a_frozen_program_is_to_be_frozen_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert files._packaged_tables() == (
        str(ROOT / "ttt_runtime" / "data"),
        f"freeze {sys.executable} anew with the tables in ttt_runtime/data "
        "(PyInstaller: --collect-data ttt_runtime)",
    )


def test_continuations_that_are_half_there_are_damaged(tables: Path) -> None:
    name = "standard/continuations.npy"
    checksums = tables / "checksums.txt"
    listed = checksums.read_text()
    checksums.write_text("".join(x for x in listed.splitlines(True) if name not in x))
    with pytest.raises(TableError, match=f"{name}: not listed in checksums.txt"):
        Table("standard", str(tables)).raw("continuations")
    (tables / name).unlink()
    with pytest.raises(UnknownVariantError, match="which no variant here has$"):
        Table("standard", str(tables)).raw("continuations")
    checksums.write_text(listed)
    with pytest.raises(TableError, match=f"{name}: cannot be read"):
        Table("standard", str(tables)).raw("continuations")


@pytest.fixture
def built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Build tables of other sizes, one of a user's own."""
    own = Variant("own", RULES["standard"], Grid(2, 2, [(0, 3)]))
    build([named("misere-2x3x2"), own], tmp_path)
    capsys.readouterr()
    return tmp_path


def test_tables_of_another_size_answer_as_the_oracle(built: Path) -> None:
    name = "misere-2x3x2"
    table, reached = load(name, built), oracle.reached(name, 6)
    assert (table.variant, table.rules.name) == (name, "misere")
    for index in range(table.grid.states):
        state = table.grid.decode(index)
        if oracle.meaningless(name, state[0]):
            with pytest.raises(InvalidBoardError, match="misere-2x3x2: board"):
                table.move_values(*state)
            continue
        value, move, mask = oracle.entry(name, *state)
        assert table.value(*state) == table.value_at(index) == value
        assert table.mover_value(*state) == (value if state[1] else -value)
        assert table.move(*state) == (None if move == -1 else move)
        assert table.optimal_at(index) == mask
        assert list(table.optimal_moves(*state)) == oracle.best(name, *state)
        ended = oracle.ended(name, state[0])
        after = {} if ended else oracle.after(name, *state)
        assert table.move_values(*state) == after
        assert table.is_reachable(*state) is (state in reached)
        assert table.values[index] == value
    assert table.optimal.shape == (1458,)
    assert pickle.loads(pickle.dumps(table)) is table
    with pytest.raises(UnknownVariantError, match="which no variant here has"):
        table.continuation_counts("." * 6)


def test_a_board_or_an_index_of_another_size_is_refused(built: Path) -> None:
    table = load("own", built)
    assert table.value("XO.X") == -1
    assert repr(table) == f"ttt_runtime.load('own', {str(built)!r})"
    with pytest.raises(InvalidBoardError, match="^board 'XX.OO....' has 9 marks, own "):
        table.value("XX.OO....")
    with pytest.raises(InvalidIndexError, match="is 162, expected .* from 0 to 161"):
        table.value_at(162)


def test_a_variant_that_is_not_built_is_an_error_with_the_command_that_builds_it(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, out in (
        (built, f" --out {built}"),
        (built / "new", f" --out {built}/new"),
    ):
        assert refusal("standard-4x4x4", place) == (
            "standard-4x4x4 is not built; build it with "
            f"'ttt build standard-4x4x4{out}', which takes some 5 s and 431 MB"
        )
    monkeypatch.setenv("TTT_TABLES", str(built))
    with pytest.raises(
        TableError, match="'ttt build fill-1x1x1', which takes some 1 s"
    ):
        load("fill-1x1x1")
    assert load("misere-2x3x2") is load("misere-2x3x2", built)
    assert load("own").directory == str(built)
    monkeypatch.delenv("TTT_TABLES")
    monkeypatch.setenv("XDG_CACHE_HOME", str(built / "cache"))
    assert files.built_tables().endswith("ttt-runtime")
    with pytest.raises(TableError, match="'ttt build misere-2x3x2', which takes"):
        load("misere-2x3x2")
    with pytest.raises(UnknownVariantError, match="variant is 'own', expected one of"):
        load("own")


def test_tables_are_read_once_a_process(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_loaded", {})
    monkeypatch.setenv("TTT_TABLES", str(built))
    packaged, own = load(), load("own")
    assert packaged.directory == files.PACKAGED
    shutil.rmtree(built)
    assert load("own") is load("own", built) is own
    monkeypatch.setattr(tables, "comes_with_the_package", None)
    assert load("standard") is packaged


def test_what_is_left_of_a_variant_is_not_the_variant(built: Path) -> None:
    (built / "none").mkdir()
    (built / "fill-1x1x1").mkdir()
    for place in built, built / "none":
        assert refusal("fill-1x1x1", place).startswith("fill-1x1x1 is not built; build")
    (built / "own" / "values.npy").unlink()
    lines = (built / "checksums.txt").read_text().splitlines(True)
    kept = [line for line in lines if "own/values.npy" not in line]
    (built / "checksums.txt").write_text("".join(kept))
    assert f"'ttt build own --variants FILE.py --out {built}'" in refusal("own", built)


def test_an_array_that_is_mapped_answers_alike(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Table("misere-2x3x2", str(built))
    for mapped in 2 * 1458 + 1, 2 * 1458, 1458 + files.NPY_HEADER_SIZE:
        monkeypatch.setattr(tables, "MAPPED", mapped)
        monkeypatch.setattr(files, "MAPPED", mapped)
        table = Table("misere-2x3x2", str(built))
        assert (type(table) is Table) == (mapped > 2 * 1458)
        waiting: Any = vars(type(table)).get("_values")
        for index in np.flatnonzero(plain.reachable).tolist():
            assert table.value_at(index) == plain.value_at(index)
            assert table.move_at(index) == plain.move_at(index)
            assert table.optimal_at(index) == plain.optimal_at(index)
            assert table.is_reachable_at(index)
        assert np.array_equal(table.values, plain.values)
        assert isinstance(table._for_numpy["values"], mmap) == (mapped < 2 * 1458)
    (built / "misere-2x3x2" / "values.npy").unlink()
    (built / "misere-2x3x2" / "values.npy").touch()
    with pytest.raises(TableError, match="values.npy: expected 1586 bytes, found 0;"):
        Table("misere-2x3x2", str(built)).value_at(0)
    assert "_values" not in vars(type(table))
    assert waiting.__get__(table, type(table)) == plain.raw("values").cast("b")


def test_a_path_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(TableError, match="cannot be read .embedded null byte"):
        files.read("\0", 1)


def test_the_variants_that_have_an_array_are_named() -> None:
    listed = dict.fromkeys(("a/b.npy", "c/d.npy", "e/b.npy", "b.npy"), ("", 0))
    assert files.with_array("b", listed) == "a, e"


def swap(one: str, other: str) -> Callable[[Path], object]:
    """Return what puts a file in place of another, and the other way round."""

    def swapped(path: Path) -> None:
        first, second = (path / one).read_bytes(), (path / other).read_bytes()
        (path / one).write_bytes(second)
        (path / other).write_bytes(first)

    return swapped


def rewritten(content: bytes) -> Callable[[Path], object]:
    """Return what changes the description of a variant, with a fitting checksum."""
    return lambda path: (path / "own" / "about.json").write_bytes(content)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (rewritten(b""), "own/about.json: found other data, expected what own is"),
        (rewritten(b"{}"), "own/about.json: found other data, expected what own is"),
        (rewritten(b"[1]"), "own/about.json: found other data, expected what own is"),
        (rewritten(b"\xff"), "own/about.json: found other data, expected what own is"),
        (swap("own/about.json", "misere-2x3x2/about.json"), "own/about.json: found"),
        (swap("own/moves.npy", "misere-2x3x2/moves.npy"), "own/moves.npy: expected a"),
        (
            swap("own/moves.npy", "own/optimal.npy"),
            "own/moves.npy: expected a .npy 1.0",
        ),
    ],
)
def test_what_is_not_the_variant_is_refused_although_checksums_fit(
    change: Callable[[Path], object], message: str, built: Path
) -> None:
    change(built)
    reseal(built)
    assert refusal("own", built).startswith(f"{built}/{message}")
    assert refusal("own", built).endswith(f"; {remedy('own', built)}")
