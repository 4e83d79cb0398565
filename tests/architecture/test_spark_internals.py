"""`docs/spark-internals.md` names each private part of Spark that the runtime uses, no other."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pyspark
import pytest

from scripts.spark_internals import (
    JVM,
    PAGE,
    ROW,
    SPARK,
    STREAMING,
    defined_in,
    is_module,
    private_names,
    used_names,
    uses,
)

pytestmark = pytest.mark.slow


def test_each_private_name_is_on_the_page() -> None:
    """If this fails, run `python scripts/spark_internals.py`."""
    rows = ROW.findall(PAGE.read_text())
    assert {name: modules for name, modules, *_ in rows} == uses()
    assert [name for name, _, _, instead in rows if not instead.strip()] == []


def test_this_spark_has_them() -> None:
    classes = {
        name.replace("/", ".").removesuffix(".class")
        for jar in (SPARK / "jars").glob("spark-*.jar")
        for name in zipfile.ZipFile(jar).namelist()
        if name.endswith(".class")
    }
    for name, _, since, _ in ROW.findall(PAGE.read_text()):
        if since > pyspark.__version__:
            continue
        if name == STREAMING:
            assert any(each.startswith(STREAMING) for each in classes)
        elif name.startswith(JVM):
            # the connectors of Kafka are no jars of PySpark
            assert name in classes or ".kafka010." in name, name
        elif name.startswith("pyspark."):
            module, _, last = name.rpartition(".")
            assert is_module(name) or last in defined_in(module), name
        else:
            assert name in private_names(), name


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("sc._jsc.sc()", ["_jsc"]),
        ("self._jsc = 1\nself._jsc", []),
        ("from pyspark.util import _parse_memory", ["_parse_memory"]),
        ('java_class(sc, "org.apache.spark.util.Utils")', ["org.apache.spark.util.Utils"]),
        ('"org.apache.spark.util"\n"org.apache.spark.util.Utils is"', []),
        ("pair._replace(a=1)", []),
        ("from pyspark.shuffle import Merger", ["pyspark.shuffle.Merger"]),
        ("from pyspark import daemon, RDD", ["pyspark.daemon"]),
        ("from pyspark.sql import functions, types, streaming, Row", []),
        ("import pyspark.testing.utils", ["pyspark.testing.utils"]),
        ("jvm.org.apache.spark.util.Utils.call()", ["org.apache.spark.util.Utils"]),
    ],
)
def test_what_counts(code: str, expected: list[str], tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(code)
    assert list(used_names(module)) == expected
