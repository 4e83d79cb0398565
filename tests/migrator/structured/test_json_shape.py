"""The shape of JSON texts, as `--json-shape` takes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dstream_compat.native.types import (
    Array,
    Boolean,
    Dictionary,
    Double,
    Long,
    Nullable,
    Record,
    String,
)
from migrator.structured.json_shape import json_shape
from tests.support.migrator.runs import Run

JOB = (Path(__file__).parent / "goldens" / "kafka_json" / "before.py").read_text(encoding="utf-8")
SHAPE = "device struct<id string>, temperature double, tags array<string>?"


def test_is_read_as_spark_writes_columns() -> None:
    text = "user string?, n: long, `a b` array<double>, ok BOOLEAN, at struct<x map<string,long>>"
    names = ("user", "n", "a b", "ok", "at")
    double = Double(nan=False, inf=False)
    inner = Record(("x",), (Dictionary(String(), Long()),))
    kinds = (Nullable(String()), Long(), Array(double), Boolean(), inner)
    assert json_shape(text) == Record(names, kinds)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user", "the type of 'user' is missing at the end"),
        ("", "a key is missing at the end"),
        ("user text", "'text' is no type: string, long"),
        ("user string, User long", "'User' is not a valid key, or is given twice"),
        ("user array<string", "'>' is missing before the end"),
        ("user map<long, long>", "the keys of a map are strings"),
        ("user string)", "')' is no name and no type"),
        ("user string more", "'more' is not expected"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        json_shape(text)


@pytest.mark.slow
def test_rewrites_a_job_with_consent(migrate: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.migrate]\ntarget = "structured"\n')
    assert "--unsafe-fixes with --json-shape" in migrate(tmp_path, "--check", "--portable").out
    run = migrate(tmp_path, "--check", "--portable", "--json-shape", SHAPE)
    assert "rewrites it; then" in run.out
    migrate(tmp_path, "--in-place", "--unsafe-fixes", "--json-shape", SHAPE)
    assert "F.from_json(" in (tmp_path / "job.py").read_text(encoding="utf-8")
    run = migrate(tmp_path, "--check", "--json-shape", "user text")
    assert run.code == 2
    assert "--json-shape: 'user text': 'text' is no type" in run.err
