"""Tests stand in the folders of what they test."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ["dstream_compat", "migrator"]
# folders of tests that no folder of a package has: tests of the whole, and inputs
OTHER = {
    "dstream_compat/checkpoint/fixtures": "checkpoints that releases of this package have written",
    "dstream_compat/differential": "whole pipelines, compared with Spark's DStreams",
    "dstream_compat/old_checkpoint/fixtures": "checkpoints that PySpark 3.5 has written",
    "dstream_compat/recovery": "whole jobs that are killed and go on",
    "migrator/fuzz": "whole runs over random files",
    "migrator/golden": "files before and after a run, with their findings",
    "migrator/input_projects": "projects in Python 2, Scala and Java, which runs read",
    "migrator/projects": "projects whose jobs run before and after their migration",
    "migrator/python2/behaviour": "Python 2, and what Python 2.7 computes of it",
    "migrator/python2_projects": "projects in Python 2 whose jobs run after their conversion",
    "migrator/run/python2_outputs": "what jobs in Python 2 have printed",
    "migrator/schemas": "the schema that a report in SARIF has to fit",
    "migrator/structured/by_hand": "jobs of Structured Streaming that a person has written",
    "migrator/structured/goldens": "jobs and their rewriting, with the batches that both read",
    "migrator/structured/refused": "jobs that stay as they are, with the reason",
    "migrator/verify/planted": "jobs with faults that a verification has to find",
    "migrator/verify/recorded": "batches that were recorded from live sources",
}
# folders of a package whose tests stand elsewhere
ELSEWHERE = {
    "dstream_compat/testing/client_start": "workers run it, in migrator/verify/test_sending.py",
    "migrator": "its modules are the command, which tests of cli call, and classes of errors",
    "migrator/report/page": "parts of one page, which report/test_html_browser.py opens",
    "migrator/source/fixers": "steps of one conversion, which python2/test_behaviour.py runs",
}


def unknown_folders(tests: Path, package: Path, known: Collection[str]) -> list[str]:
    """Return the folders of tests that are no folder of a package and not known either."""
    name = package.name
    found = {
        above.as_posix()
        for file in tests.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
        for above in file.relative_to(tests).parents[:-1]
        if not any(f"{name}/{each.as_posix()}" in known for each in [above, *above.parents])
        if not any((package / above).glob("*.py"))
    }
    return sorted(f"{name}/{each}" for each in found)


def untested_folders(tests: Path, package: Path) -> list[str]:
    """Return the folders of a package with code that have no test in the folder of that name."""
    folders = {
        file.parent.relative_to(package)
        for file in package.rglob("*.py")
        if file.name != "__init__.py"
    }
    untested = [each for each in folders if not any((tests / each).glob("test_*.py"))]
    return sorted((Path(package.name) / each).as_posix() for each in untested)


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKAGES)
def test_tests_have_the_folders_of_the_package(name: str) -> None:
    assert unknown_folders(ROOT / "tests" / name, ROOT / name, OTHER) == []


@pytest.mark.parametrize("name", PACKAGES)
def test_folders_of_the_package_have_tests(name: str) -> None:
    found = untested_folders(ROOT / "tests" / name, ROOT / name)
    assert found == [each for each in ELSEWHERE if each.partition("/")[0] == name]


def test_exceptions_are_needed() -> None:
    assert [each for each in OTHER if not (ROOT / "tests" / each).is_dir()] == []
    assert [each for each in OTHER if any((ROOT / each).glob("*.py"))] == []


def test_folders_that_do_not_fit_are_found(tmp_path: Path) -> None:
    files = (
        *("p/a/one.py", "p/a/b/two.py", "p/c/__init__.py", "p/d/four.py"),
        *("tests/a/test_one.py", "tests/a/b/conftest.py", "tests/e/test_five.py"),
        *("tests/inputs/job/job.py", "tests/a/f/data.json"),
    )
    for file in files:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    tests, package = tmp_path / "tests", tmp_path / "p"
    assert unknown_folders(tests, package, ["p/inputs"]) == ["p/a/f", "p/e"]
    assert untested_folders(tests, package) == ["p/a/b", "p/d"]
