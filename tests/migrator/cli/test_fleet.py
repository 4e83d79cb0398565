"""Command lines over several projects, and `migrate report`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from benchmarks.fleet_projects import make_fleet
from migrator.output.journal import JOURNAL
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
SCHEMA = json.loads(
    (Path(__file__).parents[3] / "migrator" / "report" / "fleet.schema.json").read_text()
)


def project(folder: Path, job: str = JOB, marker: str = "requirements.txt") -> Path:
    folder.mkdir(parents=True)
    (folder / "job.py").write_text(job)
    (folder / marker).touch()
    return folder


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    return project(tmp_path / "clicks"), project(tmp_path / "views")


@pytest.mark.slow
def test_each_of_several_projects_is_migrated_by_itself(
    migrate: Migrate, two: tuple[Path, Path]
) -> None:
    run = migrate(*two)

    assert run.code == 0, run.err
    assert "2 jobs in 2 projects: 2 run" in run.out
    assert "unchanged 2 (from Spark 4.1)" in run.out
    for folder in two:
        written = folder.with_name(f"{folder.name}-migrated")
        assert "dstream_compat" in (written / "job.py").read_text()
        assert (folder / "job.py").read_text() == JOB


@pytest.mark.slow
def test_what_a_fleet_has_written_is_no_project_of_the_next(
    migrate: Migrate, two: tuple[Path, Path]
) -> None:
    pattern = two[0].parent / "*"
    for _ in range(2):
        run = migrate("--fleet", pattern)
        assert "2 jobs in 2 projects: 2 run" in run.out
    assert not [*two[0].parent.glob("*-migrated-migrated")]


def test_several_folders_that_are_no_projects_stay_one_tree(
    migrate: Migrate, tmp_path: Path
) -> None:
    one, other = project(tmp_path / "a", marker="x"), project(tmp_path / "b")

    run = migrate(one, other)

    assert run.code == 2
    assert "several paths have no default output" in run.err
    assert "--fleet" in run.err


@pytest.mark.parametrize("option", ["--check", "--in-place", "--output", "--diff"])
def test_options_for_one_tree_keep_their_meaning(
    migrate: Migrate, two: tuple[Path, Path], tmp_path: Path, option: str
) -> None:
    value = [tmp_path / "out"] if option == "--output" else []

    run = migrate(*two, option, *value)

    assert "projects" not in run.out + run.err
    assert "job" in run.out + run.err
    if option == "--in-place":
        assert (tmp_path / JOURNAL).is_dir()


@pytest.mark.slow
def test_fleet_with_output_and_in_place(
    migrate: Migrate, two: tuple[Path, Path], tmp_path: Path
) -> None:
    assert migrate("--fleet", *two, "--output", tmp_path / "new" / "out").code == 0
    for folder in two:
        written = tmp_path / "new" / "out" / folder.name / "job.py"
        assert "dstream_compat" in written.read_text()
        assert (folder / "job.py").read_text() == JOB

    assert migrate("--fleet", *two, "--in-place").code == 0
    for folder in two:
        assert "dstream_compat" in (folder / "job.py").read_text()
        assert migrate("undo", folder).code == 0
        assert (folder / "job.py").read_text() == JOB


@pytest.mark.slow
def test_check_exits_with_1_and_writes_nothing(
    migrate: Migrate, two: tuple[Path, Path], tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))

    assert migrate("--fleet", "--check", *two).code == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_projects_of_a_file(migrate: Migrate, two: tuple[Path, Path], tmp_path: Path) -> None:
    listed = tmp_path / "projects.txt"
    # the same folder twice is one project
    listed.write_text(f"# all of them\n\nclicks\n  {two[1]}\n./clicks/\n")

    run = migrate("--projects", listed, "--check", "--format", "json")

    jsonschema.validate(run.json, SCHEMA)
    assert [one["name"] for one in run.json["projects"]] == ["clicks", "views"]
    assert run.json["summary"]["jobs"] == {"runs": 2, "needs": 0, "cannot": 0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "it lists nothing"),
        ("https://example.invalid/repo.git\n", "line 1: 'https://example.invalid/repo.git'"),
        (None, "No such file"),
    ],
)
def test_wrong_files_of_projects(
    migrate: Migrate, tmp_path: Path, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / "projects.txt").write_text(text)

    run = migrate("--projects", tmp_path / "projects.txt")

    assert run.code == 2
    assert message in run.err


def test_a_project_that_cannot_be_read_stops_no_other(
    migrate: Migrate, two: tuple[Path, Path], tmp_path: Path
) -> None:
    (two[0] / "pyproject.toml").write_text("[tool.migrate]\nfail-on = 'nonsense'\n")

    run = migrate("--fleet", "--check", *two, tmp_path / "missing")

    assert run.code == 2
    assert "2 projects could not be analysed" in run.out
    assert "missing: " in run.out and "no such file or folder" in run.out
    assert "nonsense" in run.out
    assert "1 job in 3 projects: 1 run" in run.out


@pytest.mark.parametrize(
    "options",
    [("--diff",), ("--baseline", "x"), ("--write-baseline", "x"), ("--format", "sarif")],
)
def test_options_of_one_project_are_refused(
    migrate: Migrate, two: tuple[Path, Path], options: tuple[str, ...]
) -> None:
    run = migrate("--fleet", *two, *options)

    assert run.code == 2
    assert "for one project" in run.err


def test_csv_is_for_several_projects(migrate: Migrate, tree: Path) -> None:
    run = migrate(tree, "--format", "csv")

    assert run.code == 2
    assert "add --fleet" in run.err


@pytest.mark.slow
def test_reports_and_pages(migrate: Migrate, two: tuple[Path, Path], tmp_path: Path) -> None:
    reports = [tmp_path / f"fleet.{ending}" for ending in ("html", "json", "csv", "txt")]
    options = [part for report in reports for part in ("--report", report)]

    # an earlier report is replaced
    for _ in range(2):
        run = migrate("--fleet", "--check", *two, *options)
        assert run.code == 1, run.err

    page = (tmp_path / "fleet.html").read_text()
    for name in ("clicks", "views"):
        assert f'href="fleet-projects/{name}.html"' in page
        own = (tmp_path / "fleet-projects" / f"{name}.html").read_text()
        assert own.startswith("<!DOCTYPE html>")
    assert (tmp_path / "fleet.csv").read_text().count("\n") == 3
    assert f"Report: {tmp_path / 'fleet.txt'}" in run.out


def test_reports_are_checked_before_any_work(
    migrate: Migrate, two: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "own.csv").write_text("my,own,table\n")

    for name, message in (("own.csv", "is not a report"), ("fleet.sarif", "one of the endings")):
        run = migrate("--fleet", *two, "--report", tmp_path / name)
        assert run.code == 2
        assert message in run.err
    assert not (tmp_path / "clicks-migrated").exists()


@pytest.mark.slow
def test_both_targets_are_looked_at_whatever_is_written(
    migrate: Migrate, two: tuple[Path, Path]
) -> None:
    found = []
    for target in ("compat", "structured"):
        run = migrate("--fleet", "--check", *two, "--target", target, "--format", "json")
        found.append(run.json["summary"]["targets"])

    assert found[0] == found[1]
    assert found[0]["unchanged"]["jobs"] == found[0]["portable"]["jobs"] == 2


@pytest.mark.slow
def test_names_of_projects(migrate: Migrate, tmp_path: Path) -> None:
    for folder in ("a/jobs", "b/jobs", "c"):
        project(tmp_path / folder)

    paths = [tmp_path / "a" / "jobs", tmp_path / "b" / "jobs", tmp_path / "c"]
    run = migrate("--fleet", "--check", *paths, "--format", "json")

    assert {one["name"] for one in run.json["projects"]} == {"a/jobs", "b/jobs", "c"}


@pytest.mark.slow
def test_merged_reports_say_the_same_as_one_run(migrate: Migrate, tmp_path: Path) -> None:
    made = [*make_fleet(tmp_path / "fleet", 4, 12)]
    whole = migrate("--fleet", "--check", *made, "--report", tmp_path / "whole.json")
    for name, part in (("one", made[:3]), ("two", made[3:])):
        migrate("--fleet", "--check", *part, "--report", tmp_path / f"{name}.json")

    run = migrate("report", tmp_path / "one.json", tmp_path / "two.json")

    assert run.code == whole.code == 1
    assert run.out.splitlines() == whole.out.splitlines()[:-1]
    again = migrate("report", tmp_path / "one.json", tmp_path / "two.json", "--format", "json")
    assert again.json == json.loads((tmp_path / "whole.json").read_text())


def test_reports_of_single_runs_are_merged(
    migrate: Migrate, two: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, target in zip(two, ("compat", "structured"), strict=True):
        monkeypatch.chdir(folder)
        report = tmp_path / f"{folder.name}.json"
        assert migrate(".", "--check", "--target", target, "--report", report).code == 1

    run = migrate("report", tmp_path / "clicks.json", tmp_path / "views.json", "--format", "json")

    by_name = {one["name"]: one["jobs"][0] for one in run.json["projects"]}
    assert (by_name["clicks"]["unchanged"], by_name["clicks"]["structured"]) == (True, None)
    assert (by_name["views"]["unchanged"], by_name["views"]["structured"]) == (None, "portable")
    assert by_name["views"]["sources"] == ["socket"]


def test_projects_of_the_same_name_are_told_apart(
    migrate: Migrate, tree: Path, tmp_path: Path
) -> None:
    for name in ("a.json", "b.json"):
        migrate(tree, "--check", "--report", tmp_path / name)

    run = migrate("report", tmp_path / "a.json", tmp_path / "b.json")
    assert run.code == 2
    assert "both have a project" in run.err
    run = migrate("report", tmp_path / "a.json", tmp_path / "a.json")
    assert run.code == 2
    assert "both have a project" in run.err

    run = migrate("report", tmp_path / "a.json", f"other={tmp_path / 'b.json'}", "--format", "json")
    assert [one["name"] for one in run.json["projects"]] == [str(tree), "other"]


def test_projects_of_one_tree_are_told_apart(migrate: Migrate, tmp_path: Path) -> None:
    for name in ("a", "b"):
        project(tmp_path / "clones" / name, marker="setup.py")
    migrate(tmp_path / "clones", "--check", "--report", tmp_path / "r.json")

    run = migrate("report", f"clones={tmp_path / 'r.json'}", "--format", "json")

    assert [one["name"] for one in run.json["projects"]] == ["clones/a", "clones/b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        ("{", "no JSON"),
        ("[]", "no JSON report of migrate"),
        ('{"schema_version": 1}', "version 1 of its schema"),
        ('{"fleet_schema_version": 1}', "version 1 of its schema"),
        ('{"fleet_schema_version": 2, "projects": [{"name": "a"}]}', "no JSON report of migrate"),
    ],
)
def test_wrong_reports(migrate: Migrate, tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "r.json").write_text(content)

    run = migrate("report", tmp_path / "r.json")

    assert run.code == 2
    assert message in run.err
    assert str(tmp_path / "r.json") in run.err


@pytest.mark.slow
def test_jobs_of_generated_projects_reach_what_they_are_made_for(
    migrate: Migrate, tmp_path: Path
) -> None:
    made = make_fleet(tmp_path / "fleet", 3, 30)

    run = migrate("--fleet", "--check", *made, "--format", "json")

    found = {
        (os.path.basename(one["path"]), job["path"]): job
        for one in run.json["projects"]
        for job in one["jobs"]
    }
    kinds = {"zookeeper": "Kafka through ZooKeeper", "kafka": "Kafka", "kinesis": "Kinesis"}
    kinds |= {"mqtt": "MQTT", "flume": "Flume"}
    keeps = {"none": [], "total": ["updateStateByKey"], "window": ["windows"]}
    for folder, jobs in made.items():
        for job in jobs:
            values = found[folder.name, job.path]
            assert values["sources"] == [kinds.get(job.source, job.source)]
            assert values["keeps"] == keeps.get(job.state, ["mapWithState"])
            assert (values["state"] == "cannot") == (job.source == "flume")
            plain = job.source in ("socket", "files", "kafka") and job.output != "handle"
            assert values["unchanged"] == plain
    assert sum(map(len, made.values())) == len(found) == 30
