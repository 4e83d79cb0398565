"""Bugs that a job has always had, and notes that ask for nothing, are no work of the migration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.model.report import Category
from migrator.report.wording import BUGS
from migrator.rules.registry import rules
from tests.support.migrator.reports import report
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
CONTEXT = (
    "from dstream_compat import StreamingContext\n"
    "ssc = StreamingContext(sc, 1)\n"
    "lines = ssc.socketTextStream('a', 1)\n"
)
FINE = f"{CONTEXT}lines.pprint()\nssc.start()\n"
BUG = FINE + "lines.toDF()\n"
WORK = FINE + "ssc._jssc.x()\n"
NOTE = FINE + "ssc.checkpoint('c')\n"
OPTIONS: list[tuple[str, tuple[str, ...], int]] = [
    # bugs decide nothing unless asked to
    (BUG, (), 0),
    (BUG, ("--fail-on", "error"), 0),
    (BUG, ("--fail-on", "info"), 0),
    (BUG, ("--fail-on", "never", "--fail-on-bugs"), 0),
    (FINE, ("--fail-on-bugs",), 0),
    (NOTE, ("--fail-on-bugs",), 0),
    (f"{BUG}# migrate: ignore[D301] known\n".replace("toDF()\n#", "toDF()  #"), (), 0),
    (BUG, ("--fail-on-bugs",), 1),
    (WORK, (), 1),
    (WORK, ("--fail-on-bugs",), 1),
    # nor do notes that nobody sees
    (NOTE, ("--fail-on", "info"), 0),
    (NOTE, ("--fail-on", "info", "--notes"), 1),
]


@pytest.fixture
def job(tmp_path: Path) -> Callable[[str], Path]:
    def write(source: str) -> Path:
        (tmp_path / "tree").mkdir(exist_ok=True)
        (tmp_path / "tree" / "job.py").write_text(source)
        return tmp_path / "tree"

    return write


def summary(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = run.json["summary"]
    return found


def test_the_categories_of_the_rules() -> None:
    by_category = {
        category: {code for code, rule in rules().items() if rule.category is category}
        for category in Category
    }
    assert by_category[Category.NOTE] == {"D106", "D202", "D401", "D702", "D801", "D802"}
    assert by_category[Category.BUG] == {
        *("D301", "D303", "D305", "D501", "D502", "D603", "D705", "D807"),
    }


@pytest.mark.parametrize(("source", "options", "code"), OPTIONS)
def test_exit_code(
    migrate: Migrate,
    job: Callable[[str], Path],
    source: str,
    options: tuple[str, ...],
    code: int,
) -> None:
    assert migrate(job(source), "--check", *options).code == code


def test_a_key_made_at_run_time_is_no_bug() -> None:
    found = report('conf.set("spark.streaming." + name, "1")\n').findings
    assert [(f.code, f.category) for f in found] == [("D705", Category.MIGRATION)]
    found = report('conf.set("spark.streaming.maxRat", "1")\n').findings
    assert [(f.code, f.category) for f in found] == [("D705", Category.BUG)]


def test_scala_has_no_bugs_of_its_own() -> None:
    source = (
        "import org.apache.spark.streaming.StreamingContext\n"
        "object A { val ssc = new StreamingContext(conf, s)\n"
        'ssc.socketTextStream("a", 1).foreachRDD(r => r) }\n'
    )
    found = report(source.encode(), "A.scala").findings
    assert found
    assert {f.category for f in found} == {Category.MIGRATION}


def test_json(migrate: Migrate, job: Callable[[str], Path]) -> None:
    run = migrate(job(BUG + "ssc._jssc.x()\n"), "--check", "--format", "json")
    assert {f["code"]: (f["category"], f["needs_person"]) for f in run.json["findings"]} == {
        "D301": ("bug", False),
        "D601": ("migration", True),
    }
    found = summary(run)
    assert (found["bugs"], found["bugs_effort_minutes"]) == (1, 30)
    assert (found["needs_person"], found["effort_minutes"]) == (1, 45)
    assert found["findings"]["error"] == 2


def test_json_without_bugs(migrate: Migrate, job: Callable[[str], Path]) -> None:
    found = summary(migrate(job(WORK), "--check", "--format", "json"))
    assert (found["bugs"], found["bugs_effort_minutes"], found["notes_hidden"]) == (0, 0, 0)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_bugs_have_a_section(migrate: Migrate, job: Callable[[str], Path], form: str) -> None:
    out = migrate(job(BUG + "ssc._jssc.x()\n"), "--check", "--format", form).out
    before, _, after = out.partition(f"{BUGS}")
    assert "D601" in before
    assert "D301" not in before
    assert "never had `toDF`" in after
    assert "1 bug of the jobs' own (30 min)" in out


@pytest.mark.parametrize("source", [FINE, WORK, NOTE])
@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_no_section_without_bugs(
    migrate: Migrate, job: Callable[[str], Path], form: str, source: str
) -> None:
    assert BUGS not in migrate(job(source), "--check", "--format", form).out


def test_html_and_sarif(migrate: Migrate, job: Callable[[str], Path]) -> None:
    page = migrate(job(BUG), "--check", "--format", "html").out
    assert page.index("no part of the migration") < page.index("never had")
    results = migrate(job(BUG), "--check", "--format", "sarif").json["runs"][0]["results"]
    assert [r["properties"]["category"] for r in results] == ["bug"]


@pytest.mark.parametrize(
    ("options", "codes", "hidden"),
    [
        ((), [], 1),
        (("--ignore", "D7"), [], 1),
        (("--select", "D3"), [], 0),
        (("--ignore", "D401"), [], 0),
        (("--notes", "--ignore", "D401"), [], 0),
        (("--notes",), ["D401"], 0),
        (("--select", "D401"), ["D401"], 0),
    ],
)
def test_notes_are_hidden(
    migrate: Migrate,
    job: Callable[[str], Path],
    options: tuple[str, ...],
    codes: list[str],
    hidden: int,
) -> None:
    run = migrate(job(NOTE), "--check", "--format", "json", *options)
    assert [f["code"] for f in run.json["findings"]] == codes
    assert summary(run)["notes_hidden"] == hidden


def test_the_text_report_says_what_is_hidden(migrate: Migrate, job: Callable[[str], Path]) -> None:
    assert "1 note left out (--notes)" in migrate(job(NOTE), "--check").out
    for source in (FINE, f"{NOTE}# migrate: ignore[D401] x\n".replace("')\n#", "')  #")):
        assert "left out" not in migrate(job(source), "--check").out
    assert "left out" not in migrate(job(NOTE), "--check", "--notes").out


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ("fail-on-bugs = true", 1),
        ("fail-on-bugs = false", 0),
        ("notes = true", 0),
        ("notes = 1", 2),
    ],
)
def test_settings_of_a_project(
    migrate: Migrate, job: Callable[[str], Path], settings: str, code: int
) -> None:
    root = job(BUG)
    (root / "pyproject.toml").write_text(f"[tool.migrate]\n{settings}\n")
    assert migrate(root, "--check").code == code


def test_a_use_with_a_bug_is_no_success() -> None:
    (site,) = [s for s in report(BUG).sites if s.name == "toDF"]
    assert site.outcome == "reported"
