"""Tests of `ttt_runtime.tables`."""

import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests import oracle
from ttt_runtime import (
    InvalidBoardError,
    InvalidIndexError,
    Table,
    TableError,
    UnknownVariantError,
    boards,
    encode,
    files,
    load,
)

HERE = Path(__file__).resolve().parent
TABLES = HERE.parent / "tables"
BOARDS = json.loads((HERE / "data" / "boards.json").read_text())


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Make a copy of the tables, to be damaged."""
    return Path(shutil.copytree(TABLES, tmp_path / "tables"))


def rewrite_checksums(tables: Path) -> None:
    """Make checksums.txt fit the files again, as if a build had written them."""
    lines = []
    for line in (tables / "checksums.txt").read_text().splitlines():
        path = line.split(" ")[2]
        if (tables / path).exists():
            content = (tables / path).read_bytes()
            lines.append(f"{zlib.crc32(content):08x} {len(content)} {path}\n")
    (tables / "checksums.txt").write_text("".join(lines))


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_every_scalar_answer_is_the_oracles(variant: str) -> None:
    """Every question, by index and by board, agrees with a plain recursion."""
    table = load(variant)
    reached = oracle.reached(variant)
    by_index = [table.value_at, table.move_at, table.optimal_at, table.is_reachable_at]
    by_board = [
        table.value,
        table.move,
        table.optimal_moves,
        table.move_values,
        table.is_reachable,
    ]
    for index, state in enumerate(oracle.STATES):
        if oracle.meaningless(variant, state[0]):
            for question in by_index:
                with pytest.raises(InvalidBoardError, match="a line of X and a line"):
                    question(index)
            for asked in by_board:
                with pytest.raises(InvalidBoardError, match=f"{variant}: board"):
                    asked(*state)
            continue
        value = oracle.value(variant, *state)
        cells = oracle.best(variant, *state)
        move = cells[0] if cells else None
        mask = sum(2**cell for cell in cells)
        found = [question(index) for question in by_index]
        assert found == [value, move, mask, state in reached], state
        assert [asked(*state) for asked in by_board] == [
            value,
            move,
            tuple(cells),
            {} if oracle.ended(variant, state[0]) else oracle.after(variant, *state),
            state in reached,
        ], state


def test_answers_are_plain_python() -> None:
    """No NumPy scalar ever leaks out."""
    for table in map(load, oracle.VARIANTS):
        for index in (0, np.int64(9396), np.uint16(19683)):
            assert type(table.value_at(index)) is int  # type: ignore[arg-type]
            assert type(table.move_at(index)) is int  # type: ignore[arg-type]
            assert type(table.optimal_at(index)) is int  # type: ignore[arg-type]
            assert type(table.is_reachable_at(index)) is bool  # type: ignore[arg-type]
        for cell, value in table.move_values("XX.OO....").items():
            assert (type(cell), type(value)) == (int, int)
        assert {type(cell) for cell in table.optimal_moves("." * 9)} == {int}


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: str(case["id"]))
def test_inputs_that_broke_other_programs(case: dict[str, object]) -> None:
    """The known cases have their known answers in every variant."""
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


def test_counts_must_be_possible_unless_the_turn_is_given() -> None:
    """Without a turn the counts decide; with one any board will do."""
    table = load()
    with pytest.raises(InvalidBoardError, match="2 O"):
        table.value("XO.O.....")
    assert table.value("XO.O.....", 0) == 0
    assert table.value("XO.O.....", 1) == 1


@pytest.mark.parametrize("index", [-1, 39366, True, 1.0, "1", None])
def test_questions_by_index_refuse_what_is_no_index(index: int) -> None:
    """A negative index never wraps; a truth value is no integer."""
    table = load()
    for question in (
        table.value_at,
        table.move_at,
        table.optimal_at,
        table.is_reachable_at,
    ):
        with pytest.raises(InvalidIndexError, match="expected an integer from 0 to"):
            question(index)


def test_arrays_are_read_only_views() -> None:
    """Shapes, dtypes and items are as documented, and nothing can be written."""
    for table in map(load, oracle.VARIANTS):
        arrays = {
            "values": np.int8,
            "moves": np.int8,
            "optimal": np.dtype("<u2"),
            "reachable": np.bool_,
        }
        for name, dtype in arrays.items():
            array = getattr(table, name)
            assert (array.shape, array.dtype) == ((39366,), dtype)
            assert np.shares_memory(array, getattr(table, name))
            assert np.array_equal(
                array, np.load(TABLES / table.variant / f"{name}.npy")
            )
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
            with pytest.raises(ValueError, match="cannot set WRITEABLE"):
                array.setflags(write=True)


def test_numpy_is_imported_when_an_array_is_first_used() -> None:
    """Whoever wants scalars does not wait for it."""
    script = (
        "import sys, ttt_runtime; table = ttt_runtime.load()\n"
        "assert table.move('XX.OO....') == 2 and 'numpy' not in sys.modules\n"
        "assert table.moves[9396] == 2 and 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=HERE.parent, check=True)


def test_a_table_is_loaded_once() -> None:
    """The same variant and directory give the same table, however it is spelled."""
    assert load() is load("standard") is load(directory=None)
    assert load("fill", TABLES) is load("fill", str(TABLES)) is load("fill", TABLES)
    assert load("fill", os.path.relpath(TABLES)) is load("fill", TABLES)
    assert load("fill", os.fsencode(TABLES)) is load("fill", TABLES)  # type: ignore[arg-type]


def test_tables_are_found_from_any_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the process stands does not matter."""
    monkeypatch.chdir(tmp_path)
    assert Table("standard", load().directory).value("." * 9) == 0
    assert Path(load().directory) == TABLES


