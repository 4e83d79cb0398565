"""The reports of a fleet: text, JSON, CSV and HTML."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from migrator.model.fleet import FleetProject
from migrator.report.fleet import csv_report, html_report, json_report
from migrator.report.fleet.projects import merge_reports
from migrator.report.fleet.text_report import render, show
from migrator.report.formats import is_report
from tests.support.migrator.fleets import BROKERS, FLUME, job, project
from tests.support.migrator.terminal import Terminal

SCHEMA = json.loads(
    (Path(__file__).parents[4] / "migrator" / "report" / "fleet.schema.json").read_text()
)
HOSTILE = "=1+1<script>alert(1)</script>\x1b[31m\n"


def fleet() -> list[FleetProject]:
    ready = job("ready.py", sources=("files",), compat=True, structured="portable", spark="3.3")
    waits = job("waits.py", "needs", needs="1 finding, 15 min", minutes=15, tasks=(BROKERS,))
    stuck = job(f"{HOSTILE}.py", "cannot", needs=HOSTILE, tasks=(FLUME,), no_form=("SOURCE",))
    return [
        project("clicks", waits, stuck, tasks=(BROKERS, FLUME), minutes=135, exit_code=1),
        project("views", replace(ready, verified="equal"), page="pages/views.html"),
        project(HOSTILE, error="no such file or folder", exit_code=2),
    ]


def test_json_fits_its_schema_and_is_read_again(tmp_path: Path) -> None:
    text = json_report.render(fleet())
    jsonschema.validate(json.loads(text), SCHEMA)
    (tmp_path / "fleet.json").write_text(text)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "views.html").write_text("")

    again = merge_reports([str(tmp_path / "fleet.json")])

    pages = {one.name: one.page for one in again}
    assert pages["views"] == str(tmp_path / "pages" / "views.html")
    plain = [replace(one, page="") for one in again]
    assert sorted(plain, key=lambda one: one.name) == sorted(
        [replace(one, page="") for one in fleet()], key=lambda one: one.name
    )
    assert text.isascii()


def test_csv_has_a_row_for_each_job_and_no_formula() -> None:
    text = csv_report.render(fleet())

    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["order"], row["project"], row["state"]) for row in rows[:3]] == [
        ("1", "views", "runs"),
        ("2", "clicks", "needs"),
        ("2", "clicks", "cannot"),
    ]
    assert (rows[0]["compat"], rows[0]["unchanged"], rows[0]["spark"]) == ("yes", "", "3.3")
    assert rows[2]["job"].startswith("'=1+1") and "\x1b" not in text
    assert (rows[3]["state"], rows[3]["needs"]) == ("error", "no such file or folder")
    assert is_report(text.encode())


def test_html_is_text_and_links_to_pages() -> None:
    text = html_report.render(fleet())

    assert "<script>alert" not in text
    assert 'href="pages/views.html"' in text
    assert "http:" not in text and "https:" not in text
    assert is_report(text.encode())


def test_text_names_everything_in_a_file() -> None:
    text = render(fleet())

    assert "3 jobs in 3 projects: 1 run, 1 need something, 1 cannot run" in text
    assert "1 project could not be analysed" in text
    assert "name the Kafka brokers (D201)" in text
    assert "runs; compat, portable; files" in text
    assert "no such file or folder" in text
    assert "\x1b" not in text
    assert is_report(text.encode())


@pytest.mark.parametrize("width", [80, 100, 160])
def test_first_screen_is_whole(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    many = []
    for number in range(50):
        tasks = tuple(replace(BROKERS, code=f"D{code}", text="x" * 90) for code in range(300, 320))
        jobs = [job(f"{n}.py", "needs", sources=(f"s{n}",), tasks=tasks) for n in range(10)]
        name = f"a-rather-long-name-of-a-project-of-a-large-team-{number}"
        many.append(project(name, *jobs, tasks=tasks, minutes=300))
    monkeypatch.setenv("COLUMNS", str(width))
    terminal = Terminal()

    show(many, color=False, stream=terminal)

    lines = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", terminal.getvalue()).splitlines()
    # of a screen of 40, with the command and the prompt
    assert len(lines) <= 38
    assert max(map(len, lines)) <= width


def test_quiet_shows_the_numbers_only() -> None:
    stream = io.StringIO()

    show(fleet(), quiet=True, stream=stream)

    assert "D201" not in stream.getvalue()
    assert "views" not in stream.getvalue()
