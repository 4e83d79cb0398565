"""The methods of streams and RDDs that have a counterpart."""

from . import aggregations, joins, no_change, rows, sorting, state

__all__ = ["aggregations", "joins", "no_change", "rows", "sorting", "state"]