def test_a_table_survives_pickle_and_copy() -> None:
    """It goes by name; the same process gets the same table back."""
    table = load("misere")
    assert pickle.loads(pickle.dumps(table)) is table
    assert copy.deepcopy(table) is table
    assert repr(table) == f"ttt_runtime.load('misere', {str(TABLES)!r})"


@pytest.mark.parametrize(
    "variant", ["", "Standard", "standard\0", "../tables", "x" * 99]
)
def test_an_unknown_variant_is_named(variant: str) -> None:
    """The error shows what was asked for and what there is."""
    with pytest.raises(
        UnknownVariantError, match="expected one of .*standard"
    ) as found:
        load(variant)
    assert isinstance(found.value, LookupError)


def test_the_variants_there_are_are_listed() -> None:
    """The error gives the names that would have done."""
    with pytest.raises(UnknownVariantError) as caught:
        load("Standard")
    assert str(caught.value) == (
        "variant is 'Standard', expected one of fastest, fill, misere, standard"
    )


@pytest.mark.parametrize("variant", [None, 3, b"standard", ["standard"], {}])
def test_a_variant_is_a_str(variant: str) -> None:
    """Anything else is refused."""
    with pytest.raises(UnknownVariantError) as caught:
        load(variant)
    assert str(caught.value) == f"variant is {boards.shown(variant)}, expected a str"


def test_a_variant_may_be_a_kind_of_str() -> None:
    """NumPy's str is a str."""
    assert load(np.str_("fill")) is load("fill")


@pytest.mark.parametrize("directory", [3, 2.5, ["tables"], object(), True])
def test_a_directory_is_a_path(directory: str) -> None:
    """Anything else is refused."""
    with pytest.raises(TableError) as caught:
        load("standard", directory)
    assert str(caught.value) == (
        f"directory is {boards.shown(directory)}, expected a path"
    )


def damage_missing(path: Path) -> None:
    """Take the file away."""
    path.unlink()


def damage_empty(path: Path) -> None:
    """Leave nothing in it."""
    path.write_bytes(b"")


def damage_short(path: Path) -> None:
    """Cut the last byte off."""
    path.write_bytes(path.read_bytes()[:-1])


def damage_long(path: Path) -> None:
    """Put one byte more at the end."""
    path.write_bytes(path.read_bytes() + b"\n")


