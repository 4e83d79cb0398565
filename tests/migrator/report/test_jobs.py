"""Every report begins with the jobs: which run, which need what."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.report.jobs import Job, Jobs, JobState
from migrator.rules.registry import rules
from tests.support.migrator.reports import project
from tests.support.migrator.runs import Run
from tests.support.migrator.terminal import printed

Migrate = Callable[..., Run]
HEAD = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
MAKE = f"{HEAD}ssc = StreamingContext(SparkContext(), 1)\n"
END = "ssc.start()\n"
FINE = f"{MAKE}ssc.socketTextStream('a', 1).pprint()\n{END}"
HELPER = "def look(ssc):\n    print(ssc._jssc)\n"
USER = f"{MAKE}from helper import look\nlook(ssc)\nssc.socketTextStream('a', 1).pprint()\n{END}"
FLUME = (
    f"from pyspark.streaming.flume import FlumeUtils\n{MAKE}"
    f"FlumeUtils.createStream(ssc, 'a', 1).pprint()\n{END}"
)
KAFKA = (
    f"from pyspark.streaming.kafka import KafkaUtils\n{MAKE}"
    f"KafkaUtils.createStream(ssc, 'zk:1', 'g', {{'t': 1}}).pprint()\n{END}"
)
FILES = {
    "fine.py": FINE,
    "helper.py": HELPER,
    "one.py": USER,
    "two.py": USER,
    "flume.py": FLUME,
    "conf/spark.conf": "spark.streaming.raw.maxBlockSizeBytes 5\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    project(root, FILES)
    return root


def states(found: list[Job]) -> dict[str, str]:
    return {job.path: job.state.value for job in found}


def test_states(tree: Path) -> None:
    report = project(tree, {})
    assert states(Jobs(report).all) == {
        "fine.py": "runs",
        "flume.py": "cannot",
        "one.py": "needs",
        "two.py": "needs",
    }
    assert states(Jobs(report).others) == {"conf/spark.conf": "needs"}
    (two,) = [job for job in Jobs(report).all if job.path == "two.py"]
    assert two.modules == ("helper.py", "two.py")
    assert [f.code for f in two.findings] == ["D601"]


@pytest.mark.parametrize(
    ("files", "mode", "expected"),
    [
        ({"a.py": FINE}, "write", "1 job: 1 runs now"),
        ({"a.py": FINE}, "check", "1 job, once rewritten: 1 runs"),
        ({"a.py": FINE, "b.py": FINE}, "in-place", "2 jobs: 2 run now"),
        ({"a.py": FINE.replace("pyspark.s", "dstream_compat as s  # s")}, "write", ""),
        ({"a.py": FLUME}, "write", "1 job: 1 cannot run"),
        ({"a.py": FLUME, "b.py": FLUME, "c.py": KAFKA}, "write",
         "3 jobs: 1 needs something, 2 cannot run"),
        ({"a.py": HEAD}, "write", "No program here starts a streaming context"),
        ({"a.conf": FILES["conf/spark.conf"], "b.conf": FILES["conf/spark.conf"]}, "write",
         "No program here starts a streaming context; 2 files need something"),
    ],
)  # fmt: skip
def test_headline(tmp_path: Path, files: dict[str, str], mode: str, expected: str) -> None:
    report = project(tmp_path, files)
    report.mode = mode
    text = Jobs(report).headline()
    assert text == expected or (not expected and "once" not in text)


def test_a_bug_or_an_ignored_finding_stops_no_job(tmp_path: Path) -> None:
    bug = FINE.replace(END, "ssc.socketTextStream('a', 1).toDF()\n" + END)
    ignored = FINE.replace(END, f"ssc._jssc  # migrate: ignore[D601] only read\n{END}")
    report = project(tmp_path, {"bug.py": bug, "ignored.py": ignored})
    assert set(states(Jobs(report).all).values()) == {JobState.RUNS}


def test_what_stands_for_several_places_is_needed_by_each_job(
    migrate: Migrate, tmp_path: Path
) -> None:
    root = tmp_path / "tree"
    project(root, {"a.py": KAFKA, "b.py": KAFKA, "c.py": FINE})
    found = migrate(root, "--check", "--format", "json").json
    assert [(j["path"], j["state"], j["effort_minutes"]) for j in found["jobs"]] == [
        ("a.py", "needs", 15),
        ("b.py", "needs", 15),
        ("c.py", "runs", 0),
    ]
    assert found["summary"]["needs_person"] == 1
    assert "also in b.py, line 5" in migrate(root, "--check", "--verbose").out


def test_text(migrate: Migrate, tree: Path) -> None:
    for options in ((), ("--quiet",), ("--group-by", "rule"), ("--verbose",)):
        lines = migrate(tree, "--check", *options).out.splitlines()
        assert lines[:6] == [
            "4 jobs, once rewritten: 1 runs, 2 need something, 1 cannot run; 1 other file needs "
            "something",
            "  runs    fine.py",
            "  needs   one.py           1 finding, 45 min: use the public API (D601)",
            "  needs   two.py           1 finding, 45 min: use the public API (D601)",
            "  cannot  flume.py         1 finding, 2.0 h: replace Flume (D203)",
            "  project conf/spark.conf  1 finding, 10 min: bound the rate elsewhere (D703)",
        ]
    assert "helper.py  not changed, part of one.py, two.py" in migrate(tree, "--check").out


def test_what_is_only_rewritten_is_counted(migrate: Migrate, tree: Path) -> None:
    out = migrate(tree, "--check").out
    assert "D101" not in out
    assert "4 files would be rewritten" in out
    assert "\nfine.py" not in out
    verbose = migrate(tree, "--check", "--verbose").out
    assert "\nfine.py  to be rewritten\n" in verbose
    assert "D101 fixable" in verbose
    assert "D101" in migrate(tree, "--diff").err
    out = migrate(tree, "--in-place").out
    assert out.startswith("4 jobs: 1 runs now, ")
    assert "4 files rewritten in place." in out


def test_the_code_is_for_verbose(migrate: Migrate, tree: Path) -> None:
    assert "| " not in migrate(tree, "--check").out
    lines = migrate(tree, "--check", "--verbose").out.splitlines()
    at = next(n for n, line in enumerate(lines) if "print(ssc._jssc)" in line)
    assert lines[at].index("_jssc") == lines[at + 1].index("^")


def test_a_fix_that_may_change_the_job_is_shown(migrate: Migrate, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    package = "org.mongodb.spark:mongo-spark-connector_2.11:2.4.0"
    project(root, {"a.py": FINE, "run.sh": f"spark-submit --packages {package} a.py\n"})
    out = migrate(root, "--diff", "--unsafe-fixes").err
    assert "D902 fixable" in out
    out = migrate(root, "--check", "--unsafe-fixes").out
    assert "D902 fixable" in out
    assert "D101" not in out


@pytest.mark.slow
def test_many_jobs_that_run_take_few_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = project(tmp_path, {f"job_number_{n:03}.py": FINE for n in range(120)})
    lines = printed(report, monkeypatch)
    assert lines[0] == "120 jobs, once rewritten: 120 run"
    assert lines.index("") <= 5
    verbose = " ".join(printed(report, monkeypatch, verbose=True))
    assert "job_number_119.py" in verbose


def test_markdown(migrate: Migrate, tree: Path) -> None:
    text = migrate(tree, "--check", "--format", "markdown").out
    assert "**4 jobs, once rewritten: 1 runs, 2 need something, 1 cannot run; " in text
    assert "- **runs**: `fine.py`\n" in text
    assert "- **needs** `one.py`: 1 finding, 45 min: use the public API (D601)" in text
    assert ", part of `one.py`, `two.py`" in text


def test_github(migrate: Migrate, tree: Path) -> None:
    lines = migrate(tree, "--check", "--format", "github").out.splitlines()
    assert lines[1].startswith("4 jobs, once rewritten: ")
    assert "needs two.py: 1 finding, 45 min: use the public API (D601)" in lines
    assert lines.index("::endgroup::") < 12


def test_sarif(migrate: Migrate, tree: Path) -> None:
    (run,) = migrate(tree, "--check", "--format", "sarif").json["runs"]
    assert {j["path"]: j["state"] for j in run["properties"]["jobs"]}["flume.py"] == "cannot"
    (result,) = [r for r in run["results"] if r["ruleId"] == "D601"]
    assert result["properties"]["jobs"] == ["one.py", "two.py"]


def test_json(migrate: Migrate, tree: Path) -> None:
    found: dict[str, Any] = migrate(tree, "--check", "--format", "json").json
    assert found["summary"]["jobs"] == {"runs": 1, "needs": 2, "cannot": 1}
    by_path = {job["path"]: job for job in found["jobs"]}
    (finding,) = [f for f in found["findings"] if f["code"] == "D601"]
    for name in ("one.py", "two.py"):
        assert by_path[name]["findings"] == [finding["fingerprint"]]
        assert by_path[name]["modules"] == ["helper.py", name]
    assert [f["path"] for f in found["other_files"]] == ["conf/spark.conf"]
    assert {f["path"]: f["jobs"] for f in found["files"]}["helper.py"] == ["one.py", "two.py"]


def test_html(migrate: Migrate, tree: Path) -> None:
    page = migrate(tree, "--check", "--format", "html").out
    assert page.index("2 need something, 1 cannot run") < page.index('id="summary"')
    assert '<tr class="cannot"><td>cannot</td><td><a href="#file-' in page
    assert "part of one.py, two.py" in page


def test_hostile_names_stay_text(migrate: Migrate, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    project(root, {"[red]\x1b[31m<b>`|x`.py": KAFKA})
    for form in ("text", "markdown", "html", "github", "sarif", "json"):
        assert "\x1b" not in migrate(root, "--check", "--format", form).out
    json.loads(migrate(root, "--check", "--format", "json").out)


def test_every_rule_that_asks_for_something_says_it_in_few_words() -> None:
    for code, rule in rules().items():
        asks = rule.severity != "info" and rule.category == "migration"
        assert len(rule.task) <= 36, code
        assert rule.task or not asks, code


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Three projects of many jobs, of which two need something."""
    root = tmp_path / "clones"
    for name, count in (("one", 9), ("three", 4), ("two", 3)):
        project(root / name, {"README.md": ""} | {f"job_{n}.py": FINE for n in range(count)})
    project(root / "one", {"helper.py": HELPER, "first.py": USER, "second.py": USER})
    project(root / "two", {"flume.py": FLUME, "conf/spark.conf": FILES["conf/spark.conf"]})
    return root


