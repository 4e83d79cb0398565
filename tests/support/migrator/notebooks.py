"""Makes notebooks of Jupyter and Databricks, and reads what was found in them."""

from __future__ import annotations

import json

from migrator.model.report import FileReport
from tests.support.migrator.reports import report

PYTHON = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
EDGE = "\n# COMMAND ----------\n\n"


def notebook(*cells: str | list[str], indent: int | None = 1, **extra: object) -> str:
    """A notebook of code cells; every first cell is Markdown."""
    content = {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# pyspark.streaming\n"]},
            *(
                {
                    "cell_type": "code",
                    "execution_count": 1,
                    "metadata": {},
                    "outputs": [{"text": ["from pyspark.streaming import é\n"]}],
                    "source": c.splitlines(keepends=True) if isinstance(c, str) else c,
                }
                for c in cells
            ),
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 2,
        **extra,
    }
    return json.dumps(content, indent=indent, ensure_ascii=False) + "\n"


def sources(found: FileReport) -> list[str]:
    assert found.content is not None
    cells = json.loads(found.content)["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]


def ipynb(*cells: str, **extra: object) -> FileReport:
    return report(notebook(*cells, **extra).encode(), "a.ipynb")


def cells(*parts: str, mark: str = "#") -> str:
    """A source notebook of Databricks; parts that begin with % stand in comments."""
    texts = []
    for part in parts:
        lines = part.splitlines()
        if part.startswith("%"):
            lines = [f"{mark} MAGIC {line}" for line in lines]
        texts.append("\n".join(lines) + "\n")
    edge = EDGE.replace("#", mark)
    return f"{mark} Databricks notebook source\n" + edge.join(texts)


def open_findings(found: FileReport) -> list[tuple[int | None, int, str]]:
    return [(f.at.cell, f.at.line, f.code) for f in found.findings if not f.is_fixed]
