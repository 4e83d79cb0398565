"""Modules name the decisions that they carry out, by number and title."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.fenced import DOCS, ROOT

pytestmark = pytest.mark.slow

DECISIONS = DOCS / "decisions"


def titles() -> dict[str, str]:
    """Return the title of each decision, by its number."""
    return {
        path.name[:4]: path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        for path in DECISIONS.glob("0*.md")
    }


def cited() -> list[tuple[str, str, str]]:
    """Return module, number and title of the decisions that docstrings of modules name."""
    found = []
    for package in ("dstream_compat", "migrator"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            for paragraph in text.split("\n\n"):
                if match := re.fullmatch(r"Decision (\d{4}): (.*)\.", " ".join(paragraph.split())):
                    found.append((path.relative_to(ROOT).as_posix(), match[1], match[2]))
    return found


def test_modules_name_decisions_that_are_there() -> None:
    known = titles()
    wrong = [
        (module, number, title)
        for module, number, title in cited()
        if known.get(number, "").split(" ", 1)[-1] != title and known.get(number) != title
    ]
    assert wrong == []
    assert len(cited()) > 25
