"""Settings of Spark Streaming in any text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.spark.misspelt_settings import misspelt_prefixes

_SETTING = re.compile(
    r"(?:(?<![\w.])|(?<=-D))spark\.streaming\.(?:[A-Za-z]\w*(?:\.[A-Za-z]\w*)*\.?)?"
)
_VALUE = re.compile(
    r"""["']?(?:\s*[=:]\s*|[ \t]+)["']?(?P<value>[^\s"',;}\\)]+)""",
)


def settings_in(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Yield each setting in a text: its offset, its key, and its value if one follows."""
    for match in (*_SETTING.finditer(text), *misspelt_prefixes(text)):
        value = _VALUE.match(text, match.end())
        yield match.start(), match.group(), value.group("value") if value else None
