"""Every public name of Spark's streaming modules and every setting is known."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pyspark
import pytest

from migrator.spark.names import LACKING
from migrator.spark.settings import SETTINGS
from migrator.spark.signatures import SIGNATURES
from tests.support.migrator.reports import codes, report
from tests.support.streaming.public_names import read_folder

HERE = Path(__file__).parent
STREAMING = Path(pyspark.__path__[0]) / "streaming"
RECORDED = HERE.parents[1] / "support" / "streaming" / "public_names_2_4.json"
SPARK_2 = json.loads(RECORDED.read_text("utf-8"))
SPARK_4 = read_folder(STREAMING)
NAMES = sorted(
    {
        f"{m}.{name}"
        for tables in (SPARK_2, SPARK_4)
        for m, found in tables.items()
        for name in found
    }
)
# the import of what is lacking is reported as a whole
METHODS = [n for n in NAMES if n.startswith(("dstream.DStream.", "context.StreamingContext."))]
MEMBERS = [n for n in NAMES if n.count(".") == 2 and n.rpartition(".")[0] not in LACKING]


@pytest.mark.parametrize("name", [n for n in NAMES if n.count(".") == 1])
def test_imports(name: str) -> None:
    """The import of each name is rewritten, or reported as one that cannot be."""
    module, top = name.split(".")
    found = report(f"from pyspark.streaming.{module} import {top}\n")
    assert [s.outcome.value for s in found.sites] in (["rewritten"], ["reported"])
    assert {f.code for f in found.findings} in ({"D101"}, {"D103"})


@pytest.mark.parametrize("name", MEMBERS)
def test_members(name: str) -> None:
    """The use of each member of each class is seen, and known."""
    module, top, member = name.split(".")
    found = report(f"from pyspark.streaming.{module} import {top}\nx = {top}.{member}\n")
    assert member in [s.name for s in found.sites if s.at.line == 2]
    assert not {"D301", "D207"}.intersection(f.code for f in found.findings)


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_objects(method: str) -> None:
    """The use of each method of an object is seen, and known."""
    top, member = method.split(".")[1:]
    made = "ssc.queueStream([])" if top == "DStream" else "ssc"
    source = (
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        f"x = {made}.{member}(*args)\n"
    )
    sites = [s for s in report(source).sites if s.name == member]
    assert [(s.receiver, s.confidence.value) for s in sites] == [(top, "proven")]
    assert not {"3:D301", "3:D207"}.intersection(codes(source))


def test_signatures() -> None:
    """The table of parameters has every method of streams and contexts, with Spark's parameters."""
    expected = {}
    for module, top in (("dstream", "DStream"), ("context", "StreamingContext")):
        tree = ast.parse((STREAMING / f"{module}.py").read_text("utf-8"))
        body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == top)
        for node in body:
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            decorators = {ast.unparse(d) for d in node.decorator_list}
            if not decorators & {"overload", "property"}:
                names = tuple(a.arg for a in node.args.args[1:])
                required = len(names) - len(node.args.defaults)
                rest = node.args.vararg is not None
                expected[f"{top}.{node.name}"] = (names, required, rest)
    assert {k: (s.names, s.required, s.rest) for k, s in SIGNATURES.items()} == expected


@pytest.mark.parametrize("key", (HERE / "settings_2_4.txt").read_text("utf-8").split())
def test_settings_of_spark_2(key: str) -> None:
    """Read from the classes of Spark 2.4.8, those of Kafka and Kinesis from its documentation.

    `test_rule_set` reads the classes of the installed Spark.
    """
    assert key in SETTINGS