def damage_byte(path: Path) -> None:
    """Change one bit in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def damage_directory(path: Path) -> None:
    """Put a directory in its place."""
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        (damage_missing, "cannot be read .No such file or directory."),
        (damage_empty, "expected 39494 bytes, found 0"),
        (damage_short, "expected 39494 bytes, found 39493"),
        (damage_long, "expected 39494 bytes, found more"),
        (damage_byte, "CRC-32 is [0-9a-f]{8}, expected 02307afa"),
        (damage_directory, "cannot be read .Is a directory."),
    ],
)
def test_a_damaged_file_is_refused(
    damage: Callable[[Path], None], finding: str, tables: Path
) -> None:
    """The error names the file, what was expected, what was found, the remedy."""
    path = tables / "fill" / "values.npy"
    damage(path)
    with pytest.raises(TableError, match=f"^{path}: {finding}.*; rebuild with 'make"):
        load("fill", tables)
    assert load("standard", tables).value("XX.OO....") == -1


def test_two_files_that_changed_places_are_refused(tables: Path) -> None:
    """Each has the right size and a sound header, but the other's checksum."""
    one, other = tables / "standard" / "values.npy", tables / "misere" / "values.npy"
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    for variant in ("standard", "misere"):
        with pytest.raises(TableError, match=f"{variant}/values.npy: CRC-32 is"):
            load(variant, tables)


def test_tables_that_have_just_been_read_answer(tables: Path) -> None:
    """They know every answer at once, and where they are from."""
    for name in oracle.VARIANTS:
        table = load(name, tables)
        assert repr(table) == f"ttt_runtime.load({name!r}, {str(tables)!r})"
        for state in (("XX.OO....", 0), ("XX.OO....", 1), ("XXXOO....", 1)):
            cells = oracle.best(name, *state)
            assert table.value(*state) == oracle.value(name, *state)
            assert table.move(*state) == (cells[0] if cells else None)
            assert table.optimal_moves(*state) == tuple(cells)
            assert table.is_reachable(*state) == (state != ("XX.OO....", 1))


def test_no_more_of_a_file_is_read_than_is_needed(tmp_path: Path) -> None:
    """A byte more than expected shows that the file is too long."""
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert files.read(str(path), 4) == b"01234"
    assert files.read(str(path), 10) == b"0123456789"


