"""Spans of a text and what takes their place: the one way in which any text is edited."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from migrator.source.lines import common_ends


class Span(NamedTuple):
    """What takes the place of a part of a text."""

    start: int
    end: int
    new: str


def with_spans(text: str, spans: Iterable[tuple[int, int, str]], first: int = 0) -> str:
    """Return a text with spans put in, which must not overlap.

    Parameters
    ----------
    text : str
        the text, or a part of one
    spans : iterable of Span
        what takes the place of its parts
    first : int
        where the part begins in the text that the places are of
    """
    for start, end, new in sorted(spans, reverse=True):
        text = text[: start - first] + new + text[end - first :]
    return text


def collide(span: Span, other: Span) -> bool:
    """Return whether two spans overlap, or put something at the same place."""
    if span.start == span.end or other.start == other.end:
        inside = span.start < other.end and other.start < span.end
        return inside or (span.start, span.end) == (other.start, other.end)
    return span.start < other.end and other.start < span.end


def overlap(spans: Iterable[Span]) -> bool:
    """Return whether any two spans collide."""
    return any(collide(first, other) for first, other in itertools.pairwise(sorted(spans)))


def minimal_span(start: int, old: str, new: str) -> Span:
    """Return a span without what both texts begin and end with."""
    head, tail = common_ends(old, new)
    return Span(start + head, start + len(old) - tail, new[head : len(new) - tail])
