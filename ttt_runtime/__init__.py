"""Perfect tic-tac-toe, and other m,n,k games, as lookup tables.

>>> import ttt_runtime
>>> ttt_runtime.best_move("XX.OO....")
2
>>> table = ttt_runtime.load("fastest")
>>> table.value("XX.OO...."), table.optimal_moves("XX.OO....")
(-5, (2,))
"""

from .boards import decode, encode, infer_turn, outcome
from .errors import (
    InvalidBoardError,
    InvalidIndexError,
    InvalidLevelError,
    InvalidMoveError,
    InvalidPolicyError,
    InvalidSeedError,
    InvalidVariantError,
    JudgeInputError,
    TableError,
    TTTError,
    UnknownVariantError,
)
from .files import PACKAGED, absolute, built_tables, comes_with_the_package
from .opponent import best_move, play_against_ai, situation_score
from .tables import Table, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from .variants import Variant

__all__ = [
    "InvalidBoardError",
    "InvalidIndexError",
    "InvalidLevelError",
    "InvalidMoveError",
    "InvalidPolicyError",
    "InvalidSeedError",
    "InvalidVariantError",
    "JudgeInputError",
    "TTTError",
    "Table",
    "TableError",
    "UnknownVariantError",
    "best_move",
    "decode",
    "encode",
    "infer_turn",
    "load",
    "outcome",
    "play_against_ai",
    "situation_score",
    "verify",
]

__version__ = "1.0.0"


def verify(
    directory: "str | PathLike[str] | None" = None,
    names: "Sequence[str]" = (),
    variants: "Sequence[Variant]" = (),
) -> str:
    """Check every file and every entry of tables, and say what has been proved.

    Files are held against ``checksums.txt``, entries against the rules: a table that is
    wrong but has a fitting checksum is refused too. Takes NumPy and msgpack.

    Parameters
    ----------
    directory : path, optional
        Where the tables are. If left out: where `load` finds the variants named.
    names : sequence of str
        The variants to prove. If left out: all that are in the directory; if that is
        left out too, those of `variants`, or else the ones that came with the package.
    variants : sequence of Variant
        The rules of your own by which to prove variants of your own.

    Returns
    -------
    str
        A line for each thing proved.

    Raises
    ------
    TableError
        At the first file that is missing, damaged or should not be there, and at the
        first entry that the rules contradict.
    TTTError
        If NumPy or msgpack is not installed.

    Examples
    --------
    >>> print(verify())
    21 files: size and CRC-32 are as listed, there is no other file
    standard: all 39366 states follow from the rules and each other
    fill: all 39366 states follow from the rules and each other
    misere: all 39366 states follow from the rules and each other
    fastest: all 39366 states follow from the rules and each other
    continuations: all 39366 counts are sums of the counts after them
    tables.msgpack: the same 4 variants, to the byte
    """
    try:
        from .certificate import certify  # brings NumPy
    except ModuleNotFoundError as error:
        raise TTTError(
            f"verify needs {error.name}, which is not installed: "
            f"pip install {error.name}"
        ) from error
    if directory is None:
        names = names or [variant.name for variant in variants]
    places: dict[str, list[str]] = {}
    for name in names:
        where = PACKAGED if comes_with_the_package(name) else built_tables()
        places.setdefault(where, []).append(name)
    if directory is not None:
        places = {absolute(directory): [*names]}
    return "\n".join(
        line
        for where, some in (places or {PACKAGED: []}).items()
        for line in certify(where, some, variants)
    )
