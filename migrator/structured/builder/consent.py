"""Which differences from Python a rewriting accepts."""

from __future__ import annotations

from dstream_compat.native import Code

SAFE = frozenset((Code.CASE_MAPPING, Code.FLOAT_ORDER))
"""Differences that change no result of a batch: see the page of the target."""
ASSUMED = frozenset((Code.CASE_MAPPING,))
"""Differences of which no expression has a test."""
UNSAFE = frozenset(
    (
        *(Code.INT_RANGE, Code.INT_TEXT, Code.FLOAT_TEXT, Code.DATETIME_TEXT, Code.EVALUATION),
        Code.JSON_SHAPE,
    )
)
"""Differences that make a job fail on records that it could read before."""
