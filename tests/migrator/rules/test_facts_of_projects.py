"""What rules say about an event depends on the project around it."""

from __future__ import annotations

from typing import Any

import pytest

from migrator.model.events import (
    AnsiUse,
    ForeignContext,
    JvmUse,
    MentionedName,
    MissingFromJob,
    RemovedName,
    Requirement,
    Setting,
    SparkHome,
    Surroundings,
    Use,
)
from migrator.model.projects import JobSources, ProjectFacts
from migrator.model.report import Confidence, Finding, Spot, TextEdit
from migrator.rules.registry import findings_for

AT = Spot(1, 1)
LOG = "spark.streaming.receiver.writeAheadLog.enable"
DOCKERFILE = "FROM python:2.7\nCOPY {0} /\nCMD python {0}\n"
STREAMS = frozenset({"job.py"})


def direct(kind: Any = Use) -> Any:
    return kind(AT, "createDirectStream", "call", "KafkaUtils", Confidence.PROVEN)


def requirement(text: str, program: str) -> Requirement:
    around = Surroundings(DOCKERFILE.format(program), "shell")
    return Requirement(AT, "python", text, "2.7", around)


def only(findings: list[Finding]) -> Finding:
    (found,) = findings
    return found


def test_the_first_direct_stream_tells_how_many_there_are() -> None:
    first, second = direct(), direct()
    facts = ProjectFacts(direct_kafka=first, direct_uses=2)
    found = [[f for f in findings_for(e, facts) if f.code == "D202"] for e in (first, second)]
    assert "(2 uses in this project)" in only(found[0]).message
    assert found[1] == []


def test_a_mention_and_a_use_of_the_jvm() -> None:
    mentioned = MentionedName(AT, "KafkaUtils.createDirectStream")
    facts = ProjectFacts(direct_kafka=mentioned, direct_uses=1)
    assert only(findings_for(mentioned, facts)).code == "D202"
    assert findings_for(mentioned, ProjectFacts()) == []
    assert "dstream_compat is for Python" in only(findings_for(direct(JvmUse), facts)).message


def test_a_checkpoint_without_state_may_hold_the_log_of_receivers() -> None:
    event = MissingFromJob(AT, Confidence.PROVEN, (), "state")
    assert only(findings_for(event, ProjectFacts())).code == "D401"
    assert findings_for(event, ProjectFacts(has_receiver_log=True)) == []


def test_a_log_in_a_program_is_about_its_own_sources() -> None:
    jobs = (JobSources("a.py", ("socket",), ()), JobSources("b.py", (), ("files",)))
    log = Setting(AT, LOG, "true", "write-ahead-log")
    own = only(findings_for(log, ProjectFacts("b.py", jobs=jobs)))
    assert [d.partition(" ")[0] for d in own.details[1:]] == ["b.py"]
    shared = only(findings_for(log, ProjectFacts("spark-defaults.conf", jobs=jobs)))
    assert [d.partition(" ")[0] for d in shared.details[1:]] == ["a.py", "b.py"]
    off = Setting(AT, LOG, "false", "write-ahead-log")
    assert only(findings_for(off, ProjectFacts("b.py", jobs=jobs))).details == ()


@pytest.mark.parametrize(
    ("text", "program", "is_fixed"),
    [
        ("FROM python:2.7", "job.py", True),
        ("FROM python:2.7", "site.py", False),
        ("FROM python:2.7", "setup.py", True),
    ],
)
def test_an_image_of_other_programs_is_not_changed(text: str, program: str, is_fixed: bool) -> None:
    around = Surroundings(DOCKERFILE.format(program), "shell")
    event = Requirement(Spot(1, 6), "python", "FROM python:2.7", "2.7", around)
    found = only(findings_for(event, ProjectFacts(programs=STREAMS)))
    assert (found.fix is not None) is is_fixed


def test_versions_matter_only_where_python_has_streams() -> None:
    event = requirement("FROM python:2.7", "site.py")
    assert findings_for(event, ProjectFacts(job_files=frozenset({"Job.scala"}))) == []


def test_names_that_are_gone_matter_only_beside_streams() -> None:
    event = RemovedName(AT, "name", "string.letters")
    assert findings_for(event, ProjectFacts()) == []
    assert only(findings_for(event, ProjectFacts(job_files=STREAMS))).code == "D114"


@pytest.mark.parametrize(
    ("unsets", "path", "is_dropped"),
    [(True, "reads.py", False), (False, "reads.py", True), (True, "other.py", True)],
)
def test_a_home_that_is_read_elsewhere_is_not_unset(
    unsets: bool, path: str, is_dropped: bool
) -> None:
    edits = (TextEdit(AT, "import findspark\n", ""),)
    home = SparkHome(AT, "variable", "SPARK_HOME", "Spark 2.4", True, edits, unsets=unsets)
    facts = ProjectFacts(path, job_files=STREAMS, home_readers=frozenset({"reads.py"}))
    assert (only(findings_for(home, facts)).fix is not None) is is_dropped


@pytest.mark.parametrize("by_others", [False, True])
def test_a_context_that_the_project_makes(by_others: bool) -> None:
    event = ForeignContext(AT, "ssc", by_others)
    assert only(findings_for(event, ProjectFacts())).code == "D107"
    some = ProjectFacts(makes_context=True)
    assert bool(findings_for(event, some)) is by_others, "a framework calls it with its own"
    assert findings_for(event, ProjectFacts(makes_context=True, may_make_context=True)) == []


def test_the_first_use_of_ansi_sql_lists_the_others() -> None:
    first, second = AnsiUse(AT, "cast"), AnsiUse(AT, "cast")
    places = tuple(f"job.py, line {n}" for n in range(60))
    facts = ProjectFacts(job_files=STREAMS, ansi=first, ansi_places=places)
    found = only(findings_for(first, facts))
    assert "as 59 other places" in found.message
    assert found.evidence == (*places[1:51], "and 9 more")
    assert findings_for(second, facts) == []
    assert findings_for(first, ProjectFacts(ansi=first, ansi_places=places)) == []
