"""Runs inference over the text of modules, and shows values in a short form.

A kind by its name, `DStream`; `DStream?` if it is only probable; `RDD (batch)` with its tag.
`[X]` for a sequence, `(X, Y)` for a tuple, `{'a': X, ...Y}` for a dict; `f()` for a function, `A`
for a class, `A()` for an object of it; alternatives in order, `unknown` last; `nothing` for none.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable

from migrator.discover.filetypes import FileType
from migrator.infer import fixpoint
from migrator.infer.calls import SPECIAL
from migrator.infer.program import Program, Project
from migrator.infer.values import (
    BOTTOM,
    OTHER,
    Atom,
    Function,
    Jvm,
    LocalClass,
    LocalObj,
    Map,
    Method,
    Module,
    Obj,
    Partial,
    Ref,
    Seq,
    Tuple,
    Value,
)
from migrator.model.locate import ModuleIndex
from migrator.source.document import read_document
from migrator.source.python import Unit

# functions of other modules that inference knows
KNOWN_FUNCTIONS = frozenset(SPECIAL)
HEAD = """\
from pyspark import RDD, SparkContext
from pyspark.streaming import DStream, StreamingContext
sc = SparkContext()
ssc = StreamingContext(sc, 1)
s = ssc.textFileStream("x")
rdd = sc.textFile("x")
"""


def unit_of(source: str) -> Unit:
    """The parsed text of a module."""
    unit = read_document(FileType.PYTHON, textwrap.dedent(source).encode()).unit
    assert unit is not None
    return unit


def infer_modules(files: dict[str, str], full: Iterable[str] | None = None) -> dict[str, Program]:
    """The modules of a tree after inference; `full` are those with DStream code, or all."""
    units = {file: unit_of(text) for file, text in files.items()}
    project = Project(ModuleIndex(files), units.get, lambda file: ())
    for file in files if full is None else full:
        fixpoint.add_module(project, file, units[file], True)
    fixpoint.infer(project)
    return project.programs


def infer_text(source: str, head: str = HEAD) -> Program:
    """A module by itself after inference."""
    return fixpoint.infer_alone(unit_of(head + textwrap.dedent(source)))


def value_at_end(program: Program) -> Value:
    """The value of the last expression of a module."""
    last = program.tree.body[-1]
    assert isinstance(last, ast.Expr)
    # facts leave out what is no object of Spark by its syntax
    return program.facts.values.get(last.value, OTHER)


def value_of(source: str, head: str = HEAD) -> str:
    """The value of the last expression of a text."""
    return show(value_at_end(infer_text(source, head)))


def value_in(files: dict[str, str], file: str = "job.py") -> str:
    """The value of the last expression of one of several modules."""
    return show(value_at_end(infer_modules(files)[file]))


def show(value: Value) -> str:
    """A value in short."""
    parts = sorted(map(_show_atom, value.atoms))
    if value.unknown:
        parts.append("too many" if value.wide else "unknown")
    return " | ".join(parts) or "nothing"


def _show_atom(atom: Atom) -> str:
    match atom:
        case Obj(kind, probable, _, tag):
            return f"{kind}{'?' * probable}{f' ({tag})' if tag else ''}"
        case Ref(path, probable) | Module(path, probable):
            return f"{path}{'?' * probable}"
        case Method(owner, name):
            return f"{_show_atom(owner)}.{name}"
        case Function(info, owner):
            return f"{f'{_show_atom(owner)}.' if owner else ''}{info.name}()"
        case Partial(function, args, keywords):
            given = [*map(show, args), *(f"{k}={show(v)}" for k, v in keywords)]
            return f"partial({', '.join([_show_atom(function), *given])})"
        case LocalClass(info):
            return info.node.name
        case LocalObj(info, base_view):
            return f"{info.node.name}(){' as base' * base_view}"
        case Seq(item):
            return f"[{show(item)}]"
        case Tuple(items):
            return f"({', '.join(map(show, items))})"
        case Map(known, rest):
            pairs = [f"{key!r}: {show(item)}" for key, item in known]
            pairs += [f"...{show(rest)}"] if rest != BOTTOM else []
            return f"{{{', '.join(pairs)}}}"
        case Jvm(path):
            return f"jvm {path}"
