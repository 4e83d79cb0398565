"""What each method of streams and RDDs becomes, one family of methods per file."""

from . import (
    aggregations,
    alternatives,
    combining,
    groups,
    joins,
    keyed,
    map_with_state,
    no_change,
    rows,
    sorting,
    update_state_by_key,
    windows,
)

__all__ = [
    "aggregations",
    "alternatives",
    "combining",
    "groups",
    "joins",
    "keyed",
    "map_with_state",
    "no_change",
    "rows",
    "sorting",
    "update_state_by_key",
    "windows",
]
