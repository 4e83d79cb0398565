"""Writes `docs/rules`: one page per rule from its docstring, and the tables of the index.

Run it after a rule changed: `python -m migrator.rules.docs docs/rules`. A test compares the pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

from migrator.model.report import Category, Safety
from migrator.rules.base import FAMILIES, Rule
from migrator.rules.registry import page_text, rules, rules_of_page

_SAFETY = {
    Safety.SAFE: "safe, applied",
    Safety.UNSAFE: "unsafe, applied with `--unsafe-fixes`",
    Safety.DISPLAY: "shown, never applied",
}
_CATEGORY = {
    Category.MIGRATION: "",
    Category.BUG: "Category: bug that the job has always had. ",
    Category.NOTE: "Category: note, shown with `--notes`. ",
}
_ASKED = " Reported only if `--select` names its code, or D85."
# the index begins with a text that is written by hand
_INDEX = "## Rules\n"


def fix_line(rule: Rule) -> str:
    """Return how the fixes of a rule are used."""
    if rule.safety is None:
        return "none"
    used = _SAFETY[rule.safety]
    if rule.option:
        used += f" with `{rule.option}`"
    return used if rule.other_safety is None else f"{used}; some {_SAFETY[rule.other_safety]}"


def page(rule: Rule) -> str:
    """Return the page of a rule."""
    body = page_text(rule).partition("\n")[2].rstrip()
    return f"{_head(rule)}{body}\n"


def _head(rule: Rule) -> str:
    title = page_text(rule).partition("\n")[0]
    return (
        f"# {rule.code}: {rule.name}\n\n{title}\n\n"
        f"Severity: {rule.severity.value}. {_CATEGORY[rule.category]}"
        f"Effort: about {rule.effort} minutes. "
        f"Fix: {fix_line(rule)}.{_ASKED if rule.asked_only else ''}\n"
    )


def pages() -> dict[str, str]:
    """Return the page of every rule by its file name."""
    texts = {}
    for code, rule in rules().items():
        first = rules_of_page(rule)[0]
        texts[f"{code}.md"] = page(rule)
        if first is not rule:
            # a file for each code, so that its address stays
            texts[f"{code}.md"] = f"{_head(rule)}\nSee [{first.code}]({first.code}.md).\n"
    return texts


def index_page(text: str) -> str:
    """Return the index of all rules with its tables written anew."""
    parts = [_INDEX]
    for prefix, title in FAMILIES.items():
        family = [rule for rule in rules().values() if rule.code.startswith(prefix)]
        if not family:
            continue
        parts.append(f"### {prefix}: {title}\n")
        parts.append("| code | name | severity | what |\n|---|---|---|---|")
        for rule in family:
            code, first = rule.code, page_text(rule).partition("\n")[0]
            parts.append(f"| [{code}]({code}.md) | {rule.name} | {rule.severity.value} | {first} |")
        parts.append("")
    return text.partition(_INDEX)[0] + "\n".join(parts)


def main(folder: str) -> None:
    """Write the pages into a folder."""
    for name, text in pages().items():
        Path(folder, name).write_text(text, "utf-8")
    index = Path(folder, "README.md")
    index.write_text(index_page(index.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
