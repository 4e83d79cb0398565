"""`migrate report --verified` says which jobs of a fleet `migrate verify --all` found equal."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.support.fenced import ROOT
from tests.support.migrator.recorded_project import record, write
from tests.support.migrator.runs import JOB, Run

pytestmark = pytest.mark.slow

Migrate = Callable[..., Run]
OUT = "verify-all-clones"
SCHEMA = json.loads((ROOT / "migrator" / "report" / "fleet.schema.json").read_text())


@pytest.fixture
def clones(project: Path) -> Path:
    """Two projects, with recordings of three jobs of one, and of one job of the other."""
    folder = project.with_name("clones")
    folder.mkdir()
    project.rename(folder / "clicks")
    write(folder / "clicks" / "three.py", JOB)
    record(folder / "clicks" / "recordings" / "three.jsonl")
    write(folder / "views" / "one.py", f"{JOB}# REFUSES\n")
    record(folder / "views" / "recordings" / "one.jsonl")
    return folder


def verdicts(run: Run) -> dict[str, str]:
    return {
        f"{project['name']}/{job['path']}": job["verified"]
        for project in run.json["projects"]
        for job in project["jobs"]
    }


def test_three_commands(migrate: Migrate, clones: Path) -> None:
    pattern = f"{clones.name}/*"
    assert migrate("--fleet", pattern, "--output", "moved", "--report", "fleet.json").code == 0
    with Path("moved/clicks/sub/two.py").open("a") as file:
        file.write("# WRONG\n")
    run = migrate("verify", "--all", "clones", "--migrated", "moved", "--no-shrink")
    assert run.code == 1, run.err
    # after its verification
    write(clones / "clicks" / "three.py", f"{JOB}\n")

    merge = ("report", "fleet.json", "--verified", OUT)
    found = migrate(*merge, "--format", "json")
    jsonschema.validate(found.json, SCHEMA)
    assert verdicts(found) == {
        "clicks/one.py": "equal",
        "clicks/other.py": "not verified",
        "clicks/sub/two.py": "differs",
        "clicks/three.py": "stale",
        "views/one.py": "not comparable",
    }
    counts = {"equal": 1, "differs": 1, "not comparable": 1, "stale": 1, "not verified": 1}
    assert found.json["summary"]["verified"] == counts
    text = migrate(*merge, "--verbose").out
    assert "equal 1, differs 1, not comparable 1, stale 1, not verified 1" in text
    assert "sub/two.py  runs; unchanged, compat, portable; socket; differs" in text
    table = csv.DictReader(io.StringIO(migrate(*merge, "--format", "csv").out))
    assert {row["job"]: row["verified"] for row in table if row["project"] == "clicks"} == {
        "one.py": "equal",
        "other.py": "not verified",
        "sub/two.py": "differs",
        "three.py": "stale",
    }
    page = migrate(*merge, "--format", "html").out
    assert 'data-verdict="stale"' in page
    assert '<option value="not comparable">' in page
    # a report that has verdicts keeps them
    (clones.parent / "again.json").write_text(json.dumps(found.json))
    assert verdicts(migrate("report", "again.json", "--format", "json")) == verdicts(found)


def test_a_gate_leaves_verdicts_too(migrate: Migrate, clones: Path) -> None:
    run = migrate("clones/clicks", "--check", "--verify", "clones/clicks/recordings")
    assert run.code == 1, run.err
    assert migrate("clones/clicks", "--check", "--report", "one.json").code == 1

    found = migrate("report", "one.json", "--verified", "verify-all-clicks", "--format", "json")

    assert found.json["summary"]["verified"] == {"equal": 3, "not verified": 1}


def test_verdicts_stay_when_the_jobs_are_rewritten_in_place(migrate: Migrate, clones: Path) -> None:
    assert migrate("clones/clicks", "--check", "--report", "one.json").code == 1
    gate = ("--in-place", "--verify", "clones/clicks/recordings")
    assert migrate("clones/clicks", *gate).code == 0

    merge = ("report", "one.json", "--verified", "verify-all-clicks", "--format", "json")
    assert migrate(*merge).json["summary"]["verified"] == {"equal": 3, "not verified": 1}
    new = (clones / "clicks" / "one.py").read_text()
    # another text than the verified ones, and a migrated form that is the original again
    write(clones / "clicks" / "one.py", f"{new}\n")
    write(Path("verify-all-clicks/migrated/three.py"), JOB)
    assert migrate(*merge).json["summary"]["verified"] == {
        "equal": 1,
        "not verified": 1,
        "stale": 2,
    }


def test_the_newest_verdict_counts_that_is_not_stale(migrate: Migrate, clones: Path) -> None:
    migrate("--fleet", "clones/*", "--check", "--report", "fleet.json")
    recordings = ("--recordings", "clones/recordings")
    record(clones / "recordings" / "clicks" / "one.jsonl")
    assert migrate("verify", "--all", "clones", *recordings, "--out", "new").code == 0
    for name, change in (
        ("old", {"result": "different", "date": "2020-01-01T00:00:00+00:00"}),
        ("stale", {"result": "different", "date": "2100-01-01T00:00:00+00:00"}),
    ):
        shutil.copytree("new", name)
        values = json.loads(Path(name, "summary.json").read_text())
        (one,) = (one for one in values["jobs"] if one["verdict"] is not None)
        one["result"] = change["result"]
        one["verdict"] |= change
        if name == "stale":
            one["verdict"]["sources"][0]["sha256"] = "another"
        Path(name, "summary.json").write_text(json.dumps(values))

    def verdict(*folders: str) -> str:
        options = [word for folder in folders for word in ("--verified", folder)]
        return verdicts(migrate("report", "fleet.json", *options, "--format", "json"))[
            "clicks/one.py"
        ]

    assert verdict("old") == "differs"
    assert verdict("stale") == "stale"
    assert verdict("old", "new", "stale") == verdict("stale", "new", "old") == "equal"


@pytest.mark.parametrize(
    ("summary", "message"),
    [
        (None, "No such file or directory; name the folder that `migrate verify --all`"),
        ("{", "is no report of `migrate verify --all`"),
        ('{"project": "clones", "jobs": [{"job": "x"}]}', "is no report of"),
        (
            '{"project": "clones", "jobs": [{"job": "a.py", "result": "fine", "verdict": null}]}',
            "unknown result 'fine'",
        ),
        (
            '{"project": "else", "jobs": [{"job": "a.py", "result": "stale", "verdict": null}]}',
            "has verdicts of 1 jobs, and none of them is in the reports",
        ),
    ],
)
def test_wrong_folders(migrate: Migrate, clones: Path, summary: str | None, message: str) -> None:
    migrate("--fleet", "clones/*", "--check", "--report", "fleet.json")
    if summary is not None:
        write(Path(OUT) / "summary.json", summary)

    run = migrate("report", "fleet.json", "--verified", OUT)

    assert run.code == 2
    assert message in run.err


def test_a_recording_of_the_whole_comes_before_that_of_a_part(
    migrate: Migrate, clones: Path
) -> None:
    record(clones / "recordings" / "clicks" / "other.jsonl")
    write(clones / "clicks" / "recordings" / "other.jsonl", "no recording")

    run = migrate("verify", "--all", "clones", "--format", "json")

    states = {one["job"]: one["result"] for one in run.json["jobs"]}
    assert states["clicks/other.py"] == "equal"
    # those of --recordings are all that count
    run = migrate("verify", "--all", "clones", "--no-run", "--recordings", "clones/recordings")
    assert "4 no recording" in run.out
