r"""`ur"..."` becomes a string without it, and `"\u00e9"` in a byte string keeps its backslash.

fissix's own fixer rewrites every `u"..."`, which Python 3 reads as well.
"""

from __future__ import annotations

import re
from typing import Any

from fissix import fixer_base

_STRING = re.compile(r"(?P<prefix>[A-Za-z]*)(?P<quote>\"\"\"|'''|\"|')(?P<body>.*)(?P=quote)", re.S)
_ESCAPE = re.compile(r"\\(?:[uUN]|[\s\S])")


class FixStrings(fixer_base.BaseFix):  # type: ignore[misc]
    """The literal with the same value."""

    BM_compatible = True
    PATTERN = "STRING"

    def start_tree(self, tree: Any, filename: str) -> None:
        """Note whether strings are text."""
        super().start_tree(tree, filename)
        self.are_text = "unicode_literals" in tree.future_features

    def transform(self, node: Any, results: dict[str, Any]) -> Any:
        """Return the new literal, None if it stays."""
        match = _STRING.fullmatch(node.value)
        if match is None:
            return None
        prefix, quote, body = match["prefix"].lower(), match["quote"], match["body"]
        if prefix == "ur":
            new = _without_raw(quote, body) if "\\u" in body.lower() else f"r{quote}{body}{quote}"
        elif prefix == "" and not self.are_text:
            new = quote + _ESCAPE.sub(_keep_escape, body) + quote
        else:
            return None
        if new == node.value:
            return None
        clone = node.clone()
        clone.value = new
        return clone


def _keep_escape(match: re.Match[str]) -> str:
    """Return an escape that is none in a byte string."""
    return f"\\{match.group()}" if match.group()[1] in "uUN" else match.group()


def _without_raw(quote: str, body: str) -> str:
    """Return a raw string whose `\\u` are characters, as a string that is not raw."""
    escape = re.compile(r"(\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})|\\")
    return quote + escape.sub(lambda found: found.group(1) or "\\\\", body) + quote
