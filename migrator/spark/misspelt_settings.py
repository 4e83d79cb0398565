"""Finds the keys that misspelt keys of settings mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from migrator.spark.settings import PREFIX, SETTINGS

_COMMON = frozenset({"enable", "enabled", "class"})
# shorter names are like one another by chance
_SHORTEST = 8
# `spark.steaming.receiver.maxRate`, `sprak.streaming.receiver.maxRate`
_NEARLY = re.compile(
    r"(?:(?<![\w.])|(?<=-D))(?P<first>[Ss]park|[spark]{4,7})\.(?P<second>[A-Za-z]{5,12})\."
    r"(?P<rest>[A-Za-z]\w*(?:\.[A-Za-z]\w*)*)"
)
_NEARLY_BYTES = re.compile(_NEARLY.pattern.encode())
_WORDS = PREFIX.rstrip(".").split(".")


@cache
def suggestion(name: str) -> str | None:
    """Return the key of Spark that a misspelt one means, or None if none is close."""
    own, keys = _own(name), _keys_by_lower_case()
    if own in keys:
        return keys[own]
    end = own.rpartition(".")[2]
    # the last word says most: receiver.maxrateperpartition is kafka.maxRatePerPartition
    best = _closest(own, (k for k in keys if k.rpartition(".")[2] == end not in _COMMON), 0.5)
    best = best or _closest(own, keys, 0.73)
    if best is None and not difflib.get_close_matches(end, _COMMON, n=1, cutoff=0.85):
        ends = {key.rpartition(".")[2] for key in keys}
        close = difflib.get_close_matches(end, ends, n=1, cutoff=0.85)
        best = _closest(own, (k for k in keys if k.rpartition(".")[2] in close), 0.6)
    return None if best is None else keys[best]


def is_near(name: str) -> bool:
    """Return whether a key is so near to one of Spark's that it means that, wherever it stands."""
    own = _own(name)
    return len(own) >= _SHORTEST and _closest(own, _keys_by_lower_case(), 0.9) is not None


def _own(name: str) -> str:
    """Return a key without its beginning, in lower case."""
    match = _NEARLY.fullmatch(name)
    return (name.removeprefix(PREFIX) if match is None else match["rest"]).lower()


def _closest(own: str, keys: Iterable[str], cutoff: float) -> str | None:
    """Return the key most like a name, or None; of equals, the one that switches something on."""
    best, closest = cutoff, None
    for key in sorted(keys, key=lambda k: not k.endswith("enabled")):
        ratio = difflib.SequenceMatcher(None, own, key).ratio()
        if ratio > best or (closest is None and ratio == best):
            best, closest = ratio, key
    return closest


def misspelt_prefixes(text: str) -> Iterator[re.Match[str]]:
    """Yield keys that mean one of `spark.streaming.*` but do not begin so."""
    if "park." not in text and ".streaming." not in text:
        return
    for match in _NEARLY.finditer(text):
        if _is_nearly(match["first"], match["second"]) and suggestion(match.group()) is not None:
            yield match


def may_misspell(data: bytes) -> bool:
    """Return whether the bytes of a file may hold such a key."""
    if b"park." not in data and b".streaming." not in data:
        return False
    return any(
        _is_nearly(match["first"].decode(), match["second"].decode())
        for match in _NEARLY_BYTES.finditer(data)
    )


@lru_cache(4096)
def _is_nearly(first: str, second: str) -> bool:
    """Return whether two words are nearly `spark` and `streaming`, but not both exactly."""
    words = [first, second]
    return words != _WORDS and all(
        difflib.SequenceMatcher(None, word.lower(), right).ratio() >= 0.75
        for word, right in zip(words, _WORDS, strict=True)
    )


@cache
def _keys_by_lower_case() -> dict[str, str]:
    return {key.removeprefix(PREFIX).lower(): key for key in SETTINGS}
