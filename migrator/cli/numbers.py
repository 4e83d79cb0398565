"""Values of options that are numbers: as `type` of `argparse`."""

from __future__ import annotations

import argparse

_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30}
_MOST_SECONDS = 1e9


def seconds(text: str) -> float:
    """Return a length of time, above 0."""
    value = _number(text)
    if not 0 < value < _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


def tolerance(text: str) -> float:
    """Return a tolerance, from 0 to below 1."""
    value = _number(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to below 1")
    return value


def count(text: str) -> int:
    """Return how many of something, one at least."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return int(text)


def size(text: str) -> int:
    """Return the bytes of a size such as 4g."""
    number, unit = text[:-1], text[-1:].lower()
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or int(number) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 512m or 4g")
    return int(number) * _UNITS[unit]


def _number(text: str) -> float:
    """Return a number, -1 if the text is none, which no option takes."""
    try:
        return float(text)
    except ValueError:
        return -1.0
