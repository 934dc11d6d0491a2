"""Where a picture goes, and as what."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, NoReturn

import pytest

from tests.sessions import Run
from ttt_runtime import load
from ttt_runtime.cli import output
from ttt_runtime.cli.pictures import board_picture, map_picture

BOARD = board_picture(load(), "." * 9, 0)


@pytest.mark.parametrize(
    "name", ["a.svg", "a.SVG", "a", "a.b", "svg.c.2", ".svg", "a" * 255, "-"]
)
def test_a_picture_is_svg_unless_its_name_says_something_else(
    name: str, ttt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    picture = board_picture(load("fill"), "X...O...X", 0)
    asked = ["X...O...X", "--turn", "X", "--variant", "fill", "-o", name]
    done = ttt("draw", *asked)
    if name == "-":
        assert done == (0, picture, "")
        assert list(tmp_path.iterdir()) == []
        return
    path = tmp_path / name
    assert done == (0, "", "")
    assert path.read_text() == picture
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    assert ttt("map", "--player", "O", "-o", name) == (0, "", "")
    assert path.read_text() == map_picture(load(), 1)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("board.jpg", "image/jpeg"),
        ("board.html", "text/html"),
        ("board.svgz", "gzip"),
        ("board.png.gz", "gzip"),
    ],
)
def test_a_name_of_another_type_is_wrong_usage_and_nothing_is_written(
    name: str, kind: str, ttt: Run, tmp_path: Path
) -> None:
    path = tmp_path / name
    done = ttt("draw", ".........", "-o", str(path))
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(
        f" error: argument -o: {path} would be a file of type {kind}; "
        "a picture is written as .svg, .png or .pdf\n"
    )
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "form"), [("a.png", "PNG"), (".png", "PNG"), ("a.PDF", "PDF")]
)
def test_png_and_pdf_without_cairosvg_or_cairo_name_the_remedy(
    name: str, form: str, ttt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    asked = ["draw", ".........", "-o", str(path)]
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    assert ttt(*asked) == (
        1,
        "",
        f"ttt: {path}: {form} is written through CairoSVG; "
        "install it with: pip install 'ttt-runtime[pictures]'\n",
    )
    monkeypatch.delitem(sys.modules, "cairosvg")
    (tmp_path / "cairosvg.py").write_text("raise OSError('no library called cairo-2')")
    monkeypatch.syspath_prepend(tmp_path)
    assert ttt(*asked) == (
        1,
        "",
        f"ttt: {path}: {form} is written through the system's library cairo; "
        "Debian's package of it is libcairo2\n",
    )
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/board.svg", "No such file or directory"),
        ("file/board.svg", "Not a directory"),
        ("", "Is a directory"),
        ("a" * 300, "File name too long"),
    ],
)
def test_where_nothing_can_be_written_is_said_and_nothing_left_behind(
    name: str, reason: str, ttt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    done = ttt("draw", ".........", "-o", name)
    assert done == (1, "", f"ttt: {name or repr('')}: {reason}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_is_replaced_whole_or_not_at_all(
    ttt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.svg"
    path.write_text("old")

    def fail(source: str, target: str) -> NoReturn:
        assert Path(source).read_text() == BOARD
        raise OSError(28, "No space left on device", source)

    monkeypatch.setattr(os, "replace", fail)
    done = ttt("draw", ".........", "-o", str(path))
    assert done == (1, "", f"ttt: {path}: No space left on device\n")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_a_pipe_a_pipe_and_a_device_a_device(
    ttt: Run, tmp_path: Path
) -> None:
    link, target, fifo = (tmp_path / name for name in ("link", "target", "fifo"))
    link.symlink_to(target)
    target.write_text("old")
    target.chmod(0o640)
    os.mkfifo(fifo)
    assert ttt("draw", ".........", "-o", str(link)).status == 0
    assert link.is_symlink()
    assert target.read_text() == BOARD
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()), daemon=True)
    reader.start()
    assert ttt("draw", ".........", "-o", str(fifo)).status == 0
    reader.join(30)
    assert read == [BOARD]
    assert fifo.is_fifo()
    if os.path.exists("/dev/full"):
        done = ttt("draw", ".........", "-o", "/dev/full")
        assert done.err == "ttt: /dev/full: No space left on device\n"
        assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="it has no /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_what_the_shell_has_opened_is_written_to_and_not_replaced(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / "boards"
    command = f"echo before; {sys.executable} -m ttt_runtime draw ......... -o {name}"
    script = f"{{ {command}; echo after; }} > {path}; {command} | cat"
    piped = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
    assert (piped.returncode, piped.stdout) == (0, f"before\n{BOARD}")
    assert path.read_text() == f"before\n{BOARD}after\n"


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="it has no /dev/fd")
def test_a_file_that_the_shell_has_opened_keeps_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    command = f"{sys.executable} -m ttt_runtime draw ......... -o /dev/fd/3"
    subprocess.run(
        ["sh", "-c", f"{{ echo before >&3; {command}; }} 3>{path}"], check=True
    )
    assert path.read_text() == f"before\n{BOARD}"


def test_a_file_that_may_not_be_written_stays(
    ttt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.svg"
    path.write_text("mine")

    def denied(name: str, mode: str) -> IO[bytes]:  # to root nothing is denied
        if name == str(path):
            raise PermissionError(13, "Permission denied", name)
        return open(name, mode)

    monkeypatch.setattr(output, "open", denied, raising=False)
    done = ttt("draw", ".........", "-o", str(path))
    assert done == (1, "", f"ttt: {path}: Permission denied\n")
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_in_place_of_the_temporary_file_is_not_followed(
    ttt: Run, tmp_path: Path
) -> None:
    path = tmp_path / "board.svg"
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / f"ttt-{os.getpid()}.tmp").symlink_to(other)
    done = ttt("draw", ".........", "-o", str(path))
    assert done == (1, "", f"ttt: {path}: File exists\n")
    assert other.read_text() == "mine"
