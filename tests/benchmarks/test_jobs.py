"""What jobs measure, and what their inputs and functions are."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from benchmarks.harness.batches import BatchJob
from benchmarks.harness.figures import DSTREAMS, ENGINES, OURS, STRUCTURED, UNITS
from benchmarks.harness.job import ORDER, Scale, load, names
from benchmarks.jobs import advertising, sustained_interval, update_state, word_count_arbitrary

SCALES = [Scale(name) for name in ("quick", "default", "full")]
JOBS = [load(name) for name in names()]
BATCH_JOBS = [job for job in JOBS if isinstance(job, BatchJob)]


def test_every_job_has_its_place() -> None:
    assert names() == list(ORDER)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: str(job.name))
def test_measures(job: Any) -> None:
    assert job.name in names()
    assert OURS in job.engines
    assert set(job.engines) <= set(ENGINES)
    for scale in SCALES:
        measures = job.measures(scale)
        assert len({measure.name for measure in measures}) == len(measures)
        assert {measure.figure for measure in measures} <= set(UNITS)
        assert all(measure.rounds >= 1 for measure in measures)
        assert all(measure.rounds == 7 for measure in job.measures(Scale(scale.name, 7)))


@pytest.mark.parametrize("job", BATCH_JOBS, ids=lambda job: str(job.name))
def test_inputs_are_the_same_for_every_engine(job: BatchJob) -> None:
    assert (job.by_hand is not None) == (STRUCTURED in job.engines)
    for phase in job.phases(Scale("quick")):
        assert phase.batches >= 1
        assert phase.lines(1) == phase.lines(1)
        assert all("\n" not in line for line in phase.lines(1)[:100])


def test_ratios_with_a_target_have_three_rounds() -> None:
    wanted = {
        "small-stateless": "cycle",
        "small-stateful": "cycle",
        "word-count-arbitrary": "200000-lines",
        "word-count-simple": "cycle",
        "window": "cycle",
        "update-state": "100000-keys",
        "first-output": "first",
        "first-output-stateful": "first",
    }
    for name, measure in wanted.items():
        rounds = {one.name: one.rounds for one in load(name).measures(Scale())}
        assert rounds[measure] >= 3, name


def test_arbitrary_functions_count_words() -> None:
    lines = word_count_arbitrary.lines(20)(3)
    counts: Counter[str] = Counter()
    for line in lines:
        for word, one in map(word_count_arbitrary.pair, word_count_arbitrary.cut(line)):
            counts[word] = word_count_arbitrary.add(counts[word], one)

    assert counts == Counter(word for line in lines for word in line.split(" "))
    assert sum(counts.values()) == 20 * 11


def test_the_first_batch_has_all_keys() -> None:
    batch = update_state.keys(50_000)

    assert len(set(batch(0))) == 50_000
    assert len(batch(1)) == 10_000
    assert set(batch(1)) <= set(batch(0))
    assert batch(1) != batch(2)


def test_events_are_of_all_kinds() -> None:
    events = [json.loads(line) for line in advertising.events(5000)(2)]
    known = advertising.campaigns()

    assert {event["event_type"] for event in events} == set(advertising.TYPES)
    assert any(event["ad_id"] not in known for event in events)
    assert len(set(known.values())) == advertising.CAMPAIGNS
    seconds = {event["event_time"] // 1000 for event in events}
    assert seconds == {advertising.START // 1000 + 2}


@pytest.mark.parametrize("limit", [0.1, 0.2, 0.4, 0.8])
def test_the_smallest_interval_is_found(limit: float) -> None:
    intervals = (0.1, 0.2, 0.4, 0.8)

    assert sustained_interval.smallest(intervals, lambda one: one >= limit) == limit
    with pytest.raises(ValueError, match=r"up to 0\.8 s"):
        sustained_interval.smallest(intervals, lambda one: False)


def test_a_delay_that_grows_is_noticed() -> None:
    steady = [0.3, 0.25, 0.35] * 5

    assert not sustained_interval.grows(steady, 0.2)
    assert not sustained_interval.grows([2.0, 1.0, *steady], 0.2)
    assert sustained_interval.grows([0.3 + 0.05 * number for number in range(15)], 0.2)


def test_dstreams_run_what_they_can() -> None:
    without = {job.name for job in JOBS if DSTREAMS not in job.engines}

    assert without == {"map-with-state", "kafka-alert"}
