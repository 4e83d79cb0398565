"""The methods of streams and RDDs that have a counterpart."""

from . import (
    aggregations,
    combining,
    groups,
    joins,
    keyed,
    mapped,
    no_change,
    rows,
    sorting,
    state,
    windows,
)

__all__ = [
    "aggregations",
    "combining",
    "groups",
    "joins",
    "keyed",
    "mapped",
    "no_change",
    "rows",
    "sorting",
    "state",
    "windows",
]
