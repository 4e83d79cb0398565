"""The user's SQL session is the same inside functions and listeners as outside."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import RDD, SparkContext
from pyspark.sql import SparkSession

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.contexts import MakeContext, advance
from tests.support.streaming.differential import DEADLINE, Recorder

pytestmark = pytest.mark.slow

CONCURRENT = "spark.streaming.concurrentJobs"
PARTITIONS = "spark.sql.shuffle.partitions"


@pytest.fixture
def spark(sc: SparkContext) -> SparkSession:
    """The user's session; what tests before have left active, PySpark would give to `toDF`."""
    session = SparkSession.builder.getOrCreate()
    own = SparkSession(sc, session._jsparkSession)  # `toDF` is of the latest one
    SparkSession._instantiatedSession = SparkSession._activeSession = own
    # Threads of DStreams inherit this from the one that starts it.
    own._jvm.SparkSession.setActiveSession(own._jsparkSession)  # type: ignore[union-attr]
    return own


def test_sessions_are_the_users(sc: SparkContext, spark: SparkSession, make: MakeContext) -> None:
    spark.conf.set("spark.sql.shuffle.partitions", "7")
    before = settings_of(spark)
    assert before["spark.sql.shuffle.partitions"] == "7" and len(before) > 20
    ssc, recorder = make(), Recorder()
    seen: dict[str, Any] = {}

    def use_sql(rdd: Any) -> None:
        try:
            look(rdd)
        except Exception as error:
            seen["error"] = repr(error)  # or it would be in the job's log only

    def look(rdd: Any) -> None:
        session = SparkSession.builder.getOrCreate()
        seen["same"] = session._jsparkSession.equals(spark._jsparkSession)
        seen["active"] = SparkSession.getActiveSession()._jsparkSession.equals(spark._jsparkSession)
        rdd.map(lambda word: (word,)).toDF(["word"]).createOrReplaceTempView("words_seen")
        rows = session.sql("select word, count(*) n from words_seen group by word").collect()
        seen["rows"] = sorted((row.word, row.n) for row in rows)
        seen["inside"] = settings_of(session)

    def see_settings(rdd: Any) -> Any:
        seen["transform"] = settings_of(SparkSession.builder.getOrCreate())
        return rdd

    stream = ssc.queueStream([["a", "b", "a"]])
    stream.transform(see_settings).foreachRDD(use_sql)
    stream.foreachRDD(lambda rdd: 1 // 0)
    stream.foreachRDD(recorder.last())
    ssc.start()
    assert settings_of(spark) == before
    advance(ssc)
    recorder.wait(1)
    assert settings_of(spark) == before
    ssc.stop(stopSparkContext=False)
    assert seen.pop("inside", seen) == seen.pop("transform") == before
    assert seen == {"same": True, "active": True, "rows": [("a", 2), ("b", 1)]}
    assert spark.sql("select * from words_seen").count() == 3
    assert settings_of(spark) == before
    spark.conf.unset("spark.sql.shuffle.partitions")


@pytest.fixture
def two_at_once(sc: SparkContext) -> Iterator[None]:
    conf: Any = sc._jsc.sc().conf()
    conf.set(CONCURRENT, "2")
    yield
    conf.remove(CONCURRENT)


class Listener(real.StreamingListener):  # type: ignore[misc]
    """Notes what session there is when a batch has ended."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view

    def onBatchCompleted(self, batchCompleted: Any) -> None:
        time = batchCompleted.batchInfo().batchTime().milliseconds() // 1000
        self._view.note("listener", time)


class View:
    """What functions and listeners see of the session, by batch.

    Parameters
    ----------
    spark : SparkSession
        the user's
    """

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._changed = threading.Condition()
        self.seen: dict[tuple[str, int], Any] = {}

    def note(self, name: str, time: int, action: Callable[[], object] = lambda: None) -> None:
        try:
            action()
            found: Any = self._look()
        except Exception as error:
            found = error
        with self._changed:
            self.seen[name, time] = found
            self._changed.notify_all()

    def _look(self) -> Any:
        session, active = SparkSession.builder.getOrCreate(), SparkSession.getActiveSession()
        mine = self._spark._jsparkSession
        return (
            session._jsparkSession.equals(mine),
            active is not None and active._jsparkSession.equals(mine),
            settings_of(session),
            session.sql("select count(*) from my_view").first()[0],
        )

    def wait(self, *names: tuple[str, int]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: set(names) <= set(self.seen), DEADLINE), names


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def scene(ssc: Any, view: View) -> None:
    """Define two outputs of a state behind a function of the driver, and add a listener."""

    def see(name: str, time: datetime, rdd: Any) -> Any:
        view.note(name, round(time.timestamp()), rdd.count)
        return rdd

    ssc.addStreamingListener(Listener(view))
    source = ssc.queueStream([[("a", 1)], [("a", 2)]])
    state = source.transform(lambda time, rdd: see("transform", time, rdd)).updateStateByKey(total)
    state.foreachRDD(lambda time, rdd: see("one output", time, rdd) and None)
    state.foreachRDD(lambda time, rdd: see("another", time, rdd) and None)


NAMES = ("transform", "one output", "another", "listener")


def test_sessions_of_all_threads(sc: SparkContext, spark: SparkSession, two_at_once: None) -> None:
    """Two outputs at once, state behind a function of the driver, and a listener."""
    spark.range(3).createOrReplaceTempView("my_view")
    for make in (real.StreamingContext, ours.StreamingContext):
        ssc, view = make(sc, 1), View(spark)
        scene(ssc, view)
        ssc.start()
        try:
            clock = ManualClock(ssc)
            for time in (1, 2):
                spark.conf.set(PARTITIONS, str(6 + time))
                before = settings_of(spark)
                clock.advance(1)
                view.wait(*((name, time) for name in NAMES))
                assert settings_of(spark) == before
                for name in NAMES:
                    active = name != "listener"  # a thread of its own, which nobody gave one
                    assert view.seen[name, time] == (True, active, before, 3), (make, name)
        finally:
            ssc.stop(stopSparkContext=False)
        assert settings_of(spark) == before
    spark.conf.unset(PARTITIONS)
    spark.catalog.dropTempView("my_view")


def settings_of(spark: SparkSession) -> dict[str, str]:
    """Return all SQL settings with their values, those that nobody has set too."""
    return {row.key: row.value for row in spark.sql("SET -v").collect()}


def test_sessions_of_our_own_are_made_one_at_a_time(sc: SparkContext, spark: SparkSession) -> None:
    """Else the second block would keep the first one's session for the user's."""
    from dstream_compat.spark.sessions import _keeping_sessions, query_session

    entered: list[bool] = []

    def try_to_enter() -> None:
        entered.append(_keeping_sessions.acquire(blocking=False))

    to_df = RDD.toDF
    with query_session(sc, {}) as own:
        assert own is not spark
        thread = threading.Thread(target=try_to_enter)
        thread.start()
        thread.join(DEADLINE)
    assert entered == [False]
    assert (SparkSession._instantiatedSession, SparkSession._activeSession) == (spark, spark)
    assert RDD.toDF is to_df


def test_sessions_of_users_load_what_they_always_load(sc: SparkContext) -> None:
    """Ours leaves out what MLlib adds to sessions, and tells Spark so only while it is made."""
    from dstream_compat.spark.sessions import _EXTENSIONS, _fresh

    context: Any = sc._jsc.sc()
    for given in (None, "true"):
        if given is not None:
            context.conf().set(_EXTENSIONS, given)
        _fresh(sc)
        found = context.conf().getOption(_EXTENSIONS)
        assert (found.get() if found.isDefined() else None) == given
    context.conf().remove(_EXTENSIONS)
