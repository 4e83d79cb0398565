"""What fleets are counted by, and the order of their projects."""

from __future__ import annotations

from migrator.model.fleet import Task
from migrator.report.fleet.summary import (
    Shared,
    Wave,
    by_kept_state,
    by_source,
    by_target,
    by_verification,
    in_order,
    reached_targets,
    reasons_without_form,
    shared_tasks,
    wave,
)
from tests.support.migrator.fleets import BROKERS, FLUME, job, project


def test_waves() -> None:
    assert wave(project("a", job())) is Wave.NOW
    assert wave(project("a")) is Wave.EMPTY
    assert wave(project("a", minutes=5)) is Wave.AFTER_WORK
    assert wave(project("a", job(), job(keeps=("windows",)))) is Wave.WITH_STATE
    assert wave(project("a", job(), minutes=5)) is Wave.AFTER_WORK
    assert wave(project("a", job(state="needs"), job(keeps=("windows",)))) is Wave.AFTER_WORK
    assert wave(project("a", job(state="needs"), job(state="cannot"))) is Wave.BLOCKED
    assert wave(project("a", error="no such folder")) is Wave.UNREAD


def test_order_is_by_wave_then_minutes_for_a_job() -> None:
    much = project("much", job(state="needs"), minutes=50)
    shared = project("shared", *[job(f"{n}.py", "needs") for n in range(10)], minutes=100)
    stuck = project("stuck", job(state="cannot"), minutes=1)
    large = project("large", job("1.py"), job("2.py"))
    small = project("small", job())
    broken = project("broken", error="why")

    found = in_order([broken, stuck, much, small, shared, large])

    assert [one.name for one in found] == ["large", "small", "shared", "much", "stuck", "broken"]


def test_tasks_count_jobs_and_projects() -> None:
    waiting = job("a.py", "needs", tasks=(BROKERS,))
    other = job("b.py", "needs", tasks=(BROKERS, FLUME))
    # a module of both jobs, so one finding for the project
    first = project("first", waiting, other, tasks=(BROKERS, FLUME))
    second = project("second", waiting, tasks=(BROKERS,))
    settings = project("settings", job(), tasks=(Task("D701", "drain the old job", 2, 30),))

    assert shared_tasks([first, second, settings]) == [
        Shared("D201", "name the Kafka brokers", 3, 2, 30),
        Shared("D203", "replace Flume", 1, 1, 120),
        Shared("D701", "drain the old job", 0, 1, 30),
    ]


def test_numbers_of_jobs() -> None:
    jobs = [
        job(sources=("Kafka", "files"), keeps=("windows",), verified="equal"),
        job(sources=("Kafka",), verified="differs"),
        job(verified="equal"),
    ]

    assert by_source(jobs) == [("Kafka", 2), ("files", 1), ("unknown", 1)]
    assert by_kept_state(jobs) == [("none", 2), ("windows", 1)]
    assert by_verification(jobs) == [("equal", 2), ("differs", 1)]
    several = job(no_form=("BROKERS", "USE")), job(no_form=("USE", "USE"))
    assert reasons_without_form([project("a", *several)]) == [("USE", 2), ("BROKERS", 1)]


def test_targets_say_which_spark_they_need() -> None:
    jobs = [
        job(unchanged=True, compat=True, structured="portable", spark="3.5"),
        job(unchanged=False, compat=True, structured="portable", spark="3.3"),
        job(unchanged=False, compat=False, structured="classic", spark="4.0"),
        job(unchanged=False, compat=False, structured="none"),
    ]

    assert list(by_target(jobs)) == [
        ("unchanged", 1, "from Spark 4.1"),
        ("compat", 2, "from Spark 4.1"),
        ("portable", 2, "from Spark 3.3: 1, 3.5: 1"),
        ("classic", 1, "from Spark 4.0"),
    ]
    assert [reached_targets(one) for one in jobs] == [
        ["unchanged", "compat", "portable"],
        ["compat", "portable"],
        ["classic"],
        [],
    ]


def test_targets_that_nobody_looked_at_are_left_out() -> None:
    assert list(by_target([job(compat=True)])) == [("compat", 1, "from Spark 4.1")]
    assert list(by_target([])) == []