def test_many_jobs_are_numbers_by_project(migrate: Migrate, large: Path) -> None:
    for options in ((), ("--quiet",), ("--group-by", "rule")):
        lines = migrate(large, "--check", *options).out.splitlines()
        assert lines[:6] == [
            "19 jobs, once rewritten: 16 run, 2 need something, 1 cannot run; 1 other file needs "
            "something",
            "  project          jobs  run  need  cannot  findings    time",
            "  one                11    9     2                 1  45 min",
            "  two                 4    3             1         2   2.2 h",
            "  1 other project     4    4",
            "",
        ]
    out = migrate(large, "--check", "--verbose").out
    assert "  runs    one/job_0.py, one/job_1.py" in out
    assert "  needs   one/first.py" in out


def test_many_jobs_of_one_project(migrate: Migrate, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    project(root, FILES | {f"jobs/job_{n}.py": FINE for n in range(12)})
    lines = migrate(root, "--check").out.splitlines()
    assert lines[1:5] == [
        "  runs    13 jobs",
        "  needs   one.py           1 finding, 45 min: use the public API (D601)",
        "  needs   two.py           1 finding, 45 min: use the public API (D601)",
        "  cannot  flume.py         1 finding, 2.0 h: replace Flume (D203)",
    ]
    # by folder if many need something
    project(root, {f"old/job_{n}.py": FLUME for n in range(9)})
    lines = migrate(root, "--check").out.splitlines()
    assert [line.split()[:5] for line in lines[2:6]] == [
        *([".", "4", "1", "2", "1"], ["conf", "1", "10", "min"]),
        *(["old", "9", "9", "9", "18.0"], ["1", "other", "folder", "12", "12"]),
    ]


@pytest.mark.slow
def test_many_jobs_in_other_reports(migrate: Migrate, large: Path) -> None:
    text = migrate(large, "--check", "--format", "markdown").out
    head, _, rest = text.partition("<details>")
    assert "| `one` | 11 | 9 | 2 |  | 1 | 45 min |" in head
    assert "job_0.py" not in head and "one/first.py" not in head
    assert "`one/job_0.py`" in rest.partition("</details>")[0]
    page = migrate(large, "--check", "--format", "html").out
    section = page[page.index('id="jobs"') : page.index('id="summary"')]
    before, _, folded = section.partition("<details>")
    assert "<td><code>one</code></td><td>11</td><td>9</td><td>2</td>" in before
    assert "job_0.py" not in before and "one/job_0.py" in folded
    lines = migrate(large, "--check", "--format", "github").out.splitlines()
    assert "one: jobs 11, run 9, need 2, findings 1, time 45 min" in lines
    found = migrate(large, "--check", "--format", "json").json
    assert len(found["jobs"]) == 19


def test_names_of_projects_on_a_narrow_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "a-very-long-owner__and-a-name-that-is-long-as-well"
    for each in (name, "b"):
        project(tmp_path / each, {"README.md": ""} | {f"{n}.py": KAFKA for n in range(6)})
    report = project(tmp_path, {})
    lines = printed(report, monkeypatch, width=80)
    assert max(map(len, lines[:6])) <= 80
    assert lines[2] == f"  {name}"
