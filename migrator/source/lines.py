"""Lines as Python's tokenizer counts them."""

from __future__ import annotations

import re

_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    r"""Return lines without their ends; only \n, \r and \r\n end a line."""
    return _END.split(text)


def keep_ends(text: str) -> list[str]:
    """Return lines with their ends."""
    return _LINE.findall(text)
