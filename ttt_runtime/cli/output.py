"""Where a picture goes: as SVG, or through CairoSVG as PNG or PDF."""

import os
import sys
from argparse import ArgumentTypeError
from contextlib import suppress

from ..errors import TTTError

_WRITABLE = {"image/svg+xml": "SVG", "image/png": "PNG", "application/pdf": "PDF"}

_DPI = 300
"""Dots an inch of a PNG: the smallest marks of a map, 0.5 mm, are 6 dots wide."""


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
    kind, packed = MimeTypes().guess_type(os.path.basename(name), strict=False)
    if packed or kind not in {None, *_WRITABLE}:
        raise ArgumentTypeError(
            f"{name} would be a file of type {packed or kind}; "
            "a picture is written as .svg, .png or .pdf"
        )
    return _WRITABLE.get(kind or "", "SVG")


def write(name: str, form: str, picture: str) -> None:
    """Write an SVG to a file in the form of its name; ``-`` is standard output.

    A file is replaced whole or not at all. Devices and pipes are written in place.
    """
    if name == "-":
        sys.stdout.write(picture)
        return
    content = _converted(name, form, picture)
    path = os.path.realpath(name)
    plain = os.path.isfile(path) or not os.path.exists(path)
    target = f"{path}.{os.getpid()}.tmp" if plain else path
    try:
        with open(target, "xb" if plain else "wb") as file:
            file.write(content)
        if plain:
            os.replace(target, path)
    except OSError as error:
        error.filename = name
        raise
    finally:
        if plain:
            with suppress(OSError):
                os.unlink(target)


def _converted(name: str, form: str, picture: str) -> bytes:
    """Return the content of the file of this name."""
    svg = picture.encode("ascii")
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
