"""Modules that a module imports are read from the disk beside it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from migrator.discover.filetypes import FileType
from migrator.infer.around import infer_around
from migrator.infer.attributes import function_behind, parameters_of
from migrator.model.events import RddFunction
from migrator.run.taken_code import surroundings
from migrator.source.document import read_document

HANDLERS = """
from functools import partial


def save(rdd):
    pass


def write(table, rdd, mode="append"):
    pass


def many(*rdds):
    pass


async def later(rdd):
    pass


class Sink:
    def save(self, time, rdd):
        pass

    def __call__(self, rdd):
        pass

    @staticmethod
    def show(rdd):
        pass


sink = Sink()
to_users = partial(write, "users")
if sink:
    def either(rdd):
        pass
else:
    def either(time, rdd):
        pass
"""


def described(tmp_path: Path, function: str) -> RddFunction | None:
    (tmp_path / "handlers.py").write_text(HANDLERS)
    (tmp_path / "jobs").mkdir(exist_ok=True)
    (tmp_path / "jobs" / "__init__.py").write_text("from handlers import save as stored\n")
    (tmp_path / "broken.py").write_text("def save(rdd) print rdd\n")
    text = f"import handlers, jobs, broken, requests\nfrom handlers import *\nf = {function}\n"
    unit = read_document(FileType.PYTHON, text.encode()).unit
    assert unit is not None
    program = infer_around(unit, surroundings(tmp_path / "job.py"))
    statement = unit.tree.body[-1]
    assert isinstance(statement, ast.Assign)
    return parameters_of(program.facts.values[statement.value])


@pytest.mark.parametrize(
    ("function", "kind", "parameters", "required"),
    [
        ("handlers.save", "function", ("rdd",), 1),
        ("save", "function", ("rdd",), 1),
        ("jobs.stored", "function", ("rdd",), 1),
        ("Sink.show", "function", ("rdd",), 1),
        ("Sink.save", "unbound", ("self", "time", "rdd"), 3),
        ("Sink().save", "method", ("time", "rdd"), 2),
        ("sink", "object", ("rdd",), 1),
        ("handlers.to_users", "partial", ("rdd", "mode"), 1),
        ("print", "builtin", ("args",), 0),
    ],
)
def test_a_function_of_another_module(
    tmp_path: Path, function: str, kind: str, parameters: tuple[str, ...], required: int
) -> None:
    assert described(tmp_path, function) == RddFunction(kind, parameters, required)


def test_a_coroutine_only_awaits(tmp_path: Path) -> None:
    found = described(tmp_path, "later")
    assert found is not None
    assert found.awaits


@pytest.mark.parametrize("function", ["many", "either", "broken.save", "requests.post", "other"])
def test_what_is_not_certain(tmp_path: Path, function: str) -> None:
    assert described(tmp_path, function) is None


def test_the_function_that_runs(tmp_path: Path) -> None:
    (tmp_path / "handlers.py").write_text(HANDLERS)
    unit = read_document(FileType.PYTHON, b"import handlers\nf = handlers.sink\n").unit
    assert unit is not None
    program = infer_around(unit, surroundings(tmp_path / "job.py"))
    statement = unit.tree.body[-1]
    assert isinstance(statement, ast.Assign)
    info = function_behind(program.facts.values[statement.value])
    assert info is not None
    assert info.name == "__call__"
