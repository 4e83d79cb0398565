"""Notebooks that cannot be read; `test_notebook.py` has the shapes that can."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes


@pytest.mark.parametrize(
    "text",
    ["import pyspark.streaming", '{"cells": 1, "a": "pyspark.streaming"}', "[pyspark.streaming]"],
)
def test_fires(text: str) -> None:
    assert codes(text.encode(), "a.ipynb") == ["1:D005"]


@pytest.mark.parametrize(
    "text",
    [
        "broken, without streams",
        '{"cells": []}',
        '{"a": "pyspark.streaming"}',
        '{"cells": [{"cell_type": "raw", "source": "pyspark.streaming"}]}',
    ],
)
def test_silent(text: str) -> None:
    assert codes(text.encode(), "a.ipynb") == []
