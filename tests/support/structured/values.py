"""Recorded values as those of Python."""

from __future__ import annotations

from typing import Any


def plain(record: Any) -> Any:
    """A recorded row as a tuple, or as its only value."""
    if record == ["none"]:
        return None
    kind, value = record
    if kind == "row":
        fields = tuple(plain(each) for _, each in value)
        return fields if len(fields) > 1 else fields[0]
    return {"int": int, "float": float, "str": str}[kind](value)
