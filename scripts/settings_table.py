"""Writes the tables of docs/semantics/settings.md from `dstream_compat/settings.py`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dstream_compat.settings import OWN, SPARKS, Setting

PAGE = Path(__file__).parents[1] / "docs" / "semantics" / "settings.md"


def table(settings: Sequence[Setting[Any]]) -> str:
    """Return settings as a Markdown table."""
    since = any(setting.since for setting in settings)
    rows = ["| setting | value | default | meaning |", "|---|---|---|---|"]
    rows += [
        f"| `{setting.name}` | {setting.kind.words} | {_default(setting)} | {setting.does} |"
        for setting in settings
    ]
    if since:
        lasts = [" since |", "---|", *(f" {setting.since} |" for setting in settings)]
        rows = [row + last for row, last in zip(rows, lasts, strict=True)]
    return "\n".join(rows)


def _default(setting: Setting[Any]) -> str:
    value = setting.default
    if setting.otherwise or value is None:
        return setting.otherwise or "none"
    if setting.kind.words.startswith("a duration"):
        return f"`{value:g}s`" if value >= 1 else f"`{value * 1000:g}ms`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def written(page: str) -> str:
    """Return the page with its tables up to date."""
    for name, settings in (("spark", SPARKS), ("own", OWN)):
        marks = rf"(<!-- {name}: written [^\n]*\n).*(\n<!-- {name}: end -->)"
        rows = table(settings)
        page = re.sub(marks, lambda m, rows=rows: f"{m[1]}\n{rows}\n{m[2]}", page, flags=re.DOTALL)
    return page


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
