"""Jobs whose functions become UDFs."""

from __future__ import annotations

from typing import Any

from migrator.structured.rewrite import Rewritten, rewrite

HEAD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""
START = """
sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
"""
PRICE = """
def price(line):
    try:
        return float(line)
    except ValueError:
        return None

"""


def job(defined: str, body: str) -> str:
    return f"{HEAD}{defined}{START}{body}\nssc.start()\nssc.awaitTermination()\n"


def result(text: str, unsafe: bool = False, **given: Any) -> Rewritten:
    found = rewrite(text, unsafe, **given)
    assert isinstance(found, Rewritten), found
    return found
