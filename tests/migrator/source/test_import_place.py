"""Imports are added in front of others, behind what has to come first."""

from __future__ import annotations

import ast

import pytest

from migrator.source.import_place import import_span
from migrator.source.lines import TextLines
from migrator.source.spans import with_spans


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os\nx\n", "import sys\nimport os\nx\n"),
        (
            '"""Job."""\nfrom __future__ import print_function\nimport os\nx\n',
            '"""Job."""\nfrom __future__ import print_function\nimport sys\nimport os\nx\n',
        ),
        ('"""Job."""\nx\n', '"""Job."""\nimport sys\n\nx\n'),
        ("@f\ndef g(): pass\nx\n", "import sys\n\n@f\ndef g(): pass\nx\n"),
        ("import os\r\nx\r\n", "import sys\r\nimport os\r\nx\r\n"),
        ("'Jäb.'; import os\nx\n", "'Jäb.'; import sys; import os\nx\n"),
        ("'Job.'; import os\rx", "'Job.'; import sys; import os\rx"),
    ],
)
def test_imports_stand_before_the_first_one(before: str, after: str) -> None:
    added = import_span(ast.parse(before), TextLines(before), ["import sys"])
    assert with_spans(before, [added]) == after
    ast.parse(after)


def test_a_cell_counts_its_own_lines() -> None:
    text = "x = 1\nimport os\n"
    tree = ast.increment_lineno(ast.parse(text), 7)
    added = import_span(tree, TextLines(text), ["import re", "import sys"], before=7)
    assert with_spans(text, [added]) == "x = 1\nimport re\nimport sys\nimport os\n"
