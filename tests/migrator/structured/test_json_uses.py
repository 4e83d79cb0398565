"""The shape of JSON texts, found out from the code that reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.migrator.runs import Run

JOB = """import json
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="J")
ssc = StreamingContext(sc, 5)
lines = ssc.textFileStream("in")
events = lines.map(json.loads)


def price(e):
    if e["currency"] == "EUR":
        return e["name"].upper()
    return "?"


{}
ssc.start()
ssc.awaitTermination()
"""

TOLD = [
    ('events.map(lambda e: e["a"].strip()).countByValue().pprint()', "a string"),
    ('events.map(lambda e: e.get("a") or "?").pprint()', "a string?"),
    ('events.map(lambda e: e["a"] + ":" + e["b"]).pprint()', "a string, b string"),
    ("events.map(price).pprint()", "currency string, name string"),
    ('events.filter(lambda e: e["a"] in ("x", "y")).count().pprint()', "a string"),
    ('events.filter(lambda e: "x" != e["a"]).count().pprint()', "a string"),
    ('events.filter(lambda e: e["ok"] == True).count().pprint()', "ok boolean"),
    ('events.filter(lambda e: e["a"]["b"] == "x").count().pprint()', "a struct<b string>"),
    (
        'events.flatMap(lambda e: e["a"]["b"]).map(lambda h: h["c"].lower()).pprint()',
        "a struct<b array<struct<c string>>>",
    ),
    ('events.map(lambda e: [x.lower() for x in e["a b"]][0]).pprint()', "`a b` array<string>"),
    ("events.map(lambda e: e[0].lower()).pprint()", "array<string>"),
    ('events.flatMap(lambda e: [x["n"].lower() for x in e]).pprint()', "array<struct<n string>>"),
    (
        'events.map(lambda e: (e, 1)).filter(lambda pair: pair[0]["v"] == "x").values().pprint()',
        "v string",
    ),
    (
        'events.foreachRDD(lambda rdd: print(rdd.map(lambda e: e["s"].lower()).collect()))',
        "s string",
    ),
]
NOT_TOLD = [
    # the output only
    ('events.map(lambda e: (e["a"], 1)).reduceByKey(lambda a, b: a + b).pprint()', "a TYPE"),
    ('events.map(lambda e: "%s %s" % (e["a"], e["b"])).pprint()', "a TYPE, b TYPE"),
    ('events.filter(lambda e: e["a"] == e["b"]).count().pprint()', "a TYPE, b TYPE"),
    # 5 and 5.0 are printed differently
    ('events.filter(lambda e: e["n"] > 5).count().pprint()', "n TYPE"),
    ('events.map(lambda e: e["n"] * 2).pprint()', "n TYPE"),
    ('events.map(lambda e: abs(e["n"])).pprint()', "n TYPE"),
    # of a text and a number
    ('events.map(lambda e: float(e["n"])).pprint()', "n TYPE"),
    ('events.map(lambda e: int(e["n"])).pprint()', "n TYPE"),
    ('events.map(lambda e: str(e["n"])).pprint()', "n TYPE"),
    # of a text and a list
    ('events.map(lambda e: len(e["a"])).pprint()', "a TYPE"),
    ('events.map(lambda e: e["a"][:10]).pprint()', "a TYPE"),
    ('events.map(lambda e: e["a"][0]).pprint()', "a TYPE"),
    ('events.map(lambda e: e["a"][0].lower()).pprint()', "a TYPE"),
    ('events.filter(lambda e: e["a"][0] == "x").count().pprint()', "a TYPE"),
    ('events.map(lambda e: e["a"][1:].strip()).pprint()', "a TYPE"),
    ('events.map(lambda e: e["a"][0]["b"].lower()).pprint()', "a TYPE"),
    ('events.filter(lambda e: "x" in e["a"]).count().pprint()', "a TYPE"),
    ('events.map(lambda e: e["a"].count("x")).pprint()', "a TYPE"),
    # of anything
    ('events.filter(lambda e: e["a"]).count().pprint()', "a TYPE"),
    ('events.filter(lambda e: e.get("a")).count().pprint()', "a TYPE?"),
    # a part is told
    (
        'events.filter(lambda e: e["n"] > 5 and e["a"]["b"] == "x").map(lambda e: e["c"]).pprint()',
        "n TYPE, a struct<b string>, c TYPE",
    ),
    ('events.map(lambda e: max(e["a"]["b"], 1)).pprint()', "a struct<b TYPE>"),
]
REFUSED = [
    # whole objects have other keys, too
    ("events.pprint()", "JSON_SHAPE", "output whole"),
    ('events.map(lambda e: (e["k"].lower(), e)).pprint()', "JSON_SHAPE", "output whole"),
    (
        'events.map(lambda e: (e["k"].lower(), e)).saveAsTextFiles("o")',
        "JSON_SHAPE",
        "output whole",
    ),
    ('events.map(lambda e: len(e["a"]["b"].lower()) + len(e["a"])).pprint()', "TYPE", "{b}"),
    # NULL is a key that is missing, or None
    (
        'events.filter(lambda e: "a" in e).map(lambda e: e["a"].lower()).pprint()',
        "MISSING_KEY",
        "missing key",
    ),
    (
        'events.filter(lambda e: e.get("a") == "x").map(lambda e: e["a"].lower()).pprint()',
        "MISSING_KEY",
        "may be missing",
    ),
    ('events.map(lambda e: e.get("a", "?")).pprint()', "MISSING_KEY", "missing key"),
    # names of columns have no case
    (
        'events.map(lambda e: e["Id"].lower() + e["id"].lower()).pprint()',
        "JSON_SHAPE",
        "no key 'id'",
    ),
    ("events.map(lambda e: json.dumps(e)).pprint()", "UNKNOWN_FUNCTION", "json.dumps"),
    ("events.count().pprint()", "JSON_SHAPE", "what the JSON texts have in them"),
]


@pytest.mark.parametrize(("body", "shape"), TOLD, ids=[shape for _, shape in TOLD])
def test_uses_tell_the_shape(body: str, shape: str) -> None:
    found = rewrite(JOB.format(body), True)
    assert isinstance(found, Rewritten), found
    assert any(f"the shape that the code reads, {shape}:" in each for each in found.differences)
    assert "F.from_json(" in found.text


@pytest.mark.parametrize(("body", "shape"), NOT_TOLD)
def test_what_is_not_told_is_asked_for(body: str, shape: str) -> None:
    found = rewrite(JOB.format(body), True)
    assert isinstance(found, Reason), found
    assert (found.code, found.shape, found.line) == ("JSON_SHAPE", shape, 8), found
    for path in re.findall(r"\w+(?= TYPE)", shape):
        assert f"{path}`" in found.text


@pytest.mark.parametrize(("body", "code", "words"), REFUSED)
def test_what_is_not_exact_is_refused(body: str, code: str, words: str) -> None:
    found = rewrite(JOB.format(body), True)
    assert isinstance(found, Reason), found
    assert (found.code, words in found.text) == (code, True), found


@pytest.mark.parametrize("body", [TOLD[0][0], NOT_TOLD[0][0]])
def test_it_needs_consent(body: str) -> None:
    found = rewrite(JOB.format(body))
    assert isinstance(found, Reason)
    assert (found.code, found.shape) == ("JSON_SHAPE", "")


def test_what_the_owner_gives_is_all(tmp_path: Path) -> None:
    from migrator.structured.json_shape import json_shape

    found = rewrite(JOB.format(TOLD[0][0]), True, json=json_shape("b string"))
    assert isinstance(found, Reason)
    assert "no key 'a'" in found.text


def test_the_report_has_the_shape_to_fill_in(migrate: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.migrate]\ntarget = "structured"\n')
    (tmp_path / "job.py").write_text(JOB.format(NOT_TOLD[-2][0]), encoding="utf-8")
    run = migrate(tmp_path, "--check", "--portable")
    words = " ".join(run.out.split())
    assert "--json-shape 'n TYPE, a struct<b string>, c TYPE'" in words
    assert "`n` (a long or a double), `c`" in words
    shape = "n long, a struct<b string>, c string"
    migrate(tmp_path, "--in-place", "--unsafe-fixes", "--json-shape", shape)
    assert "F.from_json(" in (tmp_path / "job.py").read_text(encoding="utf-8")


def test_a_shape_that_is_told_needs_nothing(migrate: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.migrate]\ntarget = "structured"\n')
    (tmp_path / "job.py").write_text(JOB.format(TOLD[0][0]), encoding="utf-8")
    words = " ".join(migrate(tmp_path, "--check", "--portable").out.split())
    assert "--unsafe-fixes rewrites it; then" in words and "a string" in words
    migrate(tmp_path, "--in-place", "--unsafe-fixes")
    assert "F.from_json(" in (tmp_path / "job.py").read_text(encoding="utf-8")