def test_tables_are_found_inside_or_beside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed package has them in data; a checkout has them beside it."""
    assert files._packaged_tables() == files.PACKAGED == str(TABLES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "__file__", "ttt_runtime/files.py")
    assert files._packaged_tables() == str(tmp_path / "tables")
    (tmp_path / "ttt_runtime" / "data").mkdir(parents=True)
    assert files._packaged_tables() == str(tmp_path / "ttt_runtime" / "data")


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    """No tables at all is a TableError too, whatever variant is asked for."""
    with pytest.raises(TableError, match="nowhere/checksums.txt: cannot be read"):
        load("standard", tmp_path / "nowhere")
    with pytest.raises(TableError, match="cannot be read"):
        load("standard", "\0")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "1a2b3c4d 5",
        "1 2 3 4",
        "1a2b3c4d -5 x",
        "1a2b3c4d  5",
        "1a2b3c4d\t5 x",
        "1a2b3c4d 1234567890 x",
    ],
)
def test_malformed_checksums_are_refused(line: str, tables: Path) -> None:
    """The error names the line that is no checksum."""
    path = tables / "checksums.txt"
    path.write_text(f"{path.read_text()}{line}\n")
    with pytest.raises(TableError) as caught:
        load("standard", tables)
    assert str(caught.value) == (
        f"{path}: line 21 is {line + chr(10)!r}, "
        f"expected CRC-32, size, path and a newline; {files.REMEDY}"
    )


def test_a_size_may_have_nine_digits(tables: Path) -> None:
    """A file that is not needed may have any size below a thousand million."""
    path = tables / "checksums.txt"
    path.write_text(f"{path.read_text()}1a2b3c4d 999999999 x\n")
    assert load("standard", tables).value_at(0) == 0


def test_a_variant_of_which_something_is_left_is_damaged(tables: Path) -> None:
    """Whether its files are gone or its lines in checksums.txt, it is not unknown."""
    shutil.rmtree(tables / "misere")
    with pytest.raises(TableError) as caught:
        load("misere", tables)
    assert str(caught.value).startswith(f"{tables}/misere/values.npy: cannot be read")
    path = tables / "checksums.txt"
    kept = [x for x in path.read_text().splitlines() if " fill/" not in x]
    path.write_text("".join(f"{line}\n" for line in kept))
    with pytest.raises(TableError) as caught:
        load("fill", tables)
    assert str(caught.value) == (
        f"{tables}/fill/values.npy: not listed in checksums.txt; "
        "rebuild with 'make tables', or reinstall ttt-runtime"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes by name")
def test_a_pipe_in_place_of_a_file_is_not_waited_for(tables: Path) -> None:
    """Nobody may ever write to it; it is refused as a file without content."""
    path = tables / "fill" / "moves.npy"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(TableError) as caught:
        load("fill", tables)
    message = f"{path}: expected 39494 bytes, found 0; {files.REMEDY}"
    assert str(caught.value) == message


def test_fields_of_checksums_are_one_space_apart(tables: Path) -> None:
    """A space more is refused, even where three fields could be made out."""
    path = tables / "checksums.txt"
    path.write_text(path.read_text() + "1a2b3c4d  5 x\n")
    with pytest.raises(TableError, match="line 21 is '1a2b3c4d  5 x"):
        load("standard", tables)


def test_checksums_without_an_end_are_not_read_to_the_end(tables: Path) -> None:
    """64 KiB are read at most, and what is cut off there is refused."""
    path = tables / "checksums.txt"
    path.write_text(path.read_text() + "1a2b3c4d 5 x\n" * 6000)
    assert path.stat().st_size > 2**16
    with pytest.raises(TableError, match="line [0-9]+ is '1a2b.*, expected CRC-32"):
        load("standard", tables)


def test_an_array_not_listed_is_refused(tables: Path) -> None:
    """A variant is complete or it is refused."""
    path = tables / "checksums.txt"
    kept = [x for x in path.read_text().splitlines() if "fill/moves" not in x]
    path.write_text("".join(f"{line}\n" for line in kept))
    with pytest.raises(TableError, match="fill/moves.npy: not listed in checksums.txt"):
        load("fill", tables)


def test_a_foreign_header_is_refused(tables: Path) -> None:
    """A .npy of another dtype or shape is refused even if its checksum fits."""
    for array in (np.zeros(39366, np.int16), np.zeros((2, 19683), np.int8)):
        np.save(tables / "fill" / "values.npy", array)
        rewrite_checksums(tables)
        with pytest.raises(TableError, match="fill/values.npy: expected a .npy 1.0"):
            load("fill", tables)


def test_a_foreign_header_is_shown(tables: Path) -> None:
    """The error says how the file begins, and how it should."""
    path = tables / "fill" / "optimal.npy"
    np.save(path, np.zeros(39366, np.int32))
    rewrite_checksums(tables)
    with pytest.raises(TableError) as caught:
        load("fill", tables)
    assert str(caught.value) == (
        f"{path}: expected a .npy 1.0 file of 39366 items of dtype <u2, 78860 bytes "
        "with the header, found 157592 bytes that begin with "
        "b\"\\x93NUMPY\\x01\\x00v\\x00{'descr': '<i4', 'fortran_orde\"... (71 long); "
        f"{files.REMEDY}"
    )


def test_a_header_that_promises_another_length_is_refused(tables: Path) -> None:
    """The header may be right and the file too short for it."""
    path = tables / "fill" / "values.npy"
    path.write_bytes(path.read_bytes()[:-1])
    rewrite_checksums(tables)
    with pytest.raises(TableError, match="39494 bytes with the header, found 39493"):
        load("fill", tables)


@pytest.mark.parametrize(
    "version",
    [
        "ttt-tables 2.0\n",
        "ttt-tables 10.0\n",
        "",
        "1.0\n",
        "ttt-tables 1\n",
        "ttt-tables 1.x\n",
        "ttt-tables 1.2.3\n",
    ],
)
def test_another_major_version_is_refused(version: str, tables: Path) -> None:
    """A reader of version 1 does not guess what version 2 means."""
    (tables / "VERSION").write_text(version)
    rewrite_checksums(tables)
    with pytest.raises(TableError, match="VERSION: found .*, expected 'ttt-tables 1"):
        load("standard", tables)


def test_a_later_minor_version_is_read(tables: Path) -> None:
    """A reader of 1.0 reads every 1.y."""
    (tables / "VERSION").write_text("ttt-tables 1.12\n")
    rewrite_checksums(tables)
    assert load("standard", tables).value("XX.OO....") == -1


def test_a_foreign_version_is_shown(tables: Path) -> None:
    """The error names the file, and both versions."""
    (tables / "VERSION").write_text("ttt-tables 2.0\n")
    rewrite_checksums(tables)
    with pytest.raises(TableError) as caught:
        load("standard", tables)
    assert str(caught.value) == (
        f"{tables / 'VERSION'}: found 'ttt-tables 2.0\\n', "
        rf"expected 'ttt-tables 1.0\n' or a later minor version; {files.REMEDY}"
    )


def test_an_index_of_a_question_is_the_states(tables: Path) -> None:
    """What is answered by board is what is answered by index."""
    table = load("fastest", tables)
    assert table.value_at(encode("XX.OO....")) == table.value("XX.OO....") == -5


def test_continuations_are_counted_for_standard() -> None:
    """Every state has its counts, by board, by index and in the read-only array."""
    table = load()
    for index, state in enumerate(oracle.STATES):
        if oracle.meaningless("standard", state[0]):
            with pytest.raises(InvalidBoardError):
                table.continuation_counts_at(index)
            continue
        expected = oracle.games(*state)
        assert table.continuation_counts(*state) == expected
        assert table.continuation_counts_at(index) == expected
    assert table.continuations.shape == (39366, 3)
    assert table.continuations.dtype.str == "<i4"
    assert not table.continuations.flags.writeable
    assert table.continuations[0].tolist() == [131184, 77904, 46080]
    assert {type(count) for count in table.continuation_counts("." * 9)} == {int}
    with pytest.raises(InvalidIndexError):
        table.continuation_counts_at(-1)


@pytest.mark.parametrize("variant", ["fill", "misere", "fastest"])
def test_no_other_variant_counts_continuations(variant: str) -> None:
    """The error says which one does."""
    message = (
        f"^variant '{variant}' has no array 'continuations', continuations are counted "
    )
    with pytest.raises(UnknownVariantError, match=f"{message}for 'standard'$"):
        load(variant).continuation_counts("." * 9)
    with pytest.raises(UnknownVariantError, match=f"{message}for 'standard'$"):
        _ = load(variant).continuations


def test_files_are_read_once_a_process(tables: Path) -> None:
    """A table that has been loaded remains when its files are gone."""
    table = load("fill", tables)
    shutil.rmtree(tables)
    assert load("fill", tables) is table


def test_an_array_has_a_name() -> None:
    """The error shows what was asked for instead."""
    with pytest.raises(UnknownVariantError) as caught:
        load().raw(3)  # type: ignore[arg-type]
    assert str(caught.value) == "array is 3, expected a str"


def test_damaged_continuations_are_refused_when_first_asked_for(tables: Path) -> None:
    """The array is checked before it answers, like every other."""
    path = tables / "standard" / "continuations.npy"
    damage_byte(path)
    table = load("standard", tables)
    for _ in range(2):
        with pytest.raises(TableError, match=f"^{path}: CRC-32 is"):
            table.continuation_counts("." * 9)
    assert table.value("." * 9) == 0
