"""Reads Markdown pages: their code blocks, headings and links."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CODE_SPAN = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [code for name, code in found if name == language]


def values(code: str) -> list[str]:
    """The values of a block of JSON: one, or one in each line."""
    lines = code.splitlines()
    return lines if all(line.startswith("{") and line.endswith("}") for line in lines) else [code]


def languages(page: Path) -> set[str]:
    """The languages of all code blocks."""
    return {name for name, _ in _BLOCK.findall(page.read_text(encoding="utf-8"))}


def commands(page: Path) -> list[str]:
    """Every line of the shell blocks."""
    return [line for block in blocks(page, "sh") for line in block.splitlines() if line]


def links(text: str) -> list[str]:
    """The targets of all links and pictures outside of code."""
    return _LINK.findall(_CODE_SPAN.sub("", _BLOCK.sub("", text)))


def anchors(text: str) -> set[str]:
    """The anchors that headings get."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
