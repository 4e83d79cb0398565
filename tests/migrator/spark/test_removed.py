"""The table of names that PySpark has lost is that of the installed one. No JVM is started."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from pathlib import Path

import pytest

from migrator.spark import api
from migrator.spark.kinds import Kind
from migrator.spark.removed import (
    CAVEATS,
    CLASSES,
    METHODS,
    REPLACED,
    removed_from_spark,
)

TABLE = removed_from_spark()
TESTS = Path(__file__).parents[1]
_IMPORTED = re.compile(r"^\s*from (pyspark[\w.]*) import ([\w, ]+?)(?: as \w+)?(?:\s*#.*)?$", re.M)


def exists(path: str) -> bool:
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found: object = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_the_table_has_what_jobs_use() -> None:
    assert len(TABLE) > 80
    assert {"pyspark.sql.SQLContext.jsonFile", "pyspark.sql.DataFrame.map"} <= TABLE.keys()


def test_every_name_is_gone() -> None:
    assert [path for path in TABLE if exists(path)] == []


def test_what_is_still_there_is_not_in_the_table() -> None:
    still = ("SQLContext", "HiveContext", "DataFrame.registerTempTable", "DataFrame.unionAll")
    functions = ("toDegrees", "toRadians", "sumDistinct", "approxCountDistinct")
    paths = [f"pyspark.sql.{n}" for n in still] + [f"pyspark.sql.functions.{n}" for n in functions]
    assert all(map(exists, paths))
    assert TABLE.keys().isdisjoint(paths)


def test_replacements_exist() -> None:
    assert REPLACED.keys() <= TABLE.keys()
    assert [r.new for r in REPLACED.values() if r.new and not exists(r.new)] == []


# what the steps of a replacement give
_STEPS = {
    "rdd": "pyspark.RDD",
    "write": "pyspark.sql.DataFrameWriter",
    "read": "pyspark.sql.DataFrameReader",
}


@pytest.mark.parametrize("path", sorted(METHODS))
def test_methods_exist_with_as_many_arguments(path: str) -> None:
    assert path in TABLE
    new, positional = METHODS[path]
    if not new:
        return
    first, _, name = new.rpartition(".")
    owner = _STEPS[first] if first else path.rpartition(".")[0]
    assert exists(f"{owner}.{name}")
    module, _, class_name = owner.rpartition(".")
    found = getattr(getattr(importlib.import_module(module), class_name), name)
    if callable(found):
        parameters = [*inspect.signature(found).parameters.values()][1:]
        rest = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        assert rest or len(parameters) >= positional


def test_caveats_are_of_methods() -> None:
    assert CAVEATS.keys() <= METHODS.keys()


@pytest.mark.parametrize("kind", sorted(CLASSES))
def test_what_inference_knows_of_classes_is_there(kind: Kind) -> None:
    names = [n for n in api.METHODS[kind] if not n.startswith("_")]
    # "session" has a context that is set when it is made, RDDs an attribute
    instance = {"ctx", "context", "sparkSession"}
    lacking = {n for n in names if n not in instance and not exists(f"{CLASSES[kind]}.{n}")}
    assert {f"{CLASSES[kind]}.{n}" for n in lacking} <= TABLE.keys()


def test_names_in_fixtures_resolve() -> None:
    """What migrated fixtures import from PySpark is there, or the table knows that it is gone."""
    paths = set()
    for file in [*TESTS.glob("projects/**/*.py"), *TESTS.glob("golden/*/after.py")]:
        for module, names in _IMPORTED.findall(file.read_text("utf-8")):
            paths |= {f"{module}.{name.split()[0]}" for name in names.split(",") if name.strip()}
    own = {p for p in paths if not api.in_streaming(p)}
    assert len(own) > 3
    assert [p for p in sorted(own) if not exists(p) and api.canonical(p) not in TABLE] == []
