"""Reads the code blocks of a Markdown file."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [code for name, code in found if name == language]


def languages(page: Path) -> set[str]:
    """The languages of all code blocks."""
    return {name for name, _ in _BLOCK.findall(page.read_text(encoding="utf-8"))}


def commands(page: Path) -> list[str]:
    """Every line of the shell blocks."""
    return [line for block in blocks(page, "sh") for line in block.splitlines() if line]
