"""Builtins that the code of a result uses: none that a job is likely to hide, and none that it has
hidden.
"""

from __future__ import annotations

import ast
import builtins
import re

import numpy
import pytest
from pyspark.sql import functions

from migrator.spark.since import NEWEST, Version
from migrator.structured.builder.helpers import HELPERS
from migrator.structured.program.carried import Carried, CarriedState, Position
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
import sys
from operator import add, sub
from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext
from pyspark.streaming.kafka import KafkaUtils
from pyspark.streaming.mqtt import MQTTUtils
{head}


def groups(key, value, state):
    return key


def other():
    {inner}


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, {interval})
length = float(sys.argv[1])
lines = ssc.textFileStream("in")
words = lines.map(lambda line: (line, 1))
{code}
ssc.start()
ssc.awaitTermination()
"""
RECOVERED = (
    JOB.partition("sc = ")[0]
    + """
def create():
    sc = SparkContext(appName="job")
    ssc = StreamingContext(sc, 2)
    ssc.checkpoint("checkpoint")
    words = ssc.textFileStream("in").map(lambda line: (line, 1))
    words.updateStateByKey(groups).foreachRDD(lambda rdd: rdd.foreach(add))
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.start()
ssc.awaitTermination()
"""
)
CARRIED = Carried(
    "out",
    (CarriedState("updateStateByKey", "out/1", {"pickled": "binary"}),),
    (Position(1, "condition", "out/positions.json"),),
)
EVERY_HELPER = """
words.updateStateByKey(groups).foreachRDD(lambda rdd: rdd.foreach(add))
words.mapWithState(StateSpec.function(groups)).foreachRDD(lambda rdd: rdd.foreach(add))
words.reduceByKeyAndWindow(add, sub, length, 2).saveAsTextFiles("out")
messages = KafkaUtils.createDirectStream(ssc, ["a"], {"bootstrap.servers": "b:1"}, dict(sys.argv))
messages.foreachRDD(lambda rdd: print(rdd.offsetRanges()))
MQTTUtils.createStream(ssc, "tcp://b:1", "t").pprint()
"""
RAW = """
KafkaUtils.createDirectStream(
    ssc, ["a"], {"bootstrap.servers": "b:1"}, valueDecoder=lambda data: data
).mapPartitions(groups).pprint()
"""
WINDOW = "lines.window(4).foreachRDD(lambda rdd: rdd.foreach(add))"
STATE = "words.updateStateByKey(groups).foreachRDD(lambda rdd: rdd.foreach(add))"
QUEUE = """
queue = (sc.parallelize([1]),)
ssc.queueStream(queue).foreachRDD(lambda rdd: rdd.foreach(add))
"""


def result(
    code: str,
    head: str = "",
    inner: str = "pass",
    interval: str = "2",
    spark: Version = NEWEST,
) -> Rewritten | Reason | None:
    text = JOB.format(head=head, inner=inner, interval=interval, code=code)
    return rewrite(text, unsafe="offsetRanges" in code, batch_code=True, spark=spark)


def builtins_of(text: str) -> set[str]:
    names = {each.id for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Name)}
    return {each for each in names if hasattr(builtins, each)}


def test_common_star_imports_hide_none_of_them() -> None:
    stars = "from pyspark.sql.functions import *\nfrom numpy import *"
    made = result(EVERY_HELPER, stars)
    begun = rewrite(RECOVERED.format(head=stars, inner="pass"), batch_code=True, carried=CARRIED)
    texts = []
    for each in (made, begun, result(RAW, stars, spark=(3, 5))):
        assert isinstance(each, Rewritten), each
        texts.append(each.text)
    text = "".join(texts)
    for helper in HELPERS:
        assert re.search(rf"^(?:def|class) {helper}\b|^{helper} = ", text, re.MULTILINE)
    used = set().union(*map(builtins_of, texts))
    assert "range" in used
    assert not used.intersection(functions.__all__)
    assert not used.intersection(numpy.__all__)


@pytest.mark.parametrize(
    ("head", "inner"),
    [
        ("max = 3", "pass"),
        ("", "range = 3"),
        ("from builtins import range", "pass"),
        ("from builtins import *", "pass"),
    ],
)
def test_other_names_of_a_job_do_not_matter(head: str, inner: str) -> None:
    assert isinstance(result(WINDOW, head, inner), Rewritten)


@pytest.mark.parametrize(
    ("head", "code", "name"),
    [
        ("range = 3", WINDOW, "range"),
        ("from numpy import arange as range", WINDOW, "range"),
        ("def next():\n    pass", STATE, "next"),
        ("list = add", QUEUE, "list"),
        ("from pprint import pprint as print", "lines.pprint()", "print"),
        ("import numpy as int", 'lines.saveAsTextFiles("out")', "int"),
        ("int = 3", "lines.window(length).pprint()", "int"),
    ],
)
def test_a_builtin_that_the_job_hides_keeps_it(head: str, code: str, name: str) -> None:
    reason = result(code, head)
    assert isinstance(reason, Reason), reason
    assert (reason.code, name in reason.text) == ("NAME", True)


def test_a_function_that_declares_it_global_hides_it() -> None:
    reason = result(WINDOW, inner="global range; range = 3")
    assert isinstance(reason, Reason)
    assert reason.code == "NAME"
