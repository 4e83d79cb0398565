"""Where a job may be stopped before it has started, what it has started is stopped."""

from __future__ import annotations

import pytest

from migrator.spark.since import NEWEST, OLDEST
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import signal
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Stops")
ssc = StreamingContext(sc, 1)
{before}
lines = ssc.socketTextStream("h", 1)
lines.pprint()
{body}"""
END = """def end(number, frame):
    ssc.stop()


"""
STARTED = "for started in spark.streams.active:\n    {pad}started.stop()\n"


def result(body: str, before: str = "") -> str:
    found = rewrite(JOB.format(before=before, body=body))
    assert isinstance(found, Rewritten), found
    return found.text


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "try:\n    ssc.start()\n    ssc.awaitTermination()\nfinally:\n    ssc.stop()\n"),
        ("", "try:\n    ssc.start()\nexcept KeyboardInterrupt:\n    ssc.stop()\n"),
        ("", "try:\n    ssc.start()\nexcept OSError:\n    pass\nssc.stop()\n"),
        (f"{END}signal.signal(signal.SIGTERM, end)", "ssc.start()\nssc.awaitTermination()\n"),
        ("", "if __name__ == '__main__':\n    ssc.start()\nssc.stop()\n"),
        ("", "try:\n    ssc.start()\nfinally:\n    if sc:\n        ssc.stop(False)\n"),
    ],
)
def test_a_stop_that_may_come_before_the_start(before: str, body: str) -> None:
    text = result(body, before)
    assert "query.stop()" not in text
    pad = " " * (len(text.partition("for started")[0].rpartition("\n")[2]))
    assert STARTED.format(pad=pad) in text


@pytest.mark.parametrize(
    "body",
    [
        "ssc.start()\nssc.stop()\n",
        "ssc.start()\ntry:\n    ssc.awaitTermination()\nfinally:\n    ssc.stop()\n",
        "try:\n    ssc.start()\n    ssc.stop()\nfinally:\n    print('end')\n",
        "try:\n    ssc.start()\nfinally:\n    print('end')\nssc.stop()\n",
        f"ssc.start()\n{END}signal.signal(signal.SIGTERM, end)\n",
    ],
)
def test_a_stop_behind_the_start(body: str) -> None:
    text = result(body)
    assert "query.stop()" in text and "streams.active" not in text


def test_queries_of_other_code_go_on() -> None:
    before = "other = sc.appName.writeStream"
    found = rewrite(
        JOB.format(before=before, body="try:\n    ssc.start()\nfinally:\n    ssc.stop()")
    )
    assert isinstance(found, Reason) and found.code == "CONTROL"


@pytest.mark.parametrize("several", [False, True])
def test_a_job_that_a_function_builds(several: bool) -> None:
    more = '    ssc.socketTextStream("h", 1).countByWindow(4, 2).pprint()\n' if several else ""
    text = f"""from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def build():
    ssc = StreamingContext(SparkContext(appName="Stops"), 1)
    ssc.checkpoint("cp")
    ssc.socketTextStream("h", 1).pprint()
{more}    return ssc


ssc = StreamingContext.getOrCreate("cp", build)
try:
    ssc.start()
finally:
    ssc.stop()
"""
    methods = {NEWEST: "active"} if several else {NEWEST: "active", (3, 4): "getActiveSession"}
    for spark, method in methods.items():
        found = rewrite(text, spark=spark)
        assert isinstance(found, Rewritten), found
        session = f"SparkSession.{method}()"
        stops = f"for started in {session}.streams.active:\n        started.stop()\n"
        assert f"finally:\n    {stops}    {session}.stop()\n" in found.text
        assert several or found.spark == ((3, 5) if method == "active" else OLDEST)


@pytest.mark.parametrize(
    ("waits", "is_said"),
    [
        ("ssc.awaitTermination()", False),
        ("ssc.awaitTerminationOrTimeout(60)\nssc.stop()", False),
        ("import time\ntime.sleep(60)\nssc.stop()", True),
        ("import time\nwhile True:\n    time.sleep(60)", True),
    ],
)
def test_jobs_that_nothing_waits_for_end_with_an_error(waits: str, is_said: bool) -> None:
    text = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
        'sc = SparkContext(appName="J")\nssc = StreamingContext(sc, 1)\n'
        f'ssc.socketTextStream("h", 1).pprint()\nssc.start()\n{waits}\n'
    )
    result = rewrite(text)
    assert isinstance(result, Rewritten)
    assert any("an error in a batch" in note for note in result.differences) == is_said


@pytest.mark.parametrize(
    ("after", "is_refused"),
    [
        ("lines.count().pprint()", True),
        ("words = lines.flatMap(lambda line: line.split())", True),
        ("lines.map(len)", True),
        ("known = sc.textFile('known')", False),
        ("print('started')", False),
    ],
)
def test_streams_behind_the_start(after: str, is_refused: bool) -> None:
    called = "def go():\n    ssc.start()\n    ssc.awaitTermination()\n\n\n"
    for before, body in [("", "ssc.start()\n{}\nssc.awaitTermination()"), (called, "go()\n{}")]:
        outcome = rewrite(JOB.format(before=before, body=body.format(after)))
        code = outcome.code if isinstance(outcome, Reason) else ""
        assert code == ("START" if is_refused else "")


@pytest.mark.parametrize("end", ["ssc.stop()", "ssc.stop(True, True)", "end()"])
def test_a_stop_in_a_batch(end: str) -> None:
    before = (
        f"def end():\n    ssc.stop()\n\n\ndef show(rdd):\n    print(rdd.count())\n    {end}\n\n\n"
    )
    body = "lines.foreachRDD(show)\nssc.start()\nssc.awaitTermination()\n"
    for consent in (False, True):
        outcome = rewrite(JOB.format(before=before, body=body), unsafe=consent, batch_code=True)
        assert isinstance(outcome, Reason)
        assert outcome.code == "CONTROL"
