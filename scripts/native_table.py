"""Writes the tables of docs/native.md: what the translator of functions knows and refuses."""

from __future__ import annotations

from pathlib import Path

from dstream_compat.native.support import END, START, tables

PAGE = Path(__file__).parents[1] / "docs" / "native.md"


def written(page: str) -> str:
    """The page with its tables up to date."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{tables()}\n\n{END}{after}"


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
