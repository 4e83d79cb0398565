"""What waits until the whole project is known, and what the project then says about it."""

from __future__ import annotations

from typing import Any

import pytest

from migrator.model.events import Event, MentionedName, Setting, Use
from migrator.model.home_events import SparkHome
from migrator.model.job_events import MissingFromJob
from migrator.model.jvm_events import JvmUse
from migrator.model.project_events import (
    DirectKafka,
    JobSources,
    ProjectFacts,
    ReceiverLog,
    about_project,
    replaced,
    with_facts,
)
from migrator.model.report import Confidence, Spot, TextEdit
from migrator.model.requirement_events import Requirement, Surroundings

AT = Spot(1, 1)
LOG = "spark.streaming.receiver.writeAheadLog.enable"
DOCKERFILE = "FROM python:2.7\nCOPY {0} /\nCMD python {0}\n"


def direct(kind: Any = Use) -> Any:
    return kind(AT, "createDirectStream", "call", "KafkaUtils", Confidence.PROVEN)


def requirement(text: str, program: str) -> Requirement:
    around = Surroundings(DOCKERFILE.format(program), "shell")
    return Requirement(AT, "python", text, "2.7", around)


def test_the_log_of_receivers_waits_where_it_may_be_on() -> None:
    on = about_project(Setting(AT, LOG, "true", "receiver"))
    assert isinstance(on, ReceiverLog)
    assert isinstance(about_project(Setting(AT, LOG, None, "receiver")), ReceiverLog)
    assert about_project(Setting(AT, LOG, "false", "receiver")) is None
    assert about_project(Setting(AT, "spark.streaming.blockInterval", "1s", "receiver")) is None


def test_direct_streams_of_kafka_are_uses_as_well() -> None:
    found = about_project(direct())
    assert isinstance(found, DirectKafka)
    assert not replaced(direct()), "the use is reported beside it"
    assert about_project(direct(JvmUse)) is None
    mentioned = MentionedName(AT, "KafkaUtils.createDirectStream")
    assert isinstance(about_project(mentioned), DirectKafka)
    assert replaced(mentioned)


def test_only_state_of_a_job_waits() -> None:
    state, output = (
        MissingFromJob(AT, Confidence.PROVEN, (), what) for what in ("state", "output")
    )
    assert about_project(state) is state
    assert about_project(output) is None
    facts = ProjectFacts(has_receiver_log=True)
    known: Any = with_facts(state, "job.py", facts)
    assert known.has_receiver_log


def test_only_the_first_direct_stream_knows_how_many_there_are() -> None:
    first, second = about_project(direct()), about_project(direct())
    assert isinstance(first, DirectKafka) and isinstance(second, DirectKafka)
    facts = ProjectFacts(direct_kafka=first, direct_uses=2)
    found: list[Any] = [with_facts(each, "job.py", facts) for each in (first, second)]
    assert [each.uses for each in found] == [2, 0]


def test_a_log_in_a_program_is_about_its_own_sources() -> None:
    jobs = (JobSources("a.py", ("socket",), ()), JobSources("b.py", (), ("files",)))
    facts = ProjectFacts(jobs=jobs)
    log = ReceiverLog(AT, LOG, "true")
    own: Any = with_facts(log, "b.py", facts)
    assert own.jobs == jobs[1:]
    shared: Any = with_facts(log, "spark-defaults.conf", facts)
    assert shared.jobs == jobs


@pytest.mark.parametrize(
    ("text", "program", "is_kept"),
    [
        ("FROM python:2.7", "job.py", True),
        ("FROM python:2.7", "site.py", False),
        ("FROM python:2.7", "setup.py", True),
        ("python-version: 2.7", "site.py", True),
    ],
)
def test_an_image_of_other_programs_is_not_changed(text: str, program: str, is_kept: bool) -> None:
    facts = ProjectFacts(programs=frozenset({"job.py"}))
    found: Any = with_facts(requirement(text, program), "Dockerfile", facts)
    assert (found.around is not None) is is_kept
    assert found.has_streams


def test_a_requirement_of_a_project_without_streams() -> None:
    found: Any = with_facts(requirement("FROM python:2.7", "site.py"), "Dockerfile", ProjectFacts())
    assert not found.has_streams


@pytest.mark.parametrize(
    ("unsets", "path", "is_dropped"),
    [(True, "reads.py", False), (False, "reads.py", True), (True, "other.py", True)],
)
def test_a_home_that_is_read_elsewhere_is_not_unset(
    unsets: bool, path: str, is_dropped: bool
) -> None:
    edits = (TextEdit(AT, "import findspark\n", ""),)
    home = SparkHome(AT, "variable", "SPARK_HOME", "Spark 2.4", True, edits, unsets=unsets)
    facts = ProjectFacts(home_readers=frozenset({"reads.py"}))
    found: Any = with_facts(home, path, facts)
    assert found.edits == (edits if is_dropped else ())


def test_other_events_stay_what_they_are() -> None:
    event = Event(AT)
    assert about_project(event) is None
    assert not replaced(event)
    assert with_facts(event, "job.py", ProjectFacts()) is event
