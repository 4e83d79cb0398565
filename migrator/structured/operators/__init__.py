"""The methods of streams and RDDs that have a counterpart."""

from . import aggregations, joins, no_change, rows, state, windows

__all__ = ["aggregations", "joins", "no_change", "rows", "state", "windows"]
