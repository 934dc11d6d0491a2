"""What ``ttt build`` has written where tables are looked for."""

import os
from json import loads

from ..errors import TableError
from ..files import ABOUT, built_tables, read_checked, read_checksums
from ..variants import VARIANTS


def built() -> dict[str, dict[str, object]]:
    """Return what is known of each variant that is built where `load` finds it."""
    directory = built_tables()
    if not os.path.exists(os.path.join(directory, "checksums.txt")):
        return {}
    listed = read_checksums(directory)
    names = {path.removesuffix(f"/{ABOUT}") for path in listed if path.endswith(ABOUT)}
    known: dict[str, dict[str, object]] = {}
    for name in sorted(names.difference([variant.name for variant in VARIANTS])):
        try:
            about = loads(bytes(read_checked(directory, f"{name}/{ABOUT}", listed)))
        except TableError as error:
            known[name] = {"fault": str(error)}
            continue
        sizes = [
            size for path, (_, size) in listed.items() if path.startswith(f"{name}/")
        ]
        known[name] = {
            "rule": about["summary"],
            **{count: about[count] for count in ("states", "reachable", "finished")},
            "bytes": sum(sizes),
            "tables": os.path.join(directory, name),
        }
    return known
