"""The head of a result: one line that says which Spark it needs, above what may stand there."""

from __future__ import annotations

import pytest

from migrator.source.layout import place_mark
from migrator.structured.result.head import with_head

HEAD = "# Needs Spark 3.5 or newer.\n"
IMPORT = "from pyspark.sql import SparkSession\n"


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        ("", IMPORT),
        ("", f'"""Counts words."""\n{IMPORT}'),
        ("", f"# A licence.\n\n{IMPORT}"),
        ("", "from __future__ import annotations\n\n" + IMPORT),
        ("#!/usr/bin/env python\n", IMPORT),
        ("# -*- coding: latin-1 -*-\n", IMPORT),
        ("#!/usr/bin/env python\n# vim: set fileencoding=utf-8 :\n", f'"""Words."""\n{IMPORT}'),
    ],
)
def test_the_place_of_the_head(first: str, rest: str) -> None:
    found = with_head(first + rest, (3, 5))
    assert found == f"{first}{HEAD}\n{rest}"
    assert with_head(found, (3, 5)) == found
    assert with_head(found, (4, 0)) == found.replace("3.5", "4.0")


def test_a_mark_of_the_encoding_stays_first() -> None:
    assert with_head("\ufeff" + IMPORT, (3, 5)) == f"\ufeff{HEAD}\n{IMPORT}"
    script = "\ufeff#!/usr/bin/env python\n"
    assert with_head(script + IMPORT, (3, 5)) == f"{script}{HEAD}\n{IMPORT}"


def test_a_comment_that_is_no_head_stays() -> None:
    text = f"# Needs Spark 3.5 or newer, and Kafka.\n{IMPORT}"
    assert with_head(text, (3, 5)) == f"{HEAD}\n{text}"


def test_cells_have_it_above_the_import_of_spark() -> None:
    text = f"x = 1\n{place_mark(0)}\nimport sys\n{IMPORT}{place_mark(1)}\nspark = 1\n"
    found = with_head(text, (3, 5))
    assert found == text.replace(IMPORT, HEAD + IMPORT)
    assert with_head(found, (3, 5)) == found
