"""What is known of a project, and which settings switch the log of receivers on."""

from __future__ import annotations

import pytest

from migrator.model.events import Event, Setting
from migrator.model.projects import ProjectFacts, is_receiver_log
from migrator.model.report import Spot

AT = Spot(1, 1)
LOG = "spark.streaming.receiver.writeAheadLog.enable"


@pytest.mark.parametrize(
    ("event", "is_on"),
    [
        (Setting(AT, LOG, "true", "write-ahead-log"), True),
        (Setting(AT, LOG, None, "write-ahead-log"), True),
        (Setting(AT, LOG, "false", "write-ahead-log"), False),
        (Setting(AT, "spark.streaming.blockInterval", "1s", "receiver"), False),
        (Event(AT), False),
    ],
)
def test_the_log_of_receivers_is_on_unless_it_is_seen_to_be_off(event: Event, is_on: bool) -> None:
    assert is_receiver_log(event) is is_on


def test_a_project_has_streams_if_a_file_has() -> None:
    assert not ProjectFacts(programs=frozenset({"job.py"})).has_streams
    assert ProjectFacts(job_files=frozenset({"job.py"})).has_streams
