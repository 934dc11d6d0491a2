"""The command ``ttt-judge``: which problem, which file, and how it ends."""

import os
import sys

from ..errors import TTTError
from . import situation
from .parts import worthwhile
from .stream import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
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

USAGE = "usage: ttt-judge [PROBLEM] [FILE]"

HELP = """\
{usage}

Answers {source}.

{text}

Reads FILE, or standard input if it is left out or '-'. Any white space may separate the
tokens. The problem is 'situation' if none is named; 'ttt-judge --list' shows them all,
'ttt-judge PROBLEM --help' explains one. A file whose name is that of a problem is given
as './NAME'.

    $ printf '{given}' | ttt-judge {name}
{answers}

Exit status: 0; 1 if the input is faulty, once every query before the fault has been
answered, and if something cannot be read or written; 2 for wrong usage; 130 for Ctrl-C.
"""


def main(arguments: list[str] | None = None) -> int:
    """Answer the queries of a file or of standard input; return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    name = "situation"
    if arguments and arguments[0] in PROBLEMS:
        name, *arguments = arguments
    try:
        if arguments == ["--list"]:
            _write("\n".join([_entry(problem) for problem in PROBLEMS]).encode())
            return 0
        if arguments in (["-h"], ["--help"]):
            _write(_help(name).encode())
            return 0
        return _judge(name, arguments)
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


def _judge(name: str, arguments: list[str]) -> int:
    options = [each for each in arguments if each.startswith("-") and each != "-"]
    if options:
        return _complain(f"unknown option {options[0]}\n{USAGE}", 2)
    if len(arguments) > 1:
        found = f"more than one file, and {arguments[0]} is no problem"
        return _complain(f"{found}; 'ttt-judge --list' shows them all\n{USAGE}", 2)
    path = arguments[0] if arguments else "-"
    try:
        source = 0 if path == "-" else os.open(path, os.O_RDONLY | _BINARY)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        return _complain(f"{path}: {reason}\n{USAGE}", 2)

    def read(size: int) -> bytes:
        while True:
            try:
                return os.read(source, size)
            except BlockingIOError:
                _wait([source], [])
            except OSError as error:
                error.filename = "standard input" if path == "-" else path
                raise

    answer(_problem(name), read, _write, source if worthwhile(source) else None)
    return 0


def _problem(name: str) -> "Problem":
    """Return a problem's module; all but the usual one are imported when asked for."""
    if name == "situation":
        return situation
    from importlib import import_module

    problem: Problem = import_module(f"{__package__}.{PROBLEMS[name]}")
    return problem


def _help(name: str) -> str:
    problem = _problem(name)
    given, answers = problem.EXAMPLE
    return HELP.format(
        usage=USAGE,
        source=problem.SOURCE,
        text=problem.HELP,
        given=given.replace("\n", "\\n"),
        name=name,
        answers=_indented(answers),
    )


def _entry(name: str) -> str:
    problem = _problem(name)
    given, answers = problem.EXAMPLE
    return (
        f"{name}: {problem.SOURCE}\n"
        f"  input\n{_indented(given)}\n  answer\n{_indented(answers)}\n"
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


def _complain(message: str, status: int) -> int:
    try:
        os.write(2, f"ttt-judge: {message}\n".encode(errors="backslashreplace"))
    except OSError:
        return status  # nobody listens; the status remains
    return status
