"""PNG and PDF as CairoSVG writes them."""

import os
import re
import struct
from pathlib import Path

import pytest

from tests.sessions import Run

try:
    import cairosvg  # noqa: F401
except (ImportError, OSError) as error:  # OSError: the library it is made on
    if os.environ.get("CI"):
        raise
    pytest.skip(f"CairoSVG is not there: {error}", allow_module_level=True)


@pytest.mark.parametrize(
    ("command", "width", "height"),
    [("draw X...O...X --variant fastest", 108, 126), ("map --player O", 210, 297)],
)
def test_png_has_300_dots_an_inch_and_pdf_the_size_of_the_page(
    command: str, width: int, height: int, ttt: Run, tmp_path: Path
) -> None:
    png, pdf = tmp_path / "picture.png", tmp_path / "picture.pdf"
    for path in (png, pdf):
        assert ttt(*command.split(), "-o", str(path)) == (0, "", "")
    content = png.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    dots = struct.unpack(">II", content[16:24])
    assert dots == (pytest.approx(width / 25.4 * 300, abs=1),
                    pytest.approx(height / 25.4 * 300, abs=1))  # fmt: skip
    content = pdf.read_bytes()
    assert content[:5] == b"%PDF-"
    page = re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", content)
    assert page
    assert float(page[1]) == pytest.approx(width / 25.4 * 72, abs=0.01)
    assert float(page[2]) == pytest.approx(height / 25.4 * 72, abs=0.01)
    assert b"/Font" in content  # the words are there
