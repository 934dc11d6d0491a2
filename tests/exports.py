"""Exported functions in every language, and what each answers to given states.

A driver reads a board and a turn a line. It prints the move, the value, and both once
more as `opponent` has them; or what was thrown.
"""

import sys
from pathlib import Path

from tests.clients import need, run

C = r"""
#include "export.h"
#include <stdio.h>

int main(void)
{
    char board[20];
    int turn, value = 0;
    while (scanf("%19s %d", board, &turn) == 2) {
        const int move = ttt_opponent(board, turn, &value);
        printf("%d %d", ttt_best_move(board, turn), ttt_value(board, turn));
        printf(" %d %d\n", move, value);
    }
    return 0;
}
"""

CPP = r"""
#include "export.h"
#include <iostream>
#include <string>

int main()
{
    std::string board;
    int turn;
    while (std::cin >> board >> turn) {
        try {
            const auto [move, value] = ttt::opponent(board, turn);
            std::cout << ttt::best_move(board, turn) << ' ' << ttt::value(board, turn);
            std::cout << ' ' << move << ' ' << value << '\n';
        } catch (const std::invalid_argument &fault) {
            std::cout << fault.what() << '\n';
        }
    }
}
"""

JAVASCRIPT = r"""
const { bestMove, value, opponent } = require("./export.js");
const lines = require("fs").readFileSync(0, "utf8").trim().split("\n");
for (const line of lines) {
  const [board, turn] = line.split(" ").map((word, place) => (place ? +word : word));
  try {
    const both = opponent(board, turn);
    const answers = [bestMove(board, turn), value(board, turn), both.move, both.value];
    process.stdout.write(answers.join(" ") + "\n");
  } catch (fault) {
    process.stdout.write(fault.message + "\n");
  }
}
"""

PYTHON = r"""
import sys
from export import best_move, opponent, value
for line in sys.stdin:
    board, turn = line.split()
    state = board, int(turn)
    try:
        print(best_move(*state), value(*state), *opponent(*state))
    except ValueError as fault:
        print(fault)
"""

STRICT = ["-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"]

LANGUAGES = {
    "CPython": ("python", [sys.executable], "export.py", "driver.py", PYTHON),
    "PyPy": ("python", ["pypy3"], "export.py", "driver.py", PYTHON),
    "Node": ("javascript", ["node"], "export.js", "driver.js", JAVASCRIPT),
    "C": ("c", ["gcc", "-std=c99", *STRICT], "export.h", "driver.c", C),
    "C++": ("cpp", ["g++", "-std=c++17", *STRICT], "export.h", "driver.cpp", CPP),
    "header in C": ("header", ["gcc", "-std=c99", *STRICT], "export.h", "driver.c", C),
    "header in C++": (
        "header",
        ["g++", "-std=c++11", *STRICT],
        "export.h",
        "driver.cpp",
        C,
    ),
}
"""For each: the target, what compiles or runs it, and two files, and the driver."""


def answers(language: str, source: str, states: str, directory: Path) -> list[str]:
    """Return what an exported opponent answers to each state, a line each."""
    _, command, file, name, driver = LANGUAGES[language]
    (directory / file).write_text(source)
    (directory / name).write_text(driver)
    return _output(command, name, directory, states).splitlines()


def check_itself(language: str, source: str, directory: Path) -> None:
    """See an exported file find all its answers right."""
    _, command, file, name, _ = LANGUAGES[language]
    compiled = Path(name).suffix
    flags = ["-DTTT_SELF_CHECK", "-x", "c++" if compiled == ".cpp" else "c"]
    (directory / file).write_text(source)
    command = [*command, *flags * (file == "export.h")]
    assert _output(command, file, directory) == "all answers are right\n"


def _output(command: list[str], file: str, directory: Path, given: str = "") -> str:
    need(command[0])
    if command[0] in ("gcc", "g++"):
        assert run(*command, file, "-o", "program", cwd=directory) == (0, b"", b"")
        command, file = [str(directory / "program")], ""
    words = [*command, file] if file else command
    status, out, err = run(*words, stdin=given.encode(), cwd=directory)
    assert (status, err) == (0, b"")
    return out.decode()
