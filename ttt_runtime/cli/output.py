"""Where a file goes; a picture as SVG, or through CairoSVG as PNG or PDF."""

import os
import shutil
import sys
from argparse import ArgumentTypeError
from contextlib import suppress

from ..errors import TTTError

_WRITABLE = {"image/svg+xml": "SVG", "image/png": "PNG", "application/pdf": "PDF"}

_DPI = 300
"""Dots an inch of a PNG: the smallest marks of a map, 0.5 mm, are 6 dots wide."""


_STANDARD_OUTPUT = "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"

_OPENED = "/dev/std", "/dev/fd/", "/proc/"
"""How names begin that stand for what the shell has opened, be it a file or a pipe."""


def form_of(name: str) -> str:
    """Return what to write a file of this name as: ``SVG``, ``PNG`` or ``PDF``.

    Raises
    ------
    ArgumentTypeError
        Where the suffix is that of another type.

    Examples
    --------
    >>> form_of("board.png"), form_of("board"), form_of("-")
    ('PNG', 'SVG', 'SVG')
    """
    from mimetypes import MimeTypes

    # The types that Python knows itself: those of the system differ by machine.
    base = f"a{os.path.basename(name)}"  # a name may be a suffix alone
    kind, packed = MimeTypes().guess_type(base, strict=False)
    if packed or kind not in {None, *_WRITABLE}:
        raise ArgumentTypeError(
            f"{name} would be a file of type {packed or kind}; "
            "a picture is written as .svg, .png or .pdf"
        )
    return _WRITABLE.get(kind or "", "SVG")


def write_picture(name: str, form: str, picture: str) -> None:
    """Write an SVG in the form of a name to the file of this name."""
    write(name, _converted(name, form, picture))


def write(name: str, content: bytes) -> None:
    """Write the file of this name.

    A file is replaced whole or not at all, and keeps its mode. Devices, pipes and what
    the shell has opened are written to as they are.
    """
    if name in _STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    try:
        held = os.path.abspath(name).startswith(_OPENED)
        if held or (os.path.exists(name) and not os.path.isfile(name)):
            with open(name, "ab") as file:
                file.write(content)
        else:
            _replace(os.path.realpath(name), content)
    except OSError as error:
        error.filename = name
        raise


def _replace(path: str, content: bytes) -> None:
    """Write a file beside the one of this path, and put it in its place."""
    beside = os.path.join(os.path.dirname(path), f"ttt-{os.getpid()}.tmp")
    file = open(beside, "xb")  # noqa: SIM115 - what is not made is not removed
    try:
        with file:
            file.write(content)
        if os.path.exists(path):
            open(path, "ab").close()  # fails if it may not be written
            shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        with suppress(OSError):
            os.unlink(beside)


def _converted(name: str, form: str, picture: str) -> bytes:
    """Return the content of the file of this name."""
    svg = picture.encode("ascii", "xmlcharrefreplace")
    if form == "SVG":
        return svg
    try:
        import cairosvg
    except ImportError:
        remedy = "CairoSVG; install it with: pip install 'ttt-runtime[pictures]'"
    except OSError:  # it is there, but not what it is made on
        remedy = "the system's library cairo; Debian's package of it is libcairo2"
    else:
        convert = cairosvg.svg2png if form == "PNG" else cairosvg.svg2pdf
        return bytes(convert(bytestring=svg, dpi=_DPI))
    raise TTTError(f"{name}: {form} is written through {remedy}")
