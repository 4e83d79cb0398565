"""What each method of streams and RDDs becomes, one family of methods per file."""

from . import aggregations, joins, no_change, rows, states, windows

__all__ = ["aggregations", "joins", "no_change", "rows", "states", "windows"]
