"""The command ``ttt-judge``; also ``python -m ttt_runtime.judge``."""

import os
import sys

from ..errors import TTTError
from . import situation
from .stream import answer

USAGE = "usage: ttt-judge [FILE]"

HELP = f"""\
{USAGE}

Answers the contest problem "Situation" (Codeforces gym 102800J), one answer a line.
Reads FILE, or standard input if it is left out or '-': first T, then T queries, each
of them the turn (1 = Alice, who plays O and maximises; 0 = Bob, who plays X) and three
rows of '.', 'X' and 'O'. The answer is lines of O minus lines of X once perfect play
has filled the board. Any white space may separate the tokens.

    $ printf '1\\n1\\n.OO\\nX.O\\nOXO\\n' | ttt-judge
    2

Exit status: 0; 1 if the input is faulty, once every query before the fault has been
answered; 2 for wrong usage.
"""


def main(arguments: list[str] | None = None) -> int:
    """Answer the queries of a file or of standard input; return the exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        os.write(1, HELP.encode())
        return 0
    options = [name for name in arguments if name.startswith("-") and name != "-"]
    if options or len(arguments) > 1:
        found = f"unknown option {options[0]}" if options else "more than one file"
        return _complain(f"{found}\n{USAGE}", 2)
    name = arguments[0] if arguments else "-"
    try:
        source = 0 if name == "-" else os.open(name, os.O_RDONLY | _BINARY)
    except (OSError, ValueError) as error:
        return _complain(f"{name}: {getattr(error, 'strerror', error)}\n{USAGE}", 2)
    try:
        answer(situation, lambda size: os.read(source, size), _write)
    except BrokenPipeError:
        return 0  # whoever reads the answers has seen enough
    except KeyboardInterrupt:
        return 130
    except TTTError as error:
        return _complain(str(error), 1)
    except OSError as error:
        place = error.filename or (name if source else "standard input")
        return _complain(f"{place}: {error.strerror}", 1)
    return 0


_BINARY = getattr(os, "O_BINARY", 0)


def _write(text: bytes) -> None:
    rest = memoryview(text)
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError as error:
        error.filename = "standard output"
        raise


def _complain(message: str, status: int) -> int:
    try:
        os.write(2, f"ttt-judge: {message}\n".encode(errors="backslashreplace"))
    except OSError:
        return status  # nobody listens; the status remains
    return status


if __name__ == "__main__":
    sys.exit(main())
