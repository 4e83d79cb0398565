"""Text of files and paths cannot act on a terminal."""

from __future__ import annotations

import os

import pytest

from migrator.model.printable import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ä 語 😀", "plain ä 語 😀"),
        ("a\tb\nc", "a\\x09b\\x0ac"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b1m", "\\x9b1m"),
        ("left\u202eright", "left\\u202eright"),
        ("two\u2028lines", "two\\u2028lines"),
        (os.fsdecode(b"caf\xe9"), "caf\\xe9"),
        ("\ud800", "\\ud800"),
    ],
)
def test_only_what_acts_is_escaped(text: str, shown: str) -> None:
    found = visible(text)
    assert found == shown
    assert found.encode("utf-8")
    assert visible(found) == found
