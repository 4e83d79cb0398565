"""Keys of settings that are nearly right, and the keys that they mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache, lru_cache

from migrator.tables.settings import PREFIX, SETTINGS

_COMMON = frozenset({"enable", "enabled", "class"})
# `spark.steaming.receiver.maxRate`, `sprak.streaming.receiver.maxRate`
_NEARLY = re.compile(
    r"(?<![\w.])(?P<first>[Ss]park|[spark]{4,7})\.(?P<second>[A-Za-z]{5,12})\."
    r"(?P<rest>[A-Za-z]\w*(?:\.[A-Za-z]\w*)*)"
)
_NEARLY_BYTES = re.compile(_NEARLY.pattern.encode())
_WORDS = PREFIX.rstrip(".").split(".")


def suggestion(name: str) -> str | None:
    """The key of Spark that a misspelt one means, or None if none is close."""
    found = _NEARLY.fullmatch(name)
    own = (name.removeprefix(PREFIX) if found is None else found["rest"]).lower()
    known = _by_lowered()
    # the last word says most: receiver.maxrateperpartition is kafka.maxRatePerPartition
    ends = {key.rpartition(".")[2]: key for key in known}
    end = own.rpartition(".")[2]
    close = [] if end in _COMMON else difflib.get_close_matches(end, ends, n=1, cutoff=0.85)
    best = [own] if own in known else [ends[found] for found in close]
    best += difflib.get_close_matches(own, known, n=1, cutoff=0.7)
    return known[best[0]] if best else None


def misspelt_prefixes(text: str) -> Iterator[re.Match[str]]:
    """Keys that mean one of `spark.streaming.*` but do not begin so."""
    if "park." not in text and ".streaming." not in text:
        return
    for match in _NEARLY.finditer(text):
        if _is_nearly(match["first"], match["second"]) and suggestion(match.group()) is not None:
            yield match


def may_misspell(data: bytes) -> bool:
    """Whether the bytes of a file may hold such a key."""
    if b"park." not in data and b".streaming." not in data:
        return False
    return any(
        _is_nearly(match["first"].decode(), match["second"].decode())
        for match in _NEARLY_BYTES.finditer(data)
    )


@lru_cache(4096)
def _is_nearly(first: str, second: str) -> bool:
    """Whether two words are nearly `spark` and `streaming`, but not both exactly."""
    words = [first, second]
    return words != _WORDS and all(
        difflib.SequenceMatcher(None, word.lower(), right).ratio() >= 0.75
        for word, right in zip(words, _WORDS, strict=True)
    )


@cache
def _by_lowered() -> dict[str, str]:
    return {key.removeprefix(PREFIX).lower(): key for key in SETTINGS}
