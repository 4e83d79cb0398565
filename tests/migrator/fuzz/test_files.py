"""Single files: no crash, no hang, and what is written parses and is left alone by a second run."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrator.discover.filetypes import type_of
from migrator.model.report import FileReport, Report
from migrator.report.json_report import render
from migrator.run.analyse_file import analyse
from tests.support.migrator.fuzz_inputs import (
    JAVA,
    PYTHON,
    PYTHON2,
    ROUNDS,
    SCALA,
    files,
    mutated,
    programs,
    share,
)
from tests.support.migrator.parsing import parse
from tests.support.migrator.watch import watched

# about the programs that are made up, by whoever compiles them
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning"),
]


def check(name: str, data: bytes) -> FileReport:
    """Analyses a file and its result."""
    kind = type_of(name)
    assert kind is not None
    with watched(Path("/nowhere")):
        found = analyse(name, kind, data)
        again = None if found.content is None else analyse(name, kind, found.content)
    # whatever is in it can be shown
    json.loads(render(Report("x", "check", files=[found])))
    if found.content is not None and again is not None:
        parse(name, found)
        assert again.content is None
        assert [f for f in again.findings if f.is_fixed] == []
    return found


@pytest.fixture(autouse=True, scope="module")
def warm() -> None:
    """Imports and grammars before anything is watched."""
    for source in (PYTHON[0], PYTHON2[0], "import pyspark.streaming\n"):
        analyse("job.py", type_of("job.py"), source.encode())  # type: ignore[arg-type]
    for name in ("A.scala", "A.java"):
        analyse(name, type_of(name), b"org.apache.spark.streaming")  # type: ignore[arg-type]


@pytest.mark.parametrize("_round", range(ROUNDS))
@share(0.25 / ROUNDS)
@given(st.deferred(programs))
def test_programs_of_the_grammar(_round: int, source: str) -> None:
    try:
        data = source.encode()
    except UnicodeEncodeError:
        return
    found = check("job.py", data)
    assert found.status != "unreadable" or not parses(data)


def parses(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@share(0.2)
@given(mutated(PYTHON))
def test_mutated_jobs(source: str) -> None:
    check("job.py", source.encode("utf-8", "surrogatepass"))


@share(0.1)
@given(mutated(PYTHON2))
def test_mutated_python2(source: str) -> None:
    check("job.py", source.encode("utf-8", "surrogatepass"))


@share(0.1)
@given(mutated(SCALA) | mutated(JAVA), st.sampled_from(["A.scala", "A.java"]))
def test_mutated_scala_and_java(source: str, name: str) -> None:
    check(name, source.encode("utf-8", "surrogatepass"))


@share(0.2)
@given(files())
def test_files_of_any_kind(file: tuple[str, bytes]) -> None:
    check(*file)
