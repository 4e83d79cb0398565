"""The page about translated functions has the tables that the code gives."""

from __future__ import annotations

from dstream_compat.native.registry import FUNCTIONS, METHODS
from scripts import native_table


def test_tables_are_up_to_date() -> None:
    page = native_table.PAGE.read_text(encoding="utf-8")
    assert native_table.written(page) == page
    assert native_table.tables() in page


def test_every_function_says_what_it_becomes() -> None:
    entries = [*FUNCTIONS.values(), *METHODS.values()]
    assert len(entries) > 50
    for entry in entries:
        assert entry.written
        assert entry.about
        last = entry.name.rpartition(".")[2]
        assert last in entry.written
