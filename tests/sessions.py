"""Run commands: in this process, or as the sessions that documents show."""

import os
import re
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SCRIPTS = sysconfig.get_path("scripts")
ENVIRONMENT = os.environ | {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


def replay(session: str, directory: Path) -> None:
    """Run each command as it stands there; it must print the lines below it.

    Tables are built into ``tables`` of the directory. Of a progress bar that erases
    itself, nothing is left to be shown.
    """
    for part in re.split(r"^\$ ", session, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        done = subprocess.run(
            command,
            shell=True,
            cwd=directory,
            env=ENVIRONMENT | {"TTT_TABLES": str(directory / "tables")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        printed = re.sub(r".*\x1b\[2K\r", "", done.stdout.decode())
        assert printed == shown, command
