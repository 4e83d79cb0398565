"""Changes that are accepted or rejected one by one: on a terminal, and by a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.model.report import Report
from migrator.output.journal import JOURNAL
from migrator.run.apply_fixes import apply_fixes
from migrator.run.changes import changes_of, keep_accepted
from migrator.run.migrate import analyse
from migrator.run.options import Mode, Options
from tests.support.migrator.answers import END, INTERRUPT, answered
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
PROJECTS = Path(__file__).parents[1] / "projects"
REQUIREMENTS = "pyspark>=2.1,<3\n"
COMMENT = "# migrate: ignore[{}] rejected\n"


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "a.py").write_text(JOB)
    (folder / "b.py").write_text(JOB)
    (folder / "requirements.txt").write_text(REQUIREMENTS)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def moved(text: str) -> bool:
    return "dstream_compat" in text


def accept_file(folder: Path, keys: list[tuple[str, str]]) -> Path:
    path = folder.parent / "accepted.json"
    changes = [{"key": key, "path": name} for name, key in keys]
    path.write_text(json.dumps({"migrate_accepted": 1, "changes": changes}))
    return path


def keys_of(folder: Path, **options: str) -> list[tuple[str, str]]:
    report, _ = analyse(Options((folder,), Mode.CHECK, cache=False, **options))
    return [(change.path, change.key) for change in changes_of(report)]


@pytest.mark.slow
def test_answers(jobs: Path) -> None:
    dialog = answered(["jobs", "--interactive", "--in-place"], ["y", "n", "?", "y"], jobs.parent)

    found = contents(jobs)
    assert [moved(found[name]) for name in ("a.py", "b.py")] == [True, False]
    assert found["requirements.txt"] == "pyspark>=4.1,<5\n"
    assert "+from dstream_compat import StreamingContext" in dialog.text
    assert "D101 import: `from pyspark.streaming import StreamingContext` becomes" in dialog.text
    assert "(3/3) Make this change [y,n,a,q,?]? " in dialog.text
    assert "print this help" in dialog.text
    assert "not rewritten: the change was not accepted" in dialog.text
    assert dialog.code == 1


@pytest.mark.slow
def test_quit_makes_what_was_accepted_before(jobs: Path) -> None:
    dialog = answered(["jobs", "--interactive", "--in-place"], ["y", "q"], jobs.parent)

    found = contents(jobs)
    assert dialog.code == 1
    assert [moved(text) for _, text in sorted(found.items())] == [True, False, False]


@pytest.mark.slow
def test_all_of_a_file(tmp_path: Path) -> None:
    project = tmp_path / "jobs"
    project.mkdir()
    job = JOB.replace("ssc.start()", "for key in {}.iterkeys():\n    pass\nssc.start()")
    (project / "a.py").write_text(job)
    (project / "b.py").write_text(job)

    dialog = answered(["jobs", "--interactive", "--in-place"], ["a", "n", "n"], tmp_path)

    found = contents(project)
    assert moved(found["a.py"]) and "iterkeys" not in found["a.py"]
    assert found["b.py"] == job
    assert dialog.text.count("Make this change") == 3


@pytest.mark.slow
@pytest.mark.parametrize("answer", [INTERRUPT, END])
def test_nothing_is_written_if_the_dialog_breaks_off(jobs: Path, answer: str) -> None:
    before = contents(jobs)

    dialog = answered(["jobs", "--interactive", "--in-place"], ["y", answer], jobs.parent)

    assert dialog.code == (130 if answer is INTERRUPT else 2)
    assert ("interrupted" if answer is INTERRUPT else "nothing was written") in dialog.text
    assert contents(jobs) == before
    assert not (jobs / JOURNAL).exists()


@pytest.mark.slow
def test_interactive_writes_a_copy_without_in_place(jobs: Path) -> None:
    before = contents(jobs)

    answered(["jobs", "--interactive"], ["n", "y", "n"], jobs.parent)

    assert contents(jobs) == before
    copy = contents(jobs.with_name("jobs-migrated"))
    assert (copy["a.py"], moved(copy["b.py"])) == (JOB, True)


@pytest.mark.slow
def test_rejected_changes_are_remembered(migrate: Migrate, jobs: Path) -> None:
    command = ["jobs", "--interactive", "--in-place", "--add-ignores"]

    dialog = answered(command, ["n", "y", "n"], jobs.parent)

    found = contents(jobs)
    line = "from pyspark.streaming import StreamingContext"
    assert found["a.py"] == JOB.replace(line, f"{line}  {COMMENT.format('D101').strip()}")
    assert moved(found["b.py"])
    assert found["requirements.txt"] == COMMENT.format("D905") + REQUIREMENTS
    assert "Comments ignore 2 rejected findings" in dialog.text
    assert dialog.code == 0
    # nothing is asked again, and one undo is enough
    again = migrate(jobs, "--check")
    assert (again.code, "2 ignored by comments" in again.out) == (0, True)
    migrate("undo", jobs)
    assert contents(jobs) == {"a.py": JOB, "b.py": JOB, "requirements.txt": REQUIREMENTS}


@pytest.mark.slow
def test_a_rejected_structured_job_stays(migrate: Migrate, jobs: Path) -> None:
    command = ["jobs", "--interactive", "--in-place", "--add-ignores", "--target", "structured"]

    dialog = answered(command, ["n", "y", "y"], jobs.parent)

    found = contents(jobs)
    assert "the job becomes Structured Streaming: portable" in dialog.text
    assert "ignore[D101] rejected" in found["a.py"]
    assert "readStream" in found["b.py"]
    assert dialog.code == 0, dialog.text
    run = migrate(jobs, "--target", "structured", "--check", "--format", "json")
    assert run.json["summary"]["files_rewritten"] == 0
    (reason,) = [f for f in run.json["findings"] if f["code"] == "D860"]
    assert reason["message"].endswith("[IGNORED]")


def test_accepted_changes_of_a_file(migrate: Migrate, jobs: Path) -> None:
    keys = keys_of(jobs)
    assert [name for name, _ in keys] == ["a.py", "b.py", "requirements.txt"]

    run = migrate(jobs, "--in-place", "--accept", accept_file(jobs, keys[1:]))

    found = contents(jobs)
    assert found["a.py"] == JOB
    assert moved(found["b.py"]) and found["requirements.txt"] == "pyspark>=4.1,<5\n"
    assert run.err == ""
    assert run.code == 1


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--target", "structured")])
def test_everything_accepted_is_a_run_as_usual(
    migrate: Migrate, jobs: Path, options: tuple[str, ...]
) -> None:
    target = options[1] if options else "compat"
    path = accept_file(jobs, keys_of(jobs, target=target))

    assert migrate(jobs, *options, "--diff", "--accept", path).out == (
        migrate(jobs, *options, "--diff").out
    )


def test_nothing_accepted_writes_nothing(migrate: Migrate, jobs: Path) -> None:
    before = contents(jobs)

    run = migrate(jobs, "--in-place", "--accept", accept_file(jobs, []))

    assert contents(jobs) == before
    assert run.code == 1


@pytest.mark.slow
@pytest.mark.parametrize("target", ["compat", "structured"])
def test_golden_projects_become_what_is_accepted(target: str) -> None:
    """All, none and half of the changes of every kind of project."""

    def report() -> Report:
        found, _ = analyse(
            Options((PROJECTS,), Mode.CHECK, cache=False, target=target, unsafe_fixes=True)
        )
        return found

    usual = report()
    apply_fixes(usual)
    expected = {file.path: file.content for file in usual.files if file.content is not None}
    everything, nothing, half = report(), report(), report()
    changes = changes_of(everything)
    assert len({change.key for change in changes}) == len(changes) >= len(expected)
    assert all(change.before != change.after and change.reasons for change in changes)

    keep_accepted(everything, changes)
    apply_fixes(everything)
    assert {f.path: f.content for f in everything.files if f.content is not None} == expected
    keep_accepted(nothing, [])
    apply_fixes(nothing)
    assert [file.path for file in nothing.files if file.content is not None] == []
    some = changes_of(half)[::2]
    keep_accepted(half, some)
    apply_fixes(half)
    changed = {file.path for file in half.files if file.content is not None}
    assert {change.path for change in some if change.is_rewriting} <= changed
    assert changed <= {change.path for change in some}


def test_changes_that_have_become_others_are_not_made(migrate: Migrate, jobs: Path) -> None:
    path = accept_file(jobs, keys_of(jobs))
    line = "from pyspark.streaming import StreamingContext"
    (jobs / "a.py").write_text(JOB.replace(line, f"{line} as Context\nStreamingContext = Context"))
    # lines may move
    (jobs / "b.py").write_text("# a comment\n\n" + JOB)

    run = migrate(jobs, "--in-place", "--accept", path)

    assert "1 of 3 changes in" in run.err and "(a.py)" in run.err
    found = contents(jobs)
    assert [moved(found[name]) for name in ("a.py", "b.py")] == [False, True]


def test_accept_with_add_ignores(migrate: Migrate, jobs: Path) -> None:
    path = accept_file(jobs, keys_of(jobs)[:1])

    run = migrate(jobs, "--in-place", "--add-ignores", "--accept", path)

    assert run.code == 0, run.out
    found = contents(jobs)
    assert moved(found["a.py"])
    assert "ignore[D101] rejected" in found["b.py"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        ("{", "no list of accepted changes"),
        ("[]", "no list of accepted changes"),
        ('{"migrate_accepted": 1, "changes": [{"path": "a"}]}', "no list of accepted changes"),
        ('{"migrate_accepted": 2, "changes": []}', "version 2"),
    ],
)
def test_wrong_files_of_accepted_changes(
    migrate: Migrate, jobs: Path, content: str | None, message: str
) -> None:
    path = jobs.parent / "accepted.json"
    if content is not None:
        path.write_text(content)

    run = migrate(jobs, "--in-place", "--accept", path)

    assert run.code == 2
    assert message in run.err
    assert contents(jobs)["a.py"] == JOB


def test_no_terminal(migrate: Migrate, jobs: Path) -> None:
    run = migrate(jobs, "--interactive", "--in-place")

    assert run.code == 2
    assert "asks on a terminal, and standard input is none" in run.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--interactive", "--accept", "x"), "use one of them"),
        (("--interactive", "--check"), "cannot be used together"),
        (("--interactive", "--diff"), "cannot be used together"),
        (("--interactive", "--format", "json"), "leave out --format"),
        (("--interactive", "--fleet"), "is for one project"),
        (("--add-ignores", "--fleet"), "is for one project"),
        (("--add-ignores", "--check"), "cannot be used together"),
        (("--add-ignores", "--output", "x"), "cannot be used together"),
        (("--add-ignores", "--accept", "x"), "add --in-place"),
        (("--accept", ""), "--accept is empty"),
    ],
)
def test_options_that_contradict_each_other(
    migrate: Migrate, jobs: Path, options: tuple[str, ...], message: str
) -> None:
    run = migrate(jobs, *options)

    assert run.code == 2
    assert message in run.err
