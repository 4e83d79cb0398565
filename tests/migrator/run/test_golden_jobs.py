"""The jobs of the golden projects, migrated with one command, give the outputs of the originals.

Originals run on Spark's own DStreams, migrated jobs import this package; both under a manual clock,
so every batch is compared. Where the DStreams of Spark 4 have no such source, what the job has to
print of each batch is computed without Spark; of Python 2, it is what Python 2.7 has printed.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from migrator.run.scan import scan
from tests.support.components.kafka import Broker
from tests.support.legacy.driven import comparable
from tests.support.migrator import python2_jobs
from tests.support.migrator.golden_jobs import TESTS, Outcome, run_all
from tests.support.migrator.goldens import GOLDEN
from tests.support.migrator.plans import JOBS
from tests.support.migrator.plans.golden import Golden
from tests.support.migrator.plans.servers import sums
from tests.support.old_python import python2
from tests.support.streaming.broker import Broker as MQTTBroker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.kinesis_server import KEYS, REGION, kinesis_server

pytestmark = pytest.mark.slow

Results = dict[str, dict[int, Outcome | None]]
PROJECTS = list(dict.fromkeys(job.project for job in JOBS))
LONG_RUN = frozenset(
    job.project for job in JOBS if job.server or job.kafka or PROJECTS.index(job.project) % 6
)
"""Only `make test-full` runs these jobs: each takes seconds, and a server takes some more."""
NOT_HERE = {
    "golden": "single files, which have after.py to be compared with, and nothing to read",
    "legacy_examples": "tests/legacy_examples runs them",
    "input_projects/scala_sbt": "in Scala, which migrate reports and does not rewrite",
}
"""Why nothing of a golden project runs here."""
NO_JOBS = {
    "input_projects/java_and_python/src/Views.java": "in Java, which migrate reports only",
}
"""Programs that migrate takes for jobs, and why they do not run here."""


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Results:
    """What the jobs of the selected tests did, by engine and number."""
    tests = [item for item in request.session.items if item.path == request.path]
    params = [item.callspec.params for item in tests if hasattr(item, "callspec")]
    numbers = sorted({one["number"] for one in params if "number" in one})
    broker = broker_of(request) if any(JOBS[number].kafka for number in numbers) else None
    numbers = [number for number in numbers if broker or not JOBS[number].kafka]
    chosen = [JOBS[number] for number in numbers]
    for topic, partitions in {name: n for job in chosen for name, n in job.kafka.items()}.items():
        assert broker is not None
        broker.create(topic, partitions)
    folder = tmp_path_factory.mktemp("golden")
    needed = {job.server for job in chosen}
    with ExitStack() as servers:
        known = {
            "TEST_KAFKA": broker.address if broker else "127.0.0.1:9092",
            "TEST_MQTT": "",
            "TEST_KINESIS": "",
        }
        if "mqtt" in needed:
            mqtt = MQTTBroker(tmp_path_factory.mktemp("mqtt"))
            servers.callback(mqtt.stop)
            known["TEST_MQTT"] = mqtt.url
        if "kinesis" in needed:
            kinesis = servers.enter_context(kinesis_server())
            kinesis.create("events", 2)
            known["TEST_KINESIS"] = kinesis.url
        known |= {name.upper(): value for name, value in KEYS.items()}
        known["AWS_DEFAULT_REGION"] = REGION
        jars = request.getfixturevalue("connector") if broker else ()
        found = run_all(chosen, folder, known, jars)
    return {name: dict(zip(numbers, own, strict=True)) for name, own in found.items()}


def broker_of(request: pytest.FixtureRequest) -> Broker | None:
    """Return a broker; without one only the jobs that need it are skipped."""
    try:
        request.getfixturevalue("connector")
        found: Broker = request.getfixturevalue("broker")
    except pytest.skip.Exception:
        return None
    return found


def test_every_project_runs_here_or_says_why_not() -> None:
    names = {
        str(path.relative_to(TESTS)) if path.is_relative_to(TESTS) else path.name for path in GOLDEN
    }
    assert not NOT_HERE.keys() & set(PROJECTS)
    assert NOT_HERE.keys() | set(PROJECTS) == names


@pytest.mark.parametrize("project", PROJECTS)
def test_every_job_of_a_project_runs_here(project: str) -> None:
    """Those that migrate finds."""
    found = scan(TESTS / project, "check")
    jobs = {path for file in found.files for path in file.jobs}
    run = {job.plan["script"] for job in JOBS if job.project == project}
    assert {path for path in jobs if path.replace(".ipynb", ".py") not in run} == {
        path for path in jobs if f"{project}/{path}" in NO_JOBS
    }


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, id=str(job), marks=pytest.mark.full if job.project in LONG_RUN else ())
        for number, job in enumerate(JOBS)
    ],
)
def test_job(request: pytest.FixtureRequest, number: int) -> None:
    if JOBS[number].kafka:
        request.getfixturevalue("broker")
    results: Results = request.getfixturevalue("results")
    job, before, after = JOBS[number], results["spark"][number], results["migrated"][number]
    assert after is not None
    assert after["problems"] == []
    assert raised(after, job)
    if job.by_hand:
        assert after["error"]
        if before is None:  # it has done everything up to there
            _, lines = printed(after, job)
            assert lines == computed(job)[1][: len(lines)] != []
        else:
            assert before["code"] == 0
        return
    if before is None:
        found, wanted = printed(after, job), computed(job)
        if job.in_total:
            assert sums(sum(found[0], Counter())) == sums(sum(wanted[0], Counter()))
        else:
            assert found == wanted
        return
    assert before["problems"] == []
    assert raised(before, job)
    assert (after["code"], bool(after["error"])) == (before["code"], bool(before["error"]))
    expected = shown(before, job)
    assert any(expected.values()) or job.error
    assert shown(after, job) == expected
    assert files(after) == files(before)


@pytest.mark.parametrize("job", [job for job in JOBS if job.python2], ids=str)
def test_outputs_of_python2(job: Golden, tmp_path: Path) -> None:
    """What migrated jobs are compared with is what Python 2.7 prints."""
    found = python2_jobs.run(python2(), job, tmp_path)
    if os.environ.get("MIGRATE_UPDATE_GOLDEN"):
        python2_jobs.recorded(job).write_text(found, "utf-8")
    assert found == python2_jobs.recorded(job).read_text("utf-8")


def raised(outcome: Outcome, job: Golden) -> bool:
    """Whether a job ended as it has to, with an exception or without."""
    if not job.error:
        return bool(job.by_hand) or not outcome["error"]
    return any(re.search(job.error, text) for text in outcome["error"])


def shown(outcome: Outcome, job: Golden) -> dict[str, Any]:
    """Return what a job printed."""
    lines = outcome["stdout"].splitlines(keepends=True)
    if job.python2:  # `print x,` has no blank at the end of its line there, and text begins with u
        lines = [re.sub(r"\bu(?=')", "", line.rstrip()) + "\n" for line in lines]
    kept = [line for line in lines if not job.ignored or not line.startswith(job.ignored)]
    found = comparable("".join(kept), job.plan)
    if not any(isinstance(batch, tuple) for batch in found["batches"]):
        found["batches"] = []  # no block was printed, only other lines
    if job.unordered:
        found["other lines"].sort()
    return found


def printed(outcome: Outcome, job: Golden) -> tuple[list[Counter[str]], list[str]]:
    """Return the blocks and the other lines that a job printed, up to its last step."""
    found = shown(outcome, job)
    return [elements for _, elements, _ in found["batches"]], found["other lines"]


def computed(job: Golden) -> tuple[list[Counter[str]], list[str]]:
    """Return the same as plain Python has it, or had it: Python 2.7."""
    if job.python2:
        return printed({"stdout": python2_jobs.recorded(job).read_text("utf-8")}, job)
    return [Counter(block) for block in job.blocks or ()], job.lines or []


def files(outcome: Outcome) -> dict[str, list[str]]:
    """Return the lines of the files that a job left, in any order."""
    return {name: sorted(lines) for name, lines in outcome["files"].items()}
