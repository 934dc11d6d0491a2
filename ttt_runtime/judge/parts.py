"""Answer the bulk of a large file with two processes, which take turns at its parts.

This goes on while every query stands in the problem's own layout. What comes from the
first other one on, and what is left at the end, is for `stream` to answer.
"""

import os
from stat import S_ISREG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PART = 1 << 16
"""How many bytes are answered at once, at most.

A million queries took 42 ms in parts of 32 KiB, 41 in 64 KiB and 42 in 128 KiB.
"""

WORTHWHILE = 1 << 22
"""From how many bytes on a second process is worth its start.

With 200,000 queries, 2 MB, it saved nothing, with 400,000 a sixth of the time.
"""


def worthwhile(source: int) -> bool:
    """Return whether this is so large a file, on a machine with two processors."""
    try:
        status = os.fstat(source)
    except OSError:  # for whoever reads it to report
        return False
    large = S_ISREG(status.st_mode) and status.st_size >= WORTHWHILE
    return large and hasattr(os, "fork") and (os.cpu_count() or 1) > 1


def answer_parts(
    source: int,
    size: int,
    count: int,
    reply: "Callable[[bytes], bytes | None]",
    write: "Callable[[bytes], object]",
) -> int:
    """Answer queries from the file's position on, and return how many.

    Parameters
    ----------
    source : int
        The file; its position moves to the first query that is not answered.
    size : int
        How many bytes a query has.
    count : int
        How many queries there are at most.
    reply : callable
        Returns the answers to a block of queries, or None.
    write : callable
        Takes answers.
    """
    queries = PART // size
    length = queries * size
    start = os.lseek(source, 0, os.SEEK_CUR)
    parts = min(count * size, os.fstat(source).st_size - start) // length

    def answers_to(part: int) -> bytes | None:
        try:
            block = os.pread(source, length, start + part * length)
        except OSError:  # for whoever reads on to report
            return None
        return reply(block) if len(block) == length else None

    try:
        receiver, sender = os.pipe()
    except OSError:
        return 0  # one process will do
    try:
        helper = os.fork()
    except OSError:
        os.close(receiver)
        os.close(sender)
        return 0
    if not helper:
        try:
            os.close(receiver)
            with open(sender, "wb") as sent:
                for part in range(1, parts, 2):
                    if (answers := answers_to(part)) is None:
                        break
                    sent.write(len(answers).to_bytes(4, "little") + answers)
                    sent.flush()
        finally:
            os._exit(0)

    os.close(sender)
    part = 0
    try:
        with open(receiver, "rb") as received:
            while part < parts:
                if part % 2:
                    promised = int.from_bytes(received.read(4), "little")
                    answers = received.read(promised)
                    if not promised or len(answers) < promised:
                        break
                elif (answers := answers_to(part)) is None:
                    break
                write(answers)
                part += 1
    finally:
        try:  # noqa: SIM105 - contextlib takes 2 ms to import
            os.waitpid(helper, 0)
        except ChildProcessError:
            pass  # where SIGCHLD is ignored there is none to wait for
    os.lseek(source, start + part * length, os.SEEK_SET)
    return part * queries
