"""The methods of streams and RDDs that have a counterpart."""

from . import aggregations, joins, mapped, no_change, rows, state

__all__ = ["aggregations", "joins", "mapped", "no_change", "rows", "state"]
