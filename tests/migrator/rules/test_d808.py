"""SQL that raises with ANSI mode, told once for a project."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.reports import CONTEXT, project
from tests.support.migrator.runs import Run

CODE = "D808"
SESSION = (
    "from pyspark.sql import SparkSession\nfrom pyspark.sql.functions import col, expr\n"
    "from pyspark.sql.types import IntegerType, StringType\n"
    "spark = SparkSession.builder.getOrCreate()\ndf = spark.table('t')\n"
)
TOLD = [
    "spark.sql('select cast(a as int) from t')",
    "spark.sql('SELECT a / b FROM t')",
    "spark.sql(\"select a*b, 'x' from t\")",
    "spark.sql(f'select a from t where b + {n} > 1')",
    "spark.sql('select int(a) from %s' % t)",
    "spark.sql('select to_date(a) from {}'.format(t))",
    "spark.sql('select a ' + ', a::int from t')",
    "df.selectExpr('a % 2')",
    "df.select(expr('a - 1'))",
    "df.select(col('a').cast('int'))",
    "df.select(df.a.cast(IntegerType()))",
    "df.select(df['a'].cast(IntegerType))",
    "from pyspark.sql import SQLContext\nSQLContext(sc).sql('select cast(a as date) from t')",
]
SILENT = [
    "spark.sql('select * from t')",
    "spark.sql('select word, count(*) as total from words group by word')",
    "spark.sql('select distinct *, t.* from t')",
    "spark.sql(\"select 'a-b', 'cast(x)' from t\")",
    "spark.sql('select a from t -- a + b')",
    "spark.sql('select a from t where b = -1')",
    "spark.sql(text)",
    "spark.sql(load(name))",
    "df.selectExpr('a', 'b as c')",
    "df.select(col('a').cast('string'))",
    "df.select(df.a.cast(StringType()))",
    "df.select('a').where('b')",
    "x.sql('select a / b from t')",
    "cursor.execute('select cast(a as int) from t')",
    "memoryview(b'a').cast('b')",
    "typing.cast(int, x)",
    "x = 'select cast(a as int)'",
    "engine.sql('select a + b')",
    "x.selectExpr('a + b')",
    "def expr(x):\n    pass\n\nexpr('a + b')",
    "x.expr('a - b')",
    "# spark.sql('select a / b')",
    "df.count() / 2",
    "spark.table('a - b')",
    "df.select('a').show()",
    "spark.conf.get('a / b')",
]


def found(tmp_path: Path, files: dict[str, str]) -> list[tuple[str, int]]:
    findings = project(tmp_path, files).findings()
    return [(file.path, f.at.line) for file, f in findings if f.code == CODE]


@pytest.mark.parametrize("line", TOLD)
def test_told(tmp_path: Path, line: str) -> None:
    assert len(found(tmp_path, {"job.py": CONTEXT + SESSION + line + "\n"})) == 1


@pytest.mark.parametrize("line", SILENT)
def test_silent(tmp_path: Path, line: str) -> None:
    assert found(tmp_path, {"job.py": CONTEXT + SESSION + line + "\n"}) == []


def test_casts_are_those_of_spark(tmp_path: Path) -> None:
    assert found(tmp_path, {"job.py": CONTEXT + "x = y.cast('int')\n"}) == []


TWO = {
    "b.py": CONTEXT + SESSION + TOLD[0] + "\n",
    "a.py": CONTEXT + SESSION + SILENT[0] + "\n" + TOLD[1] + "\n" + TOLD[2] + "\n",
}


def test_once_for_a_project(tmp_path: Path) -> None:
    assert [path for path, _ in found(tmp_path, TWO)] == ["a.py"]
    (one,) = [f for _, f in project(tmp_path, TWO).findings() if f.code == CODE]
    assert "2 other places" in one.message
    assert [text.partition(",")[0] for text in one.evidence] == ["a.py", "b.py"]
    assert (one.severity.value, one.effort) == ("warning", 10)


def test_places_are_told_on_request_only(migrate: Callable[..., Run], tmp_path: Path) -> None:
    project(tmp_path, TWO)
    shown = json.loads(migrate(tmp_path, "--check", "--format", "json").out)
    (one,) = [f for f in shown["findings"] if f["code"] == CODE]
    assert any("b.py" in text for text in one["evidence"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("conf/spark-defaults.conf", "spark.sql.ansi.enabled false\n"),
        ("run.sh", "spark-submit --conf spark.sql.ansi.enabled=false b.py\n"),
        ("settings.py", "CONF = {'spark.sql.ansi.enabled': 'false'}\n"),
    ],
)
def test_a_project_that_sets_the_mode(tmp_path: Path, name: str, text: str) -> None:
    assert found(tmp_path, {**TWO, name: text}) == []


def test_with_the_cache(migrate: Callable[..., Run], tmp_path: Path) -> None:
    project(tmp_path, TWO)
    runs = [migrate(tmp_path, "--check", "--format", "json") for _ in range(2)]
    assert runs[0].out == runs[1].out
    assert CODE in runs[0].out


def test_nothing_without_streams(tmp_path: Path) -> None:
    source = SESSION + TOLD[0] + "  # migrate: ignore[D101]\n"
    assert found(tmp_path, {"job.py": source}) == []
