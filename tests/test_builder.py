"""Tests of `ttt_runtime.builder`: its directories of tables, and its command."""

import errno
import json
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from tests.files import TABLES, checksums, reseal, snapshot
from tests.games import KNOWN, OWN
from ttt_runtime import Table, TableError, load, verify
from ttt_runtime.builder import command, directory, solver
from ttt_runtime.builder import variants as builder
from ttt_runtime.files import COMMON, VERSION_LINE
from ttt_runtime.variants import VARIANTS, named

Failure = Callable[..., NoReturn]
Printed = pytest.CaptureFixture[str]


def one_file() -> directory.Files:
    """Stand for a build of a single file."""
    return {"a": [b"", b"a"]}


def build(*names: str, out: Path, source: Path | None = None) -> int:
    """Build variants as the command does."""
    given = str(source) if source else None
    return command.build_named(list(names), given, str(out), False)


def check(*names: str, out: Path) -> int:
    """Check variants as the command does."""
    return command.build_named(list(names), None, str(out), True)


def failing(error: BaseException) -> Failure:
    """Return what raises an error in place of a function."""

    def fail(*_: object) -> NoReturn:
        raise error

    return fail


def test_faults_are_named_in_order(tmp_path: Path) -> None:
    files: directory.Files = {
        "a": [b"a"],
        "b/c": [b"c"],
        "d": [b"d"],
        "e": [b"e"],
        "f": [b"f", b"g"],
    }
    written = {"b/f": "z", "a": "z", "d/g": "z", "h": "z", "f": "fgh"}
    for path, content in written.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    faults = [
        f"{tmp_path}/a: differs from what a build writes",
        f"{tmp_path}/b/c: is missing",
        f"{tmp_path}/d: cannot be read (Is a directory)",
        f"{tmp_path}/e: is missing",
        f"{tmp_path}/f: differs from what a build writes",
    ]
    assert directory.check(files, tmp_path, alone=False) == faults
    assert directory.check(files, tmp_path) == [
        *faults,
        f"{tmp_path}/b/f: should not be there; remove it",
        f"{tmp_path}/d/g: should not be there; remove it",
        f"{tmp_path}/h: should not be there; remove it",
    ]


def test_a_build_heals_what_an_interrupted_one_left(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".a.tmp").write_bytes(b"half")
    (tmp_path / "b" / ".c.tmp").write_bytes(b"half")
    (tmp_path / "b" / ".e.tmp").write_bytes(b"another's")
    directory.write({"a": [b"a"], "b/c": [b"c"]}, tmp_path)
    assert snapshot(tmp_path) == {"a": b"a", "b/c": b"c", "b/.e.tmp": b"another's"}


def test_of_two_builds_at_once_one_waits(tmp_path: Path) -> None:
    with directory._locked(tmp_path):
        waiting = [
            threading.Thread(target=action, args=arguments, daemon=True)
            for action, *arguments in (
                (directory.write, one_file(), tmp_path),
                (directory.add, "b", lambda _: {"b/c": [b"c"]}, tmp_path),
                (directory.remove, "b", tmp_path),
                (directory.check, one_file(), tmp_path),
            )
        ]
        for thread in waiting:
            thread.start()
        waiting[0].join(0.2)
        assert snapshot(tmp_path) == {}
        assert all(thread.is_alive() for thread in waiting)
    for thread in waiting:
        thread.join(60)
    assert snapshot(tmp_path)["a"] == b"a"


def test_a_build_does_without_what_windows_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    spec = find_spec("ttt_runtime.builder.directory")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(one_file(), tmp_path)
    assert snapshot(tmp_path) == {"a": b"a"}


def test_the_script_writes_then_checks(tmp_path: Path, capsys: Printed) -> None:
    here = tmp_path / "here"
    assert command.main(here, one_file, "Title.", []) == 0
    assert capsys.readouterr() == (f"{here}: 1 files written\n", "")
    assert command.main(here, one_file, "Title.", ["--check"]) == 0
    assert capsys.readouterr() == (f"{here}: all 1 files are as built\n", "")

    there = str(tmp_path / "not" / "there")
    assert command.main(here, one_file, "Title.", ["--check", "--out", there]) == 1
    assert capsys.readouterr() == (
        "",
        f"{there}: is not a directory\na build mends what differs or is missing\n",
    )
    assert command.main(here, one_file, "Title.", ["--out", there], True) == 0
    assert snapshot(tmp_path) == {"here/a": b"a", "not/there/a": b"a"}


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (OSError(28, "No space left"), 1, "standard output: No space left\n"),
        (OSError(13, "Permission denied", "out/a"), 1, "out/a: Permission denied\n"),
        (OSError("no room"), 1, "no room\n"),
        (TableError("damaged"), 1, "damaged\n"),
        (MemoryError("much"), 1, "out of memory, this variant is not written: much\n"),
        (
            KeyboardInterrupt(),
            130,
            "interrupted; what is half-built will not be loaded\n",
        ),
    ],
    ids=repr,
)
def test_what_keeps_a_build_from_writing_is_named(
    error: BaseException,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Printed,
) -> None:
    monkeypatch.setattr(command, "write", failing(error))
    assert command.main(Path("out"), one_file, "Title.", []) == status
    assert capsys.readouterr() == ("", message)


