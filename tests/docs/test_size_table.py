"""What README and architecture say of the size of the runtime is true, up to a tenth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import size_table


@pytest.mark.slow
@pytest.mark.parametrize("page", size_table.PAGES, ids=lambda page: page.name)
def test_the_table_is_up_to_date(page: Path) -> None:
    _, begin, rest = page.read_text(encoding="utf-8").partition(size_table.BEGIN)
    table, end, _ = rest.partition(size_table.END)
    assert begin and end
    written, now = table.strip().splitlines(), size_table.table().splitlines()
    assert [re.sub(r"[\d,]+", "", row) for row in written] == [
        re.sub(r"[\d,]+", "", row) for row in now
    ]
    for row, other in zip(written[2:], now[2:], strict=True):
        lines, actual = (int(each.split("|")[2].replace(",", "")) for each in (row, other))
        assert abs(lines - actual) <= max(100, actual // 10), f"python scripts/size_table.py: {row}"


def test_what_counts() -> None:
    code = '"""A page."""\n\nimport os  # why\n# what\n\n'
    code += 'def f():\n    """Text."""\n    return """\n\n"""\n'
    assert size_table.python_lines(code) == 5
    assert size_table.java_lines("/* a\n b */\nint a; // c\n\n// d\n}\n") == 2
