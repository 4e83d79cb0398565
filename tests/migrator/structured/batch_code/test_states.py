"""Streams with states and windows as RDDs that are saved: where, when, and what keeps a job."""

from __future__ import annotations

import textwrap

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
import sys
from operator import add, sub

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def total(new, old):
    return sum(new) + (old or 0)


def known(key, value, state):
    return key


def named(at, key, value, state):
    return key


def timed(at, key, value, state):
    return at.hour


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, {interval})
{folder}
length = int(sys.argv[1])
before = sc.parallelize([("a", 1)])
pairs = [("a", 1)]
lines = ssc.textFileStream("in")
words = lines.map(lambda line: (line, 1))
{code}
ssc.start()
ssc.awaitTermination()
"""
HEAD = ["lines = batch.rdd.map(lambda row: row.value)", "words = lines.map(lambda line: (line, 1))"]
FOLDER = 'ssc.checkpoint("there/")'


def found_in(
    code: str, unsafe: bool = False, interval: str = "2", folder: str = FOLDER
) -> Rewritten | Reason | None:
    filled = JOB.format(code=textwrap.dedent(code).strip(), interval=interval, folder=folder)
    return rewrite(filled, unsafe, name="name", batch_code=True)


def rewritten(code: str, **options: str) -> Rewritten:
    made = found_in(code, False, **options)
    assert isinstance(made, Rewritten), made
    return made


def batches_of(code: str, **options: str) -> list[str]:
    """The statements of the function of the batches, after those of all tests; without caches."""
    text = rewritten(code, **options).text
    body = text.partition("def process_batch(batch, batch_id):\n")[2].partition("\n\n")[0]
    body = textwrap.dedent(body).replace('.where("tick IS NULL")', "").replace(".cache()", "")
    lines = [line for line in body.split("\n") if not line.endswith(".unpersist()")]
    return [line for line in lines if line not in HEAD]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "counts = words.updateStateByKey(total, initialRDD=before)\ncounts.pprint(0)",
            [
                'counts = update_state(words, total, f"{states}/counts", batch_id, initial=before)',
                "for record in counts.take(1)[:0]:",
                "    print(record)",
            ],
        ),
        (
            "counts = words.updateStateByKey(total, 3, pairs).checkpoint(10)\ncounts.pprint(0)",
            [
                "updated = update_state(",
                "    words,",
                "    total,",
                '    f"{states}/updateStateByKey",',
                "    batch_id,",
                "    partitions=3,",
                "    initial=spark.sparkContext.parallelize(pairs),",
                ")",
                "counts = updated",
                "for record in counts.take(1)[:0]:",
                "    print(record)",
            ],
        ),
        (
            "lines.window(8, 4).glom().foreachRDD(lambda rdd: rdd.foreach(print))",
            [
                'save_batch(lines, f"{states}/window", batch_id, 4)',
                "if batch_id % 2 == 0:",
                "    windowed = saved_batches(spark.sparkContext, "
                'f"{states}/window", batch_id - 3, batch_id)',
                "    records = windowed.glom()",
                "    records.foreach(print)",
            ],
        ),
        (
            "some = lines.window(2)\nsome.foreachRDD(lambda rdd: rdd.foreach(print))",
            [
                'save_batch(lines, f"{states}/some", batch_id, 1)',
                'some = saved_batches(spark.sparkContext, f"{states}/some", batch_id, batch_id)',
                "some.foreach(print)",
            ],
        ),
        (
            "some = lines.window(length)\nsome.foreachRDD(lambda rdd: rdd.foreach(print))",
            [
                'save_batch(lines, f"{states}/some", batch_id, length // 2)',
                "some = saved_batches(",
                "    spark.sparkContext,",
                '    f"{states}/some",',
                "    batch_id - (length // 2) + 1,",
                "    batch_id,",
                ")",
                "some.foreach(print)",
            ],
        ),
        (
            "some = words.reduceByKeyAndWindow(add, sub, 8, 4, 5, None)\n"
            "some.foreachRDD(lambda rdd: rdd.foreach(print))",
            [
                'save_batch(words.reduceByKey(add, 5), f"{states}/some", batch_id, 4)',
                "if batch_id % 2 == 0:",
                "    some = (",
                '        saved_batches(spark.sparkContext, f"{states}/some", '
                "batch_id - 3, batch_id)",
                "        .reduceByKey(add, 5)",
                "    )",
                "    some.foreach(print)",
            ],
        ),
        (
            "some = words.reduceByKeyAndWindow(add, sub, 20, filterFunc=lambda pair: pair[1])\n"
            "some.foreachRDD(lambda rdd: rdd.foreach(print))",
            [
                'save_batch(words.reduceByKey(add), f"{states}/some/batches", batch_id, 11)',
                "some = reduce_window(",
                "    spark.sparkContext,",
                "    add,",
                "    sub,",
                '    f"{states}/some",',
                "    batch_id,",
                "    length=10,",
                "    slide=1,",
                "    kept=lambda pair: pair[1],",
                ")",
                "some.foreach(print)",
            ],
        ),
        (
            "some = words.mapWithState(StateSpec.function(named).numPartitions(2))\n"
            "some.foreachRDD(lambda rdd: rdd.foreach(print))",
            [
                "batch_time = datetime.now().replace(microsecond=0)",
                "some = (",
                "    map_with_state(",
                "        words,",
                "        lambda *given, at=batch_time: named(at, *given),",
                '        f"{states}/some",',
                "        batch_id,",
                "        partitions=2,",
                "    )",
                "    .filter(lambda record: record is not None)",
                ")",
                "some.foreach(print)",
            ],
        ),
    ],
)
def test_a_method_that_leaves_something_to_later_batches(code: str, expected: list[str]) -> None:
    assert batches_of(code) == expected


def test_a_state_behind_a_window_counts_slides() -> None:
    code = "some = words.window(length, length).updateStateByKey(total)\nsome.pprint(0)"
    assert "if batch_id % (length // 2) == 0:" in batches_of(code)
    assert batches_of(code)[-3:] == [
        '    some = update_state(windowed, total, f"{states}/some", batch_id // (length // 2))',
        "    for record in some.take(1)[:0]:",
        "        print(record)",
    ]


def test_batches_of_one_slide_share_a_test() -> None:
    code = "some = lines.window(4, 4)\n# which\nsome.pprint(0)\n# why\nlines.pprint(0)"
    assert batches_of(code) == [
        'save_batch(lines, f"{states}/some", batch_id, 2)',
        "if batch_id % 2 == 0:",
        '    some = saved_batches(spark.sparkContext, f"{states}/some", batch_id - 1, batch_id)',
        "    # which",
        "    for record in some.take(1)[:0]:",
        "        print(record)",
        "# why",
        "for record in lines.take(1)[:0]:",
        "    print(record)",
    ]


STATE = "words.updateStateByKey(total).pprint()"


@pytest.mark.parametrize(
    ("folder", "place", "module"),
    [
        ('ssc.checkpoint("there/")', 'f"there/states-{uuid.uuid4()}"', "uuid"),
        ('ssc.checkpoint("{x}")', '"{x}" + f"/states-{uuid.uuid4()}"', "uuid"),
        ("ssc.checkpoint(sys.argv[2])", 'sys.argv[2] + f"/states-{uuid.uuid4()}"', "uuid"),
        ("ssc.checkpoint('a' + 'b')", "('a' + 'b') + f\"/states-{uuid.uuid4()}\"", "uuid"),
        ("", "tempfile.mkdtemp()", "tempfile"),
    ],
)
def test_a_start_that_begins_anew_has_a_folder_of_its_own(
    folder: str, place: str, module: str
) -> None:
    made = rewritten(STATE, folder=folder)
    assert f"\nstates = {place}\n" in made.text
    assert f"\nimport {module}\n" in made.text
    notes = [each for each in made.differences if "in a temporary one" in each]
    assert len(notes) == (module == "tempfile")


@pytest.mark.parametrize(
    ("folder", "place"),
    [("'there/'", '"there/name/states"'), ("there", 'there + "/name/states"')],
)
def test_a_job_that_goes_on_has_the_folder_of_its_query(folder: str, place: str) -> None:
    head, _, body = JOB.partition('sc = SparkContext(appName="job")\n')
    body = body.partition("ssc.start()")[0]
    filled = body.format(interval=2, folder=f"ssc.checkpoint({folder})", code=STATE)
    inner = textwrap.indent(f"sc = SparkContext()\n{filled}return ssc\n", "    ")
    text = (
        f"{head}\ndef create(there):\n{inner}\n"
        "ssc = StreamingContext.getOrCreate('there/', lambda: create('there/'))\n"
        "ssc.start()\nssc.awaitTermination()\n"
    )
    made = rewrite(text, name="name", batch_code=True)
    assert isinstance(made, Rewritten), made
    assert f"    states = {place}\n" in made.text


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("words.updateStateByKey(total).pprint()", ["update_state"]),
        ("lines.window(4).pprint()", []),
        ("words.reduceByKeyAndWindow(add, sub, 20, 2).pprint()", ["reduce_window"]),
        ("words.mapWithState(StateSpec.function(known)).pprint()", ["State", "map_with_state"]),
        ("lines.count().pprint()", None),
    ],
)
def test_a_result_has_the_helpers_that_it_needs(code: str, named: list[str] | None) -> None:
    text = rewritten(code).text
    every = ("update_state", "reduce_window", "map_with_state", "hadoop_path", "State")
    helpers = ["hadoop_path", "save_batch", "saved_batches", *named] if named is not None else []
    for name in (*every, "save_batch", "saved_batches"):
        made = text.count(f"def {name}(") + text.count(f"class {name}:")
        assert made == (name in helpers), name


def test_helpers_have_names_that_the_job_does_not_have() -> None:
    code = f"save_batch = states = State = 1\n{STATE}"
    made = rewritten(code)
    assert "\ndef save_batch2(rdd, folder, number, kept):\n" in made.text
    assert "    save_batch2(states.filter(" in made.text
    assert 'update_state(words, total, f"{states_folder}/updateStateByKey", batch_id)' in made.text


def test_slides_and_checks_of_input_end_with_the_tests_of_an_output() -> None:
    code = """
        some = lines.window(8, 4)
        some.pprint(0)
        if length:
            some.pprint(0)
            lines.count().foreachRDD(lambda rdd: rdd.foreach(print))
        some.pprint(0)
        lines.count().foreachRDD(lambda rdd: rdd.foreach(print))
    """
    shown = ["for record in some.take(1)[:0]:", "    print(record)"]

    def indented(*lines: str) -> list[str]:
        return [f"    {line}" for line in lines]

    def counted(has_input: str, records: str) -> list[str]:
        count = f"[lines.count()] if {has_input} else []"
        rdd = f"{records} = spark.sparkContext.parallelize({count}, 1)"
        return [f"{has_input} = not batch.isEmpty()", rdd, f"{records}.foreach(print)"]

    saved = 'saved_batches(spark.sparkContext, f"{states}/some", batch_id - 3, batch_id)'
    slide = "if batch_id % 2 == 0:"
    assert batches_of(code) == [
        'save_batch(lines, f"{states}/some", batch_id, 4)',
        slide,
        *indented(f"some = {saved}", *shown),
        "if length:",
        *indented(slide, *indented(*shown)),
        *indented(*counted("has_input", "records")),
        slide,
        *indented(*shown),
        *counted("has_input2", "records2"),
    ]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("lines.window(3).pprint()", "DURATION"),
        ("lines.window(4, 4).window(6).pprint()", "DURATION"),
        ("lines.window(4, 4).window(length).pprint()", "DURATION"),
        ("lines.window(4, 4).union(lines).pprint()", "DURATION"),
        ("lines.window(4, 4).window(2).pprint()", "DURATION"),
        ("lines.window(2 * len('a')).pprint()", "LATE"),
        ("words.reduceByKeyAndWindow(add, 30, 10).pprint()", "WINDOW_INVERSE"),
        ("words.updateStateByKey(total, initialRDD=sys.argv).pprint()", "INITIAL_STATE"),
        ("words.updateStateByKey().pprint()", "ARGUMENTS"),
        ("spec = StateSpec.function(known)\nwords.mapWithState(spec).pprint()", "STATE_SPEC"),
        ("words.mapWithState(StateSpec.function(total)).pprint()", "STATE_FUNCTION"),
        ("words.mapWithState(StateSpec.function(timed)).pprint()", "BATCH_TIME"),
        ("words.mapWithState(StateSpec.function(print)).pprint()", "NO_SOURCE"),
        ("n = 1\nwords.updateStateByKey(total, n).pprint()\nn = 2", "LATE"),
    ],
)
def test_what_keeps_a_job_as_it_is(code: str, reason: str) -> None:
    found = found_in(code)
    assert isinstance(found, Reason), found
    assert found.code == reason, found
