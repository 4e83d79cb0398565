"""explain(): each operator with its stage, the way that it takes, and why."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import DStream, StateSpec
from dstream_compat.settings import NATIVE, NEVER
from tests.support.streaming.contexts import MakeContext
from tests.support.streaming.settings import setting


def words(make: MakeContext) -> DStream:
    lines: DStream = make().socketTextStream("nowhere", 9)
    return lines.flatMap(lambda line: line.split(" "))


def said(stream: DStream, capsys: pytest.CaptureFixture[str]) -> str:
    stream.explain()
    return capsys.readouterr().out


def way(text: str, operator: str) -> list[str]:
    """Return what is said of an operator: before its shuffle, then behind it."""
    lines = [line.partition(": ") for line in text.splitlines()]
    return [said for name, _, said in lines if f") {operator} of " in name]


def test_a_word_count(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    counts = words(make).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b, 2)
    assert said(counts.map(lambda pair: pair[1]), capsys) == (
        "== Query 1, stage 1: reads the input ==\n"
        "(1) socketTextStream(nowhere:9): input\n"
        '(2) flatMap of (1): native: F.split(F.col("x"), " ") on blocks of texts\n'
        "(3) map of (2): does not call the function: it makes (record, 1)\n"
        "(4) reduceByKey of (3), before its shuffle: counts keys in C: each value is 1, and the "
        "function is a + b\n"
        "\n"
        "== Query 1, stage 2: behind a shuffle ==\n"
        "(4) reduceByKey of (3): merges what was combined of each key without calls: the function "
        "is a + b, in 2 partitions\n"
        "(5) map of (4): calls the function for each record\n"
        "\n"
        "== Tasks ==\n"
        "Query 1: one for all stages of a small micro-batch, else one for each partition of each\n"
        "\n"
        "== Late intervals ==\n"
        "Query 1: together, as functions in workers see no variables\n"
    )


@pytest.mark.slow
def test_functions_that_are_not_recognised(
    make: MakeContext, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = words(make).map(lambda word: (word, len(word)))
    text = said(pairs.reduceByKey(lambda a, b: a + b + 0), capsys)
    called = "calls the function for each record"
    assert way(text, "map") == [f"{called}; not native: it does not give texts"]
    assert way(text, "reduceByKey")[0] == f"{called}: it is none of those recognised"
    text = said(pairs.reduceByKey(operator.add), capsys)
    assert way(text, "reduceByKey")[0] == "does not call the function for each record: it is add"


@pytest.mark.slow
def test_pairs_that_several_operators_read(
    make: MakeContext, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = words(make).map(lambda word: (word, 1))
    pairs.pprint()
    assert "counts keys in C" in said(pairs.reduceByKey(operator.add), capsys)
    tuples = words(make).map(lambda word: (("all", 1), word))
    tuples.pprint()
    assert way(said(tuples.reduceByKey(max), capsys), "reduceByKey")[0] == (
        "does not call the function for each record: it is max"
    )


def test_each_side_of_a_union(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    stream = words(make)
    ones, sizes = stream.map(lambda w: (w, 1)), stream.map(lambda w: (w, len(w)))
    ways = way(said(ones.union(sizes).reduceByKey(operator.add), capsys), "reduceByKey")
    assert ways[:2] == [
        "counts keys in C: each value is 1, and the function is add",
        "does not call the function for each record: it is add",
    ]


def test_state(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = words(make).map(lambda word: (word, 1))
    counts = pairs.updateStateByKey(lambda new, old: sum(new), 1)
    text = said(counts.reduceByKeyAndWindow(operator.add, operator.sub, 10, 1), capsys)
    assert way(text, "updateStateByKey") == [
        "counts keys in C, then makes the lists: each value is 1",
        "keeps states in the state store and calls the function for every key in every batch, in "
        "one partition",
    ]
    assert "by the inverse function" in way(text, "reduceByKeyAndWindow")[1]
    assert [line for line in text.splitlines() if line.startswith("==")] == [
        "== Query 1, stage 1: reads the input ==",
        "== Query 1, stage 2: behind a shuffle ==",
        "== Query 1, stage 3: behind a shuffle ==",
        "== Tasks ==",
        "== Late intervals ==",
    ]
    assert (
        "Query 1: one for each partition of each stage, as state is kept by Spark's plan\n" in text
    )


def test_behind_an_rdd_function(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    sorted_words = words(make).transform(lambda rdd: rdd.sortBy(str))
    stated = sorted_words.map(lambda w: (w, 1)).reduceByKey(max).updateStateByKey(lambda n, o: n)
    text = said(stated, capsys)
    assert [line for line in text.splitlines() if line.startswith("==")] == [
        "== Query 1, stage 1: reads the input ==",
        "== Driver, on RDDs behind query 1 ==",
        "== Query 2, stage 1: reads the input ==",
        "== Query 2, stage 2: behind a shuffle ==",
        "== Tasks ==",
        "== Late intervals ==",
    ]
    assert [line.partition(",")[0] for line in text.splitlines() if "Query" in line[:5]] == [
        "Query 1: one for all stages of a small micro-batch",
        "Query 2: one for each partition of each stage",
        "Query 1: together",
        "Query 2: one by one",
    ]
    assert way(text, "transform") == ["calls the function once per batch, with its RDD"]
    assert way(text, "reduceByKey") == ["an operator of RDDs, as an RDD function comes before it"]
    assert way(text, "updateStateByKey")[0] == "appends to lists"


def test_only_what_the_stream_needs(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    stream = words(make)
    stream.count().pprint()
    text = said(stream.filter(bool), capsys)
    assert "count" not in text
    assert way(text, "filter") == ['native: F.col("x") != "" on blocks of texts']


@pytest.mark.slow
def test_functions_of_texts(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    stream = words(make).map(lambda word: word.strip()).filter(bool).map(str.upper)
    text = said(stream.map(lambda word: word.title()).map(len), capsys)
    assert way(text, "filter") == ['native: F.col("x") != "" on blocks of texts']
    assert [line.partition(":")[0] for line in way(text, "map")] == [
        "native",
        "native",
        "calls the function for each record; not native",
        "calls the function for each record",
    ]
    assert way(text, "map")[1].endswith("of ASCII; others are Python")
    assert "[UNKNOWN_FUNCTION]" in way(text, "map")[2]
    assert way(said(words(make).count(), capsys), "count")[0] == (
        "native: counts the texts of blocks"
    )


def test_texts_that_several_operators_read(
    make: MakeContext, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = make().socketTextStream("nowhere", 9)
    lines.count().pprint()
    text = said(lines.filter(bool), capsys)
    assert way(text, "filter") == ['native: F.col("x") != "" on blocks of texts']


def test_the_setting_for_texts(
    make: MakeContext, capsys: pytest.CaptureFixture[str], sc: SparkContext
) -> None:
    with setting(sc, NATIVE.name, NEVER):
        assert way(said(words(make), capsys), "flatMap") == ["calls the function for each record"]
    with (
        setting(sc, NATIVE.name, "sometimes"),
        pytest.raises(ValueError, match="is not one of auto, always, never"),
    ):
        words(make).explain()


@pytest.mark.slow
def test_what_holds_now(make: MakeContext, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    larger = eval("lambda a, b: max(a, b)", names)
    stream = words(make).map(lambda w: (w, len(w))).reduceByKey(larger)
    assert way(said(stream, capsys), "reduceByKey")[0].endswith("it is max(a, b)")
    names["max"] = min
    assert way(said(stream, capsys), "reduceByKey")[0].endswith("none of those recognised")


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["count", "countByValue", "glom", "groupByKey", "mapValues", "flatMapValues"]
)
def test_every_operator_can_be_explained(
    make: MakeContext, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    stream = words(make).map(lambda w: (w, 1))
    arguments = [str] if method in {"mapValues", "flatMapValues"} else []
    assert method in said(getattr(stream, method)(*arguments), capsys)


@pytest.mark.slow
def test_other_operators_can_be_explained(
    make: MakeContext, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = words(make).map(lambda w: (w, 1))
    mapped = pairs.mapWithState(StateSpec.function(lambda key, value, state: key))
    for stream, name in [
        (pairs.window(4, 2), "window"),
        (pairs.repartition(3), "repartition"),
        (pairs.partitionBy(3), "partitionBy"),
        (pairs.join(pairs), "join"),
        (pairs.reduceByKeyAndWindow(max, None, 4, 2), "reduceByKeyAndWindow"),
        (pairs.groupByKeyAndWindow(10, 1), "groupByKeyAndWindow"),
        (pairs.reduceByKey(max).union(pairs.reduceByKey(min)), "union"),
        (mapped, "mapWithState"),
        (mapped.stateSnapshots(), "stateSnapshots"),
    ]:
        assert f") {name} of (" in said(stream, capsys)


@pytest.mark.slow
def test_state_that_uses_some_of_the_cores(
    sc: SparkContext, make: MakeContext, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = words(make).map(lambda word: (word, 1))
    totals = counts.updateStateByKey(lambda new, old: sum(new) + (old or 0))
    assert "rescale" not in said(totals, capsys)
    with setting(sc, "spark.streaming.compat.partitions", "1"):
        assert (
            ". The state is in one partition, and executors are to have 2 cores: "
            "spark.streaming.compat.partitions=2 uses all in a new checkpoint folder, and in this "
            "one `python -m dstream_compat checkpoint rescale FOLDER --partitions 2`\n"
        ) in said(totals, capsys)
        assert "rescale" not in said(counts.reduceByKey(operator.add), capsys)
