"""What the judge must know of a problem; one module beside this one says it of each."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    Field = tuple[str, str, int]
    """What one token of a query holds: a name, the symbols, and how many of them.

    A symbol's position among the symbols is its base-3 digit in the index.
    """

    class Problem(Protocol):
        """A contest problem: how a query is read, and how it is answered."""

        SOURCE: str
        HELP: str
        EXAMPLE: tuple[str, str]
        """An input, and the answers to it."""
        FIELDS: Sequence[Field]
        """What a query consists of: nine marks in all, or a turn and nine marks."""
        AFTER: Sequence[str]
        """The white space after each token in the layout that is read fastest."""
        COUNT: str | None
        """What the problem calls its leading count, such as "T"; None without one."""
        END: str | None
        """The word after the last query; without it and a count there is one query."""

        NO_ANSWER: str
        """What is wrong with a query that has none, if the problem has such queries."""

        def answers(self) -> Sequence[bytes | None]:
            """Return each answer as it is written, by the query's index.

            None where the problem has no answer.
            """
