"""The characters that Python takes as white space, as Java needs them."""

from __future__ import annotations

from typing import Final

CHARACTERS: Final = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The same in all versions of Python that are supported; a test compares them."""

RANGES: Final = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""The characters as the inside of a class of a pattern, in Java and in Python."""

AT_START: Final = rf"\A[{RANGES}]+"
AT_END: Final = rf"[{RANGES}]+\z"
AT_ENDS: Final = f"{AT_START}|{AT_END}"
"""Patterns of Java for all of them at one end of a text, or at both."""
