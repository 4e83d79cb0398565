"""Images and clusters with an old Python or Spark that a program starts.

They are arguments of operators of Airflow, of containers and of clusters, the first argument of
`containers.run`, and values in dicts. A name stands for its value if it has one only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrator.collect.path_values import PathValues
from migrator.collect.required_versions import requirements_in
from migrator.collect.unit_collector import program_text
from migrator.model.events import Event, Requirement, Surroundings
from migrator.source.python import Unit

_HINT = re.compile(
    r"python:2|spark[\w-]*:(?:spark-|v)?\d|emr-\d|spark_version|lue_?[vV]ersion|mage_?[vV]ersion"
)
_KEYS = frozenset(
    {
        *("image", "ReleaseLabel", "release_label", "spark_version"),
        *("image_version", "imageVersion", "GlueVersion", "glue_version"),
    }
)
_DATAPROC = re.compile(r"\w*Dataproc\w*|ClusterGenerator")
_VALUE = re.compile(r"[\w./:-]+")
# whose image runs a program; others may do anything with it
_RUNS = re.compile(r"\w*Operator|V1Container|docker|kubernetes|run|create")
_STARTS = frozenset({"run", "create"})


@dataclass(frozen=True, slots=True)
class _Given:
    """What is named, by which key, and the call that runs it, if that is seen."""

    key: str
    value: ast.expr
    call: ast.Call | None


def host_events(unit: Unit) -> Iterator[Event]:
    """Yield a requirement for each of these images and clusters."""
    if not any(_HINT.search(chunk.text) for chunk in unit.chunks):
        return
    names = PathValues(unit).names
    seen: set[ast.Constant] = set()
    for node in unit.nodes():
        for host_value in _host_values(node):
            value: ast.expr | None = host_value.value
            if isinstance(value, ast.Name):
                only = names.get(value.id) or ()
                value = only[0] if len(only) == 1 else None
                host_value = replace(host_value, call=None)
            match value:
                case ast.Constant(value=str(text)) if value not in seen:
                    for event in _requirements(unit, value, text, host_value):
                        seen.add(value)
                        yield event


def _host_values(node: ast.AST) -> Iterator[_Given]:
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            name = getattr(func, "attr", getattr(func, "id", ""))
            call = node if _RUNS.fullmatch(name) else None
            for keyword in keywords:
                if keyword.arg == "image_version" and _DATAPROC.fullmatch(name):
                    yield _Given("gcloud dataproc --image-version", keyword.value, None)
                if keyword.arg in _KEYS:
                    yield _Given(keyword.arg, keyword.value, call)
            match func:
                case ast.Attribute(attr=attr, value=ast.Attribute(attr="containers")) if (
                    args and attr in _STARTS
                ):
                    yield _Given("image", args[0], call)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                match key:
                    case ast.Constant(value=str(name)) if name in _KEYS:
                        yield _Given(name, value, None)


def _requirements(unit: Unit, node: ast.Constant, text: str, value: _Given) -> Iterator[Event]:
    if _VALUE.fullmatch(text) is None:
        return
    separator = " " if value.key.startswith("gcloud") else ": "
    for _, kind, version_text, version in requirements_in(f"{value.key}{separator}{text}"):
        at = unit.spot_of(node)
        around = None
        if _text_between_quotes(unit, node) == text:
            name = text.rpartition("/")[2]
            at = replace(at, column=at.column + 1 + len(text) - len(name))
            around = None if value.call is None else _of_call(unit, value.call)
        shown = version_text if kind == "spark" else f'image="{text}"'
        yield Requirement(at, kind, shown, version, around)


def _of_call(unit: Unit, call: ast.Call) -> Surroundings | None:
    """Return the lines of a call, which say which program the image runs."""
    around = program_text(unit, call)
    if around is None or call.end_lineno is None:
        return None
    first = unit.spot_of(call).line
    last = unit.spot(call.end_lineno, 0).line
    lines = around.text.split("\n")[first - 1 : last]
    return Surroundings("\n".join(lines), around.language, first)


def _text_between_quotes(unit: Unit, node: ast.Constant) -> str | None:
    """Return what stands between the quotes of a string in one line without a prefix."""
    chunk = unit.chunk_at(node.lineno)
    if node.end_lineno != node.lineno:
        return None
    quoted = re.fullmatch(r"([\"'])([^\"'\\]*)\1", chunk.source(node))
    return None if quoted is None else quoted[2]
