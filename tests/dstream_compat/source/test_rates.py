"""How fast receivers may be: the limit under a clock of its own, the estimator against Spark's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pyspark import SparkConf, SparkContext

from dstream_compat.listeners.batches import Batch
from dstream_compat.listeners.rates import RateFeed
from dstream_compat.source.base import InputInfo
from dstream_compat.source.rates import (
    PIDRateEstimator,
    RateController,
    RateLimit,
    estimator_for,
    receiver_limit,
)
from dstream_compat.source.tables.table import TableInput
from tests.support.streaming.events import LineServer
from tests.support.streaming.inputs import opened
from tests.support.streaming.logged_sockets import socket_source
from tests.support.streaming.receiving import receiving
from tests.support.waiting import wait_for


class Clock:
    """Seconds that pass only while somebody waits; stands for a threading.Event, too."""

    def __init__(self) -> None:
        self.now = 100.0
        self.stopped = False

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return self.stopped

    def is_set(self) -> bool:
        return self.stopped


def taken(limit: RateLimit, clock: Any, count: int, at_once: int = 1) -> float:
    """Take records; returns the seconds that it took."""
    begun = clock.now
    for _ in range(count // at_once):
        assert limit.acquire(at_once, clock)
    return float(clock.now - begun)


@pytest.mark.parametrize("at_once", [1, 5, 50])
def test_limit(at_once: int) -> None:
    clock = Clock()
    limit = RateLimit(10.0, now=clock)
    # whoever takes many makes the next one wait, so the last ones are not waited for
    assert taken(limit, clock, 100, at_once) == pytest.approx(10 - at_once / 10)


def test_no_limit() -> None:
    clock = Clock()
    for limit in (RateLimit(now=clock), RateLimit(0, now=clock), RateLimit(-1.0, 0.0, clock)):
        assert limit.current() is None
        assert taken(limit, clock, 1000) == 0
        limit.update(10)
        assert limit.current() == 10
        assert taken(limit, clock, 11) == pytest.approx(1.0)


def test_what_is_not_used_is_saved_for_one_second() -> None:
    clock = Clock()
    limit = RateLimit(10.0, now=clock)
    clock.now += 0.5
    assert taken(limit, clock, 6) == 0
    clock.now += 100
    assert taken(limit, clock, 11) == 0
    assert limit.delay() == pytest.approx(0.1)


def test_rate_moves_within_the_maximum() -> None:
    clock = Clock()
    limit = RateLimit(100.0, 20.0, clock)
    assert limit.current() == 20
    limit.update(1000)
    assert limit.current() == 100
    limit.update(50)
    assert taken(limit, clock, 101) == pytest.approx(2.0)
    limit.update(0)
    limit.update(-5)
    assert limit.current() == 50, "as with DStreams, that has no effect"
    assert RateLimit(10.0, 20.0).current() == 10


def test_waiting_ends_with_the_receiver() -> None:
    clock: Any = Clock()
    limit = RateLimit(0.001, now=clock)
    assert limit.acquire(1, clock)
    clock.stopped = True
    assert not limit.acquire(1, clock)
    assert clock.now < 102, "nobody waits for a thousand seconds"


def settings(**values: str) -> SparkConf:
    conf = SparkConf(loadDefaults=False)
    for name, value in values.items():
        conf.set("spark.streaming." + name.replace("__", "."), value)
    return conf


def test_settings() -> None:
    assert estimator_for(settings(), 1000) is None
    assert estimator_for(settings(backpressure__enabled="true"), 500) == PIDRateEstimator(500)
    tuned = settings(
        backpressure__enabled="TRUE",
        backpressure__pid__proportional="2",
        backpressure__pid__integral="0",
        backpressure__pid__derived="0.5",
        backpressure__pid__minRate="7",
    )
    assert estimator_for(tuned, 1000) == PIDRateEstimator(1000, 2.0, 0.0, 0.5, 7.0)
    with pytest.raises(ValueError, match="Unknown rate estimator: x"):
        estimator_for(settings(backpressure__enabled="true", backpressure__rateEstimator="x"), 1)
    with pytest.raises(ValueError, match="integral"):
        PIDRateEstimator(1000, integral=-1)
    for values in ({"interval": 0}, {"interval": 1, "least": 0}):
        with pytest.raises(ValueError, match="above 0"):
            PIDRateEstimator(**values)
    assert receiver_limit(settings()).current() is None
    assert receiver_limit(settings(receiver__maxRate="10")).current() == 10
    assert receiver_limit(settings(backpressure__initialRate="7")).current() == 7
    with pytest.raises(ValueError, match=r"receiver\.maxRate=many is not a number"):
        receiver_limit(settings(receiver__maxRate="many"))


def test_controller_publishes_whole_numbers() -> None:
    limit = RateLimit(1000.0)
    controller = RateController(limit, PIDRateEstimator(1000, least=1.0))
    controller.note_completed(1000, 70, 900, 0)
    assert limit.current() == 1000, "the first batch is measured only"
    controller.note_completed(2000, 70, 900, 0)
    assert limit.current() == 77
    controller.note_completed(3000, 0, 900, 0)
    assert limit.current() == 77


class Asked(RateController):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, ...]] = []

    def note_completed(self, *batch: int) -> None:
        self.told.append(batch)


def test_late_intervals_of_a_micro_batch_are_one() -> None:
    asked, other = Asked(), opened(socket_source(9))
    feed = RateFeed({7: TableInput("limited", rate=asked), 8: other})
    assert feed.is_needed
    assert not RateFeed({8: other}).is_needed

    def batch(tick: int, submission: int, begin: int, end: int, records: int) -> Batch:
        return Batch(tick, [], submission, begin, end, {7: InputInfo(records), 8: InputInfo(1)})

    alone = batch(1000, 1000, 1003, 1500, 10)
    feed.note_plan([alone])
    feed.note_done(alone)
    assert asked.told == [(1500, 10, 497, 3)]
    # the first one has the work of all, and begins before the last one is due
    late = [batch(2000, 2000, 2900, 4000, 20), batch(3000, 3000, 4000, 4010, 30)]
    feed.note_plan(late)
    feed.note_done(late[0])
    assert len(asked.told) == 1
    feed.note_done(late[1])
    assert asked.told[1:] == [(4010, 50, 1110, 0)]
    # one of an earlier process that was run again, and one that was planned and never completed
    feed.note_done(batch(500, 0, 1, 2, 3))
    feed.note_plan([batch(5000, 5000, 5000, -1, 1)])
    last = batch(6000, 6000, 6500, 6600, 4)
    feed.note_plan([last])
    feed.note_done(last)
    assert asked.told[2:] == [(6600, 4, 100, 500)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_estimator_same_as_sparks(sc: SparkContext, seed: int) -> None:
    dice = random.Random(seed)
    jvm: Any = sc._jvm
    for _ in range(8):
        terms = dice.choice([1.0, 0.0, 3.3]), dice.choice([0.2, 0.0, 2.0])
        terms += dice.choice([0.0, 0.5]), dice.choice([100.0, 0.1, 5000.0])
        interval = dice.choice([1, 200, 1000, 60_000])
        real = jvm.org.apache.spark.streaming.scheduler.rate.PIDRateEstimator(interval, *terms)
        ours = PIDRateEstimator(interval, *terms)
        time = 0
        for _ in range(30):
            time += dice.choice([0, 1, interval, 5 * interval, -3])
            batch = (
                time,
                dice.choice([0, 1, 17, 100_000, 10**12]),
                dice.choice([0, 1, 250, interval, 10 * interval]),
                dice.choice([0, 0, 3, interval, 50 * interval]),
            )
            expected = real.compute(*batch)
            got = ours.compute(*batch)
            if expected.isEmpty():
                assert got is None, batch
            else:
                assert got == pytest.approx(expected.get(), rel=1e-12), batch


@pytest.mark.slow
def test_first_rate_same_as_sparks(sc: SparkContext) -> None:
    jvm: Any = sc._jvm
    receiver = jvm.org.apache.spark.streaming.receiver
    for values in ({}, {"receiver.maxRate": "9"}, {"backpressure.initialRate": "5"}):
        for more in ({}, {"receiver.maxRate": "4"}):
            conf, java = SparkConf(loadDefaults=False), jvm.org.apache.spark.SparkConf(False)
            for name, value in {**values, **more}.items():
                conf.set(f"spark.streaming.{name}", value)
                java.set(f"spark.streaming.{name}", value)
            clock = jvm.org.apache.spark.util.SystemClock()
            real = receiver.BlockGenerator(None, 0, java, clock).getCurrentLimit()
            ours = receiver_limit(conf).current()
            # Guava divides twice, so its rate can be a bit less than the whole number
            assert (None if real > 2**60 else real + 1) == pytest.approx(ours, abs=1.0)


def test_socket_is_read_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Any = Clock()
    server = LineServer()
    lines = [str(n) for n in range(1000)]
    with receiving(socket_source(server.port), {"receiver.maxRate": "100"}) as job:
        server.accept()
        # the receiver's seconds pass only while it waits
        clock.stopped = False
        job.receiver._limit._now = clock
        job.receiver._limit._free = clock.now
        monkeypatch.setattr(job.receiver, "_admit", lambda n: job.receiver._limit.acquire(n, clock))
        begun = clock.now
        server.send("\n".join(lines) + "\n")
        wait_for(lambda: job.receiver.count_received() == 1000, "all lines")
        assert clock.now - begun == pytest.approx(10, abs=0.2)
        assert [line for part in job.batch() for line in part] == lines
    server.close()