OPTIONS = """
options:
  -h, --help  show this help message and exit
  --check     write nothing: exit with 1 and name each file that differs from what a \
build would write, is missing, or should not be there
  --out DIR   the directory to write or check (default: out)
"""


def test_help_says_what_each_option_does(
    monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit, match="^0$"):
        command.main(Path("out"), one_file, "Title.", ["--help"])
    assert capsys.readouterr().out.split("\n", 1)[1] == f"\nTitle.\n{OPTIONS}"
    with pytest.raises(SystemExit, match="^0$"):
        command.main(Path("out"), one_file, "Title.", ["--help"], True)
    out = capsys.readouterr().out
    assert "\n  VARIANT             RULE-ROWSxCOLUMNSxLINE, such as" in out
    assert "\n  --variants FILE.py  a Python file that defines VARIANTS" in out
    assert "(default: out; for named variants the one in TTT_TABLES, or else" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", ""], "error: --out is empty, expected a directory\n"),
        (["--out"], "error: argument --out: expected one argument\n"),
        (["--no"], "error: unrecognized arguments: --no\n"),
    ],
)
def test_wrong_usage_exits_2(
    arguments: list[str], message: str, capsys: Printed
) -> None:
    for with_variants in False, True:
        with pytest.raises(SystemExit, match="^2$"):
            command.main(Path("out"), one_file, "Title.", arguments, with_variants)
        out, err = capsys.readouterr()
        assert (out, err.endswith(message)) == ("", True)


def test_a_build_prints_what_it_writes_and_a_check_writes_nothing(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "time", SimpleNamespace(perf_counter=lambda: 0))
    monkeypatch.setenv("TTT_TABLES", str(tmp_path))
    monkeypatch.setattr(directory, "BLOCK", 1000)
    names = ["standard-2x3x2", "fill-1x2x1"]
    assert command.main(Path("out"), one_file, "Title.", names, True) == 0
    assert capsys.readouterr() == (
        "standard-2x3x2: 1,458 states, 129 reachable, 72 finished, empty board -1, "
        "0.0 s\n"
        f"{tmp_path}/standard-2x3x2: 8,339 bytes written\n"
        "fill-1x2x1: 18 states, 5 reachable, 2 finished, empty board 0, 0.0 s\n"
        f"{tmp_path}/fill-1x2x1: 928 bytes written\n",
        "",
    )
    before = snapshot(tmp_path)
    assert before["checksums.txt"] == checksums(before)
    assert before["VERSION"] == VERSION_LINE.encode()
    assert load("standard-2x3x2").value("X.....") == -1
    for name in names:
        arrays = solver.solve(named(name))
        arrays_there = Table(name, str(tmp_path))
        for array, entries in arrays.items():
            assert arrays_there.raw(array) == entries.tobytes()
    assert verify(tmp_path).count("follow from the rules") == 2

    for both in ([*names, "--check"], ["--check", names[0]]):
        assert command.main(Path("out"), one_file, "", both, True) == 0
    assert f"{tmp_path}: {', '.join(names)}: as built\n" in capsys.readouterr().out
    assert command.main(Path("out"), one_file, "", ["standard"], True) == 1
    assert capsys.readouterr() == (
        "",
        "standard comes with the package; --out DIR builds it anew\n",
    )
    assert snapshot(tmp_path) == before


