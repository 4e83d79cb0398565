"""The Markdown report: complete, and nothing but text from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from migrator.report.markdown_report import code, prose, render
from tests.support.migrator.report_checks import harmless, tokens
from tests.support.migrator.samples import ATTACKS, hostile, mixed, reported


def test_content(tmp_path: Path) -> None:
    text = render(reported(mixed(tmp_path / "tree")))
    assert "## `jobs/fork.py`" in text
    assert "- **D203** error at 7:21 (120 min): " in text
    assert '  - `events = FlumeUtils.createStream(ssc, "localhost", 4141)`' in text
    assert "| uses of the API | " in text
    assert "- **cannot** `jobs/fork.py`: " in text
    assert "| `jobs/fork.py` | 2:31 | D101 | `from pyspark.streaming import" in text
    assert "D601" not in text
    harmless(text)


def test_nothing_found(tmp_path: Path) -> None:
    assert "No DStream code found" in render(reported(tmp_path))


def test_hostile_names_and_contents(tmp_path: Path) -> None:
    text = render(reported(hostile(tmp_path / "tree")))
    harmless(text)
    assert "\x1b" not in text
    rows = [token for token in tokens(text) if token.type == "tr_open"]
    cells = [token for token in tokens(text) if token.type in ("td_open", "th_open")]
    totals = text[: text.index("\n## ")].count("\n| ")
    rewrites = len(rows) - totals
    assert len(cells) == 2 * totals + 4 * rewrites


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("form", [code, prose])
def test_one_attack(attack: str, form: Any) -> None:
    harmless(form(attack))
    harmless(f"| a | b |\n|---|---|\n| {form(attack, in_table=True)} | c |\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words, and more", "plain words, and more"),
        ("`a_b` becomes `c`", "`a_b` becomes `c`"),
        ("an odd ` backtick", "``an odd ` backtick``"),
        ("see http://x", "`see http://x`"),
        ("snake_case stays", "snake_case stays"),
        ("_not_ emphasis", "`_not_ emphasis`"),
    ],
)
def test_prose(text: str, expected: str) -> None:
    assert prose(text) == expected


@pytest.mark.parametrize("text", ["", " ", "`", "``a``", " a ", "a`", "\\", "a|b"])
def test_code_shows_exactly_the_text(text: str) -> None:
    spans = [token.content for token in tokens(code(text)) if token.type == "code_inline"]
    assert [span.strip() for span in spans] == [text.strip()] or not text.strip()
