"""Fixes in a run: which are made, beside which, and what keeps them from it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.spark.versions import Target, installed_spark
from tests.support.migrator.fixes import fixed_report
from tests.support.migrator.notebooks import notebook
from tests.support.migrator.runs import JOB, Run
from tests.support.programs import program

Migrate = Callable[..., Run]
OLD = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
NEW = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{installed_spark()}"
SUBMIT = f"spark-submit --packages {OLD} jobs/job.py\n"
BOTH = f"P = '--packages {OLD} pyspark-shell'\n{JOB}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "jobs").mkdir(parents=True)
    (root / "jobs/job.py").write_text(BOTH)
    (root / "run.sh").write_text(SUBMIT)
    return root


def test_files_are_rewritten(migrate: Migrate, root: Path) -> None:
    run = migrate(root, "--in-place")
    assert run.code == 0
    assert (root / "run.sh").read_text() == SUBMIT.replace(OLD, NEW)
    program = (root / "jobs/job.py").read_text()
    assert program == BOTH.replace(OLD, NEW).replace("pyspark.streaming", "dstream_compat")
    again = migrate(root, "--check", "--no-cache")
    assert (again.code, "0 files would be rewritten" in again.out) == (0, True)


def test_from_the_cache(migrate: Migrate, root: Path) -> None:
    runs = [migrate(root, "--check", "--format", "json").json for _ in range(2)]
    assert runs[0] == runs[1]
    fixed = [(f["path"], f["code"], f["safety"]) for f in runs[0]["findings"] if f["fixed"]]
    assert fixed == [
        ("jobs/job.py", "D901", "safe"),
        ("jobs/job.py", "D101", "safe"),
        ("run.sh", "D901", "safe"),
    ]


def test_a_patch(migrate: Migrate, root: Path) -> None:
    run = migrate(root, "--diff")
    assert f"-{SUBMIT}+{SUBMIT.replace(OLD, NEW)}" in run.out
    assert (root / "run.sh").read_text() == SUBMIT


@pytest.mark.parametrize(
    ("option", "imports", "packages"),
    [("--select=D901", False, True), ("--ignore=D901", True, False), ("--select=D1", True, False)],
)
def test_chosen_rules(
    migrate: Migrate, root: Path, option: str, imports: bool, packages: bool
) -> None:
    migrate(root, "--in-place", option)
    program = (root / "jobs/job.py").read_text()
    assert ("dstream_compat" in program, NEW in program) == (imports, packages)
    assert (NEW in (root / "run.sh").read_text()) is packages


def test_a_comment_keeps_one_place(migrate: Migrate, root: Path) -> None:
    text = f"{SUBMIT}x --packages {OLD} b.py  # migrate: ignore[D901] old cluster\n"
    (root / "run.sh").write_text(text)
    assert migrate(root, "--in-place").code == 0
    assert (root / "run.sh").read_text() == text.replace(OLD, NEW, 1)


def test_an_ignored_import_keeps_imports_only(migrate: Migrate, root: Path) -> None:
    text = BOTH.replace(
        "import StreamingContext", "import StreamingContext  # migrate: ignore[D101]"
    )
    (root / "jobs/job.py").write_text(text)
    migrate(root, "--in-place")
    assert (root / "jobs/job.py").read_text() == text.replace(OLD, NEW)


def test_a_baseline_hides_a_fix_in_checks_only(migrate: Migrate, root: Path) -> None:
    baseline = root / "baseline.json"
    migrate(root, "--write-baseline", baseline)
    assert migrate(root, "--check", "--baseline", baseline).code == 0
    migrate(root, "--in-place", "--baseline", baseline)
    assert (root / "run.sh").read_text() == SUBMIT.replace(OLD, NEW)


def test_only_changed_lines(migrate: Migrate, root: Path) -> None:
    def git(*arguments: str) -> None:
        command = [program("git"), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "a")
    text = SUBMIT + SUBMIT.replace("job.py", "b.py")
    (root / "run.sh").write_text(text)
    migrate(root, "--in-place", "--allow-dirty", "--diff-base", "HEAD")
    assert (root / "run.sh").read_text() == SUBMIT + text[len(SUBMIT) :].replace(OLD, NEW)
    assert (root / "jobs/job.py").read_text() == BOTH


def test_unsafe_fixes_are_asked_for(migrate: Migrate, root: Path) -> None:
    text = "# for pyspark.streaming\nspark-submit --packages a.b:c_2.11:1.0 jobs/job.py\n"
    (root / "run.sh").write_text(text)
    migrate(root, "--in-place")
    assert (root / "run.sh").read_text() == text
    run = migrate(root, "--in-place", "--unsafe-fixes", "--format", "json").json
    assert (root / "run.sh").read_text() == text.replace("2.11", "2.13")
    assert [(f["code"], f["safety"], f["fixed"]) for f in run["findings"]] == [
        ("D902", "unsafe", True)
    ]


def test_cells_of_a_notebook() -> None:
    text = notebook(
        f"!spark-submit --packages {OLD} a.py\n",
        f"import os\nos.environ['P'] = '--packages {OLD} pyspark-shell'\n",
        f"%%bash\nspark-submit \\\n --packages {OLD} \\\n  a.py\n",
        JOB,
        indent=None,
    )
    found = fixed_report("a.ipynb", text)
    assert found.content is not None
    expected = text.replace(OLD, NEW).replace(
        "from pyspark.streaming import Str", "from dstream_compat import Str"
    )
    assert found.content.decode() == expected
    assert json.loads(found.content)["nbformat"] == 4


def test_text_cells_of_a_notebook() -> None:
    content = json.loads(notebook(JOB))
    text = f"# Run\n\nIt needs {OLD}.\n\n    spark-submit --packages {OLD} a.py\n"
    content["cells"][0]["source"] = text.splitlines(keepends=True)
    found = fixed_report("a.ipynb", json.dumps(content))
    assert [(f.at.cell, f.at.line) for f in found.findings if f.code == "D901"] == [(1, 5)]
    assert found.content is not None
    after = json.loads(found.content)
    assert "".join(after["cells"][0]["source"]) == text.replace(
        f"packages {OLD}", f"packages {NEW}"
    )


@pytest.mark.parametrize("name", ["notes.md", "docs/RUN.rst", "run.txt", "a.adoc"])
def test_texts_for_people(name: str) -> None:
    text = f"It needs {OLD}:\n\n  $ {SUBMIT}\n```\nresolved {OLD}\n```\n"
    found = fixed_report(name, text)
    assert found.content == text.replace(SUBMIT, SUBMIT.replace(OLD, NEW)).encode()


def test_a_result_that_would_not_parse_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Target, "package", lambda self, name: '"x')
    found = fixed_report("a.json", f'["--packages", "{OLD}", "a.py"]\n')
    assert found.content is None
    (finding,) = found.findings
    assert not finding.is_fixed and finding.advice
    assert finding.message.endswith("; not rewritten: the result would not parse")


def test_a_result_that_changes_again_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Target, "package", lambda self, name: OLD + ".1")
    found = fixed_report("a.sh", SUBMIT)
    assert found.content is None
    assert "a second run would change the result again" in found.findings[0].message


def test_what_cannot_be_written_back_is_left() -> None:
    found = fixed_report("a.sh", SUBMIT.encode("utf-16"))
    assert found.content is None
    assert [f.is_fixed for f in found.findings] == [False]


def test_fixes_that_share_an_edit_are_made_together() -> None:
    flume = "org.apache.spark:spark-streaming-flume_2.11:2.4.8"
    mqtt = "org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0"
    found = fixed_report("a.sh", f"x --packages {flume},{mqtt} a.py\n")
    assert (found.content, [f.is_fixed for f in found.findings]) == (b"x a.py\n", [True, True])