class Terminal(StringIO):
    """A stream that people look at."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_a_build_shows_its_progress_and_its_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for at_once in "delay", "mininterval":
        monkeypatch.setitem(builder.BAR, at_once, 0)
    assert build("standard-2x3x2", out=tmp_path) == 0
    assert re.search(r"\rstandard-2x3x2: [1-9]\d*% \|", terminal.getvalue())
    seconds = re.search(r"empty board -1, (\d+\.\d) s\n", capsys.readouterr().out)
    assert seconds
    assert float(seconds[1]) < 60


def test_room_is_what_the_files_take() -> None:
    for variant in VARIANTS:
        sizes = [path.stat().st_size for path in (TABLES / variant.name).glob("*.npy")]
        assert builder.room(variant) == sum(sizes)


def test_a_directory_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotADirectoryError) as caught:
        builder.ensure_room([], Path(__file__, "below"))
    assert caught.value.errno == errno.ENOTDIR
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError) as refused:
        builder.ensure_room([], tmp_path / "below")
    assert refused.value.filename == tmp_path / "below"


def test_a_variant_of_3x3_can_be_built_by_name(tmp_path: Path) -> None:
    assert build("standard", "misere", out=tmp_path) == 0
    built = snapshot(tmp_path)
    for path, content in snapshot(TABLES).items():
        if path.endswith(".npy") and path.split("/")[0] in ("standard", "misere"):
            assert built[path] == content
    assert Table("standard", str(tmp_path)).continuation_counts("." * 9)[2] == 46080


def test_a_build_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    out, name = tmp_path / "not" / "there", "standard-1x2x2"
    assert build(name, out=out) == 0
    sound = snapshot(out)
    (out / name / "more.npy").touch()
    (out / name / "moves.npy").touch()
    reseal(out)
    assert build(name, out=out) == 0
    assert snapshot(out) == sound | {f"{name}/more.npy": b""}


@pytest.fixture
def built(tmp_path: Path, capsys: Printed) -> Path:
    """Build two variants into a directory."""
    out = tmp_path / "built"
    assert build("standard-2x3x2", "fill-1x2x1", out=out) == 0
    capsys.readouterr()
    return out


def test_a_check_of_variants_names_every_fault(built: Path, capsys: Printed) -> None:
    values = built / "fill-1x2x1" / "values.npy"
    values.write_bytes(values.read_bytes()[:-1] + b"\x55")
    (built / "fill-1x2x1" / "moves.npy").unlink()
    assert check("standard-2x3x2", out=built) == 0
    capsys.readouterr()
    assert check("fill-1x2x1", "misere-1x1x1", out=built) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{built}/fill-1x2x1/moves.npy: is missing",
        f"{built}/fill-1x2x1/values.npy: differs from what a build writes",
        *[
            f"{built}/misere-1x1x1/{file}: is missing"
            for file in sorted(["about.json", *[f"{a}.npy" for a in COMMON]])
        ],
        "a build mends what differs or is missing",
    ]
    build("fill-1x2x1", out=built)
    lines = (built / "checksums.txt").read_text().splitlines(True)
    (built / "checksums.txt").write_text("".join(lines[:-1]))
    capsys.readouterr()
    assert check("standard-2x3x2", out=built) == 1
    assert capsys.readouterr().err.startswith(
        f"{built}/checksums.txt: does not list standard-2x3x2/values.npy\n"
    )
    (built / "checksums.txt").unlink()
    assert check("standard-2x3x2", out=built) == 1
    assert f"{built}/checksums.txt: cannot be read" in capsys.readouterr().err


LISTS: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda content: content[:-1],
    "empty": lambda content: b"",
    "with CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "a pointer": lambda content: b"version https://git-lfs.github.com/spec/v1\n",
    "with a wrong byte": lambda content: b"f" + content[1:],
    "with a foreign line": lambda content: content + "ä b c d\n".encode(),
}


@pytest.mark.parametrize("damage", LISTS)
def test_a_build_into_a_damaged_directory_heals_it(
    damage: str, built: Path, capsys: Printed
) -> None:
    sound = snapshot(built)
    path = built / "checksums.txt"
    path.write_bytes(LISTS[damage](path.read_bytes()))
    assert build("standard-2x3x2", out=built) == 0
    assert ": every variant that was listed there\n" in capsys.readouterr().err
    assert load("standard-2x3x2", built).move("......") == 0
    with pytest.raises(TableError, match="build it again with 'ttt build fill-1x2x1 "):
        load("fill-1x2x1", built)
    assert build("fill-1x2x1", out=built) == 0
    assert snapshot(built) == sound


def test_a_build_beside_tables_of_another_version_does_not_pass_them_off_as_its_own(
    built: Path,
) -> None:
    (built / "VERSION").write_text("ttt-tables 2.0\n")
    reseal(built)
    assert build("standard-2x3x2", out=built) == 0
    assert load("standard-2x3x2", built).value_at(0) == -1
    with pytest.raises(TableError, match="values.npy: not listed in checksums.txt"):
        load("fill-1x2x1", built)


@pytest.mark.parametrize("put", [Path.touch, lambda path: path.symlink_to(path.name)])
def test_what_is_in_the_way_of_a_directory_is_named(
    put: Callable[[Path], object], built: Path, capsys: Printed
) -> None:
    shutil.rmtree(built / "standard-2x3x2")
    put(built / "standard-2x3x2")
    assert build("standard-2x3x2", out=built) == 1
    assert re.fullmatch(
        f"{built}/standard-2x3x2[^:]*: (Not a directory|File exists|Too many .*)\n",
        capsys.readouterr().err,
    )
    assert Table("fill-1x2x1", str(built)).value_at(0) == 0
    file = built / "VERSION"
    file.rename(built / "VERSION.1")
    file.mkdir()
    assert build("fill-1x2x1", out=built) == 1
    assert capsys.readouterr().err.endswith(f"{file}: Is a directory\n")
    file.rmdir()
    (built / "VERSION.1").rename(file)
    assert build("standard-2x3x2", out=file / "below") == 1
    assert capsys.readouterr().err == f"{file}/below: Not a directory\n"


def test_a_variant_is_removed_and_nothing_else(built: Path) -> None:
    assert build("fill-2x2x2", out=built) == 0
    (built / "fill-1x2x1" / ".moves.npy.tmp").touch()
    assert directory.remove("fill-1x2x1", built)
    assert not (built / "fill-1x2x1").exists()
    assert verify(built).count("follow") == 2
    assert not directory.remove("fill-1x2x1", built)
    assert not directory.remove("fill-1x2x1", built / "not" / "there")
    for place in ("", ".", "..", "../built"):
        assert not directory.remove(place, built)
    (built / "fill-2x2x2" / "notes.txt").touch()
    assert directory.remove("fill-2x2x2", built)
    assert os.listdir(built / "fill-2x2x2") == ["notes.txt"]
    assert load("standard-2x3x2", built).value_at(0) == -1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chess-4x4x4", "expected one of standard, fill, misere, fastest, with the"),
        ("standard-4x4x5", "a line of 5 does not fit a board of 4x4, expected 1 to 4"),
        ("fill-0x4x3", "a board of 0x4 has 0 cells, expected 1 to 16"),
        ("misere-5x5x4", "a board of 5x5 has 25 cells, expected 1 to 16"),
        ("standard-3x3x3", "which is called standard"),
    ],
)
def test_a_name_that_cannot_be_built_is_refused(
    name: str, message: str, tmp_path: Path, capsys: Printed
) -> None:
    assert build("fill-1x1x1", name, out=tmp_path / "out") == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"variant is {name!r}")
    assert message in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("free", "memory", "message"),
    [
        (8403, 10**9, "out: the tables take 8,404 bytes, 8,403 are free there"),
        (8404, 11702, "solving takes 11,703 bytes of memory, this machine has 11,702"),
        (8404, 11703, None),
    ],
)
def test_a_build_that_will_not_fit_says_so_before_it_starts(
    free: int,
    memory: int,
    message: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Printed,
) -> None:
    usage, sizes = SimpleNamespace(free=free), {"SC_PAGE_SIZE": 1}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(os, "sysconf", lambda name: sizes.get(name, memory))
    status = build("standard-2x3x2", "fill-1x2x1", out=tmp_path / "out")
    out, err = capsys.readouterr()
    assert (status, bool(out)) == (int(bool(message)), not message)
    assert err.removeprefix(f"{tmp_path}/") == (f"{message}\n" if message else "")


def test_a_users_own_variants_are_built_and_proved(
    tmp_path: Path, capsys: Printed
) -> None:
    source, out = tmp_path / "own.py", tmp_path / "out"
    source.write_text(OWN)
    assert build(out=out, source=source) == 0
    (counts,) = KNOWN["other_lines_3x3"].values()
    about = json.loads((out / "torus" / "about.json").read_text())
    assert about["reachable"] == counts["reachable"]
    assert about["finished"] == counts["terminal"]
    assert [about[name] for name in ("won", "drawn", "lost")] == counts["all_wdl_mover"]
    torus, hurry = Table("torus", str(out)), Table("hurry-3x4", str(out))
    assert torus.value("." * 9) == about["empty_board"] == -1
    assert torus.value("X.O.X...O", 0) == -1
    assert torus.optimal_moves("XX.OO....") == (2, 5)
    assert (len(torus.grid.lines), hurry.rules.name) == (12, "hurry")
    assert hurry.value("XXX.OO......") == -17
    with pytest.raises(TableError, match="no rules of 'hurry-3x4' are known"):
        verify(out)
    own = builder.defined(str(source))
    assert verify(out, variants=own).count("follow") == 2
    before = snapshot(out)
    assert build("hurry-3x4", "fill-1x1x1", out=out, source=source) == 0
    assert before.keys() < snapshot(out).keys()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "own.py: No such file or directory"),
        ("VARIANTS =", "own.py: SyntaxError: invalid syntax (own.py, line 1)"),
        ("1 / 0", "own.py: ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "own.py: SystemExit: 0"),
        (
            "Variant('VERSION', fill, Grid(1, 1, 1))",
            "own.py: variant is named 'VERSION'",
        ),
        (
            "Variant('-x', fill, Grid(1, 1, 1))",
            "own.py: variant is named '-x', expected",
        ),
        ("Grid(1, 2, [[True]])", "own.py: line (True,) is not a set of cells, each 0"),
        (
            "VARIANTS = 2 * [Variant('a', fill, Grid(1, 1, 1))]",
            "own.py: a is the name of two",
        ),
        (
            "VARIANTS = [Variant('fill-3x3x3', fill, Grid(1, 1, 1))]",
            "own.py: fill-3x3x3 is named like the rules that there are",
        ),
        (
            "odd = Rules('b', '', True, max, Rules)\n"
            "VARIANTS = [Variant('a', odd, Grid(1, 1, 1))]",
            "own.py: a cannot be described: Object of type type is not JSON",
        ),
        (
            "",
            "own.py: defines no VARIANTS, expected a tuple of "
            "ttt_runtime.variants.Variant\n",
        ),
        (
            "VARIANTS = [Variant(n, fill, Grid(1, 1, 1)) for n in ('a', 'misere')]",
            "own.py: misere is named like the rules that there are",
        ),
        ("VARIANTS = ()", "own.py: defines no VARIANTS, expected a tuple of"),
        ("VARIANTS = ('fill',)", "own.py: defines no VARIANTS, expected a tuple of"),
        ("VARIANTS = Variant('a', fill, Grid(1, 1, 1))", "own.py: defines no VARIANTS"),
        ("Grid(1, 2, [[2]])", "own.py: line (2,) is not a set of cells, each 0 to 1"),
        ("Grid(3, 6, 3)", "own.py: a board of 3x6 has 18 cells, expected 1 to 16"),
        ("Variant('../a', fill, Grid(1, 1, 1))", "own.py: variant is named '../a', "),
        (
            "VARIANTS = [Variant('fill', fill, Grid(1, 1, 1))]",
            "own.py: fill is named like the rules that there are",
        ),
        (
            "VARIANTS = [Variant('a', Rules('b', '', True, max), Grid(1, 200, 1))]",
            "own.py: a board of 1x200 has 200 cells, expected 1 to 16",
        ),
        (
            "far = Rules('far', '', False, lambda x, o, empty: 128 * o)\n"
            "VARIANTS = [Variant('far', far, Grid(1, 1, 1))]",
            "far scores 128 for 0 lines of X, 1 of O and 0 empty cells, expected an "
            "integer from -127 to 127",
        ),
        (
            "bad = Rules('bad', '', False, lambda x: 0)\n"
            "VARIANTS = [Variant('bad', bad, Grid(1, 1, 1))]",
            "bad scores nothing (TypeError: <lambda>() takes 1 positional argument "
            "but 3 were given) for 0 lines of X, 1 of O and 0 empty cells",
        ),
    ],
)
def test_a_users_file_that_defines_no_variants_is_refused(
    source: str | None, message: str, tmp_path: Path, capsys: Printed
) -> None:
    path, out = tmp_path / "own.py", tmp_path / "out"
    header = (
        "from ttt_runtime.boards import Grid\n"
        "from ttt_runtime.variants import RULES, Rules, Variant\n"
        "fill = RULES['fill']\n"
    )
    if source is not None:
        path.write_text(source if "SyntaxError" in message else header + source)
    assert build(out=out, source=path) == 1
    printed, err = capsys.readouterr()
    assert (printed, err.count("\n")) == ("", 1)
    assert err.removeprefix(f"{tmp_path}/").startswith(message)
    assert not out.exists()


@pytest.mark.parametrize("step", [(Path, "replace"), (directory, "mmap")])
def test_a_full_disk_leaves_what_was_there(
    step: tuple[object, str],
    built: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Printed,
) -> None:
    before = snapshot(built)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr(*step, failing(full))
    assert build("fill-2x2x2", out=built) == 1
    place = built / "fill-2x2x2" / "values.npy"
    assert capsys.readouterr().err == f"{place}: No space left on device\n"
    assert snapshot(built) == before
