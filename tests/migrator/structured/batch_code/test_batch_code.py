"""Code of batches stays RDD code: what each method becomes, and what keeps a job as it is."""

from __future__ import annotations

import textwrap

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
import json
from functools import partial
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from other import handle


def parse(line):
    return json.loads(line)


def show(time, rdd):
    print(time, rdd.count())


def save(rdd):
    rdd.foreachPartition(print)


def same(rdd):
    return rdd


def total(new, old):
    return sum(new) + (old or 0)


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, 2)
ssc.checkpoint("checkpoint")
number = 3
conf = {{'n': 2}}
lines = ssc.textFileStream("in")
{code}
ssc.start()
ssc.awaitTermination()
"""


def found_in(code: str, unsafe: bool = False) -> Rewritten | Reason | None:
    return rewrite(JOB.format(code=textwrap.dedent(code).strip()), unsafe, batch_code=True)


def batches_of(code: str, unsafe: bool = False) -> list[str]:
    """The statements of the function of the batches, after the records of the source."""
    made = found_in(code, unsafe)
    assert isinstance(made, Rewritten), made
    body = made.text.partition("def process_batch(batch, batch_id):\n")[2].partition("\n\n")[0]
    lines = textwrap.dedent(body).split("\n")
    first, *others = [each for each in lines if not each.startswith("batch_time = ")]
    rows = first.replace('batch.where("tick IS NULL")', "batch")
    assert rows.startswith("lines = batch.rdd.map(lambda row: row.value)")
    return others


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("lines.map(parse).foreachRDD(save)", ["save(lines.map(parse))"]),
        (
            "lines.glom().foreachRDD(lambda rdd: save(rdd))",
            ["records = lines.glom()", "save(records)"],
        ),
        ("lines.foreachRDD(lambda rdd: rdd.foreach(print))", ["lines.foreach(print)"]),
        (
            "lines.foreachRDD(lambda lines: lines.map(lambda rdd: rdd).foreach(print))",
            ["lines.map(lambda rdd: rdd).foreach(print)"],
        ),
        (
            "lines.foreachRDD(lambda rdd: rdd.map(lambda lines: lines).foreach(print))",
            ["(lambda rdd: rdd.map(lambda lines: lines).foreach(print))(lines)"],
        ),
        (
            "lines.transform(lambda time, rdd: rdd.zipWithIndex()).foreachRDD(save)",
            ["save(lines.zipWithIndex())"],
        ),
        ("lines.transform(same).foreachRDD(save)", ["save(same(lines))"]),
        (
            "pairs = lines.map(parse)\nlines.transformWith(lambda a, b: a.zip(b), pairs)"
            ".foreachRDD(save)",
            ["pairs = lines.map(parse)", "save(lines.zip(pairs))"],
        ),
        (
            "lines.countByValue().foreachRDD(save)",
            [
                "save(lines.map(lambda record: (record, 1)).reduceByKey(lambda left, right: left + "
                "right))"
            ],
        ),
        (
            "lines.count().foreachRDD(save)",
            [
                'has_input = not batch.where("tick IS NULL").isEmpty()',
                "save(spark.sparkContext.parallelize([lines.count()] if has_input else [], 1))",
            ],
        ),
        (
            "lines.reduce(add).foreachRDD(save)",
            ["save(lines.map(lambda record: (None, record)).reduceByKey(add, 1).values())"],
        ),
        ("lines.pprint()", ["for record in lines.take(11)[:10]:", "    print(record)"]),
        (
            "lines.pprint(number)",
            ["for record in lines.take(number + 1)[:number]:", "    print(record)"],
        ),
        (
            "lines.map(parse).cache().pprint(0)",
            [
                "records = lines.map(parse).cache()",
                "for record in records.take(1)[:0]:",
                "    print(record)",
            ],
        ),
        (
            "lines.map(partial(json.dumps, indent=1)).foreachRDD(save)",
            ["save(lines.map(partial(json.dumps, indent=1)))"],
        ),
        (
            "lines.map(lambda line: sc.version).foreachRDD(save)",
            ["save(lines.map(lambda line: spark.sparkContext.version))"],
        ),
        (
            "(lines\n .map(parse)  # what it is\n\n .filter(None)).foreachRDD(save)",
            ["# what it is", "save((lines", " .map(parse)", " .filter(None)))"],
        ),
        (
            "pairs = lines.union(lines)\npairs.foreachRDD(save)\npairs.map(str).pprint()",
            [
                "pairs = lines.union(lines).cache()",
                "save(pairs)",
                "records = pairs.map(str)",
                "for record in records.take(11)[:10]:",
                "    print(record)",
                "pairs.unpersist()",
            ],
        ),
    ],
)
def test_a_method_on_the_rdd_of_a_batch(code: str, expected: list[str]) -> None:
    assert batches_of(code) == expected


def test_sources_are_united_before_their_rows_are_records() -> None:
    code = "more = ssc.textFileStream('more')\nboth = ssc.union(lines, more)\nboth.foreachRDD(save)"
    made = found_in(code)
    assert isinstance(made, Rewritten)
    assert "both = lines.union(more)\n" in made.text
    rows = 'batch.where("tick IS NULL").rdd.map(lambda row: row.value)'
    assert f"    both = {rows}\n    save(both)\n" in made.text
    assert batches_of("ssc.union(lines.map(parse), lines).foreachRDD(save)") == [
        "save(spark.sparkContext.union([lines.map(parse), lines]))"
    ]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("lines.slice(1, 2).pprint()", "BATCH_CODE"),
        ("lines.foreachRDD(handle)", "NO_SOURCE"),
        ("lines.transform(handle).pprint()", "NO_SOURCE"),
        ("lines.foreachRDD(lambda rdd, more, most: None)", "PARAMETERS"),
        ("some = lines.repartition(number)\nnumber = 4\nsome.pprint()", "LATE"),
        ("if conf:\n    lines.map(make()).pprint()", "LATE"),
        ("lines.map(lambda line, p=make(): p).pprint()", "LATE"),
        ("lines.map(kept := parse).pprint()", "LATE"),
        ("lines.repartition(conf['n']).pprint()\nconf['n'] = 3", "LATE"),
        ("lines.map(lambda spark: (spark, sc.version)).pprint()", "NAME"),
        ("lines.foreachRDD(lambda rdd: rdd.checkpoint())", "CHECKPOINT"),
        ("words = lines.map(parse)\nwords.pprint()\ndel words", "USE"),
        ("lines.map(parse).pprint()\ndef parse(line):\n    return 1", "LATE"),
        ("lines.foreachRDD(save)\ndef other():\n    global save\n    save = 1", "LATE"),
        ("lines.foreachRDD(lambda rdd: save(rdd.offsetRanges()))", "OFFSET_RANGES"),
        ("lines.map(lambda x: lines).pprint()", "USE"),
        ('lines.map(lambda x: x + """\n""").pprint()', "LAYOUT"),
        (
            "lines.transformWith(lambda a, b: a.union(b), ssc.textFileStream('b')).pprint()",
            "TWO_SOURCES",
        ),
        ("lines.map(*[parse]).pprint()", "ARGUMENTS"),
        ("lines.foreachRDD(lambda time, rdd: save(time.hour))", "BATCH_TIME"),
        ("lines.foreachRDD(lambda rdd: save(rdd).toDF().createTempView('rows'))", "VIEWS"),
    ],
)
def test_what_keeps_a_job_as_it_is(code: str, reason: str) -> None:
    found = found_in(code)
    assert isinstance(found, Reason), found
    assert found.code == reason


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("lines.foreachRDD(lambda rdd, /: print(rdd.count()))", ["print(lines.count())"]),
        (
            "lines.foreachRDD(lambda rdd: (n := rdd.count()) and print(n))",
            ["(lambda rdd: (n := rdd.count()) and print(n))(lines)"],
        ),
        (
            "lines.foreachRDD(lambda rdd: print(f'{rdd.count()=}'))",
            ["(lambda rdd: print(f'{rdd.count()=}'))(lines)"],
        ),
        (
            "some = lines.map(parse)\nsome.pprint(1)\nsome.filter(None).pprint(1)",
            [
                "some = lines.map(parse)",
                "for record in some.take(2)[:1]:",
                "    print(record)",
                "records = some.filter(None)",
                "for record in records.take(2)[:1]:",
                "    print(record)",
            ],
        ),
        (
            "some = lines.transform(same)\nsome.foreachRDD(save)\nsome.count().foreachRDD(save)",
            [
                "some = same(lines)",
                "save(some)",
                'has_input = not batch.where("tick IS NULL").isEmpty()',
                "save(spark.sparkContext.parallelize([some.count()] if has_input else [], 1))",
            ],
        ),
    ],
)
def test_functions_and_levels_are_those_of_the_job(code: str, expected: list[str]) -> None:
    assert batches_of(code) == expected


def test_a_long_name_stays_on_its_line() -> None:
    name = "records_that_are_made_of_lines_of_the_folder_in_which_they_are_found"
    made = found_in(f"{name} = lines.map(parse)\n{name}.pprint({name[:30]})")
    assert isinstance(made, Rewritten)
    assert f"    for record in {name}.take({name[:30]} + 1)[:{name[:30]}]:\n" in made.text


@pytest.mark.parametrize(
    "code", ["lines.count().pprint()", "lines.foreachRDD(lambda r: r.take(n))"]
)
def test_a_function_that_needs_names_around_it_stays_there(code: str) -> None:
    inner = JOB.partition('sc = SparkContext(appName="job")\n')
    body = f"sc = SparkContext()\n{inner[2]}".format(code=f"n = number\n{code}")
    text = f"{inner[0]}\ndef main():\n{textwrap.indent(body, '    ')}\nmain()\n"
    made = rewrite(text, batch_code=True)
    assert isinstance(made, Rewritten)
    assert "    def process_batch(batch, batch_id):\n" in made.text


def test_what_shuffles_is_named() -> None:
    notes = [
        "as many partitions as the RDD" in " ".join(made.differences)
        for code in (
            "lines.map(parse).reduceByKey(add).pprint()",
            "lines.map(parse).reduceByKey(add, 2).pprint()",
        )
        if isinstance(made := found_in(code), Rewritten)
    ]
    assert notes == [True, False]


def test_a_time_that_counts_needs_consent() -> None:
    code = "lines.foreachRDD(lambda time, rdd: save(time.hour))"
    made = found_in(code, unsafe=True)
    assert isinstance(made, Rewritten)
    assert "\n    batch_time = datetime.now().replace(microsecond=0)\n" in made.text
    assert "save(batch_time.hour)\n" in made.text
    assert any("is the time of the batch" in each for each in made.differences)


def test_a_label_needs_none() -> None:
    assert batches_of("lines.foreachRDD(show)\nlines.foreachRDD(show)") == [
        "show(batch_time, lines)"
    ] * 2 + ["lines.unpersist()"]


def test_it_says_what_it_needs_and_what_an_error_does() -> None:
    made = found_in("lines.foreachRDD(save)")
    assert isinstance(made, Rewritten)
    assert not made.is_portable
    assert any("an error in a batch ends the query" in each for each in made.differences)
    assert any("Spark Connect has not" in each for each in made.differences)
    assert any("for `foreachRDD`: its RDDs have" in each for each in made.differences)
