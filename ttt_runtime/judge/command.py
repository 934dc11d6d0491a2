"""The command ``ttt-judge``: which problem, which file, and how it ends."""

import os
import sys

from ..errors import TTTError
from .stream import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .problem import Problem

PROBLEMS = {
    "situation": "situation",
    "counting": "counting",
    "csp-201803-4": "csp_201803_4",
    "3C": "codeforces_3c",
    "toe1": "toe1",
    "toe2": "toe2",
}
"""The module of each problem, by the problem's name."""

OPTIONS = "--list", "--help", "-h", "--version"

USAGE = "usage: ttt-judge [PROBLEM] [FILE]"

HELP = """\
Answers {problem.SOURCE}.

{problem.HELP}

Reads FILE, or standard input if it is left out or '-'. Any white space may
separate the tokens. The problem is 'situation' if you name none; 'ttt-judge
--list' shows them all, 'ttt-judge PROBLEM --help' explains one. If your file
has the name of a problem, write it as './NAME'. 'ttt-judge --version' prints
the version.

    $ printf '{typed}' | ttt-judge {name}
{answers}

Exit status: 0; 1 if the input is faulty, once every query before the fault has
been answered, and if reading or writing fails; 2 for wrong usage and for a
file that cannot be opened; 130 for Ctrl-C.
"""

ENTRY = "{name}: {problem.SOURCE}\n  input\n{given}\n  answer\n{answers}\n"


def main(arguments: list[str] | None = None) -> int:
    """Answer the queries of a file or of standard input; return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = [each for each in arguments if each.startswith("-") and each != "-"]
    others = [each for each in arguments if each not in options]
    name = others.pop(0) if others and others[0] in PROBLEMS else ""
    try:
        for option in options:
            if option not in OPTIONS:
                return _refuse(f"unknown option {option}{_suggested(option, OPTIONS)}")
        if len(others) > (0 if options else 1):
            found = "" if options else "more than one file, and "
            listed = "; 'ttt-judge --list' shows them all"
            meant = _suggested(others[0], PROBLEMS) or listed
            return _refuse(f"{found}{others[0]} is no problem{meant}")
        if options:
            _write(_information(options[0], name).encode())
            return 0
        return _judge(name, others[0] if others else "-")
    except BrokenPipeError:
        return 0  # whoever reads the answers has seen enough
    except KeyboardInterrupt:
        return 130
    except TTTError as error:
        return _complain(str(error), 1)
    except MemoryError:
        return _complain("out of memory", 1)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}", 1)


def _information(option: str, name: str) -> str:
    """Return what an option prints, about one problem or about all."""
    if option == "--version":
        from .. import __version__

        return f"ttt-judge {__version__}\n"
    if option == "--list":
        names = [name] if name else PROBLEMS
        return "\n".join([_about(each, ENTRY) for each in names])
    return f"{USAGE}\n\n{_about(name or 'situation', HELP)}"


def _judge(name: str, path: str) -> int:
    try:
        source = 0 if path == "-" else os.open(path, os.O_RDONLY | _BINARY)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        meant = "" if name else _suggested(path, PROBLEMS)
        return _refuse(f"{path}: {reason}{meant}")

    def read(size: int) -> bytes:
        while True:
            try:
                return os.read(source, size)
            except BlockingIOError:
                _wait([source], [])
            except OSError as error:
                error.filename = "standard input" if path == "-" else path
                raise

    answer(_problem(name or "situation"), read, _write)
    return 0


def _suggested(given: str, names: "Iterable[str]") -> str:
    """Name what may be meant by a word that is mistyped, or in another case."""
    from difflib import get_close_matches  # took 7 to 18 ms

    plain = {name.lower(): name for name in names}
    close = get_close_matches(given.lower().replace("_", "-"), plain, 1, 0.7)
    return f"; did you mean {plain[close[0]]}?" if close else ""


def _problem(name: str) -> "Problem":
    """Import a problem's module. To import `importlib` for this took 0.4 ms."""
    module = f"{__package__}.{PROBLEMS[name]}"
    problem: Problem = __import__(module, fromlist=["answers"])
    return problem


def _about(name: str, template: str) -> str:
    """Say of a problem what a template asks for."""
    problem = _problem(name)
    given, answers = problem.EXAMPLE
    return template.format(
        name=name,
        problem=problem,
        typed=given.replace("\n", "\\n"),
        given=_indented(given),
        answers=_indented(answers),
    )


def _indented(text: str) -> str:
    return "\n".join([f"    {line}".rstrip() for line in text.splitlines()])


_BINARY = getattr(os, "O_BINARY", 0)


def _write(text: bytes) -> None:
    rest = memoryview(text)
    while rest:
        try:
            rest = rest[os.write(1, rest) :]
        except BlockingIOError:
            _wait([], [1])
        except OSError as error:
            error.filename = "standard output"
            raise


def _wait(readable: list[int], writable: list[int]) -> None:
    """Wait until a file that was opened as non-blocking is ready."""
    from select import select

    select(readable, writable, [])


def _refuse(message: str) -> int:
    return _complain(f"{message}\n{USAGE}", 2)


def _complain(message: str, status: int) -> int:
    try:
        os.write(2, f"ttt-judge: {message}\n".encode(errors="backslashreplace"))
    except OSError:
        return status  # nobody listens; the status remains
    return status
