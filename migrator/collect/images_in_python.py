"""Images of Docker with an old Python or Spark that a program starts.

They are the argument `image` of an operator of Airflow or of a container, the first one of
`containers.run`, and values of `image` in dicts. A name stands for its value if it has one only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrator.collect.program_text import program_text
from migrator.collect.required_versions import requirements_in
from migrator.model.events import Event
from migrator.model.requirement_events import Requirement, Surroundings
from migrator.source.python import Unit

_HINT = re.compile(r"(?:python:2|spark[\w-]*:(?:spark-|v)?\d)")
_IMAGE = re.compile(r"[\w./:-]+")
# whose image runs a program; others may do anything with it
_RUNS = re.compile(r"\w*Operator|V1Container|docker|kubernetes|run|create")
_STARTS = frozenset({"run", "create"})


@dataclass(frozen=True, slots=True)
class _Given:
    """What is an image, and the call that runs it, if that is seen."""

    value: ast.expr
    call: ast.Call | None


def image_events(unit: Unit) -> Iterator[Event]:
    """A requirement for each of these images."""
    if not any(_HINT.search(chunk.text) for chunk in unit.chunks):
        return
    names = _constants(unit)
    seen: set[ast.Constant] = set()
    for node in unit.nodes():
        for given in _given(node):
            value: ast.expr | None = given.value
            if isinstance(value, ast.Name):
                value = names.get(value.id)
                given = _Given(given.value, None)
            match value:
                case ast.Constant(value=str(image)) if value not in seen:
                    seen.add(value)
                    yield from _requirements(unit, value, image, given.call)


def _given(node: ast.AST) -> Iterator[_Given]:
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            name = getattr(func, "attr", getattr(func, "id", ""))
            call = node if _RUNS.fullmatch(name) else None
            yield from (_Given(k.value, call) for k in keywords if k.arg == "image")
            match func:
                case ast.Attribute(attr=attr, value=ast.Attribute(attr="containers")) if (
                    args and attr in _STARTS
                ):
                    yield _Given(args[0], call)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "image":
                    yield _Given(value, None)


def _constants(unit: Unit) -> dict[str, ast.Constant]:
    """The names of a program that are bound once, to a constant."""
    bound: dict[str, list[ast.expr | None]] = {}
    for node in unit.nodes():
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                bound.setdefault(name, []).append(None)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
    # each assignment binds its target as well
    return {
        name: value
        for name, values in bound.items()
        if len(values) == 2
        for value in values
        if isinstance(value, ast.Constant)
    }


def _requirements(
    unit: Unit, node: ast.Constant, image: str, call: ast.Call | None
) -> Iterator[Event]:
    if _IMAGE.fullmatch(image) is None:
        return
    for _, kind, found, version in requirements_in(f"image: {image}"):
        name = image.rpartition("/")[2]
        shown = found if kind == "spark" else f'image="{image}"'
        at = unit.spot(node.lineno, node.col_offset)
        around = None if call is None else _of_call(unit, call)
        written = _written(unit, node)
        if written != image:
            around = None
        else:
            at = replace(at, column=at.column + 1 + len(image) - len(name))
        yield Requirement(at, kind, shown, version, around)


def _of_call(unit: Unit, call: ast.Call) -> Surroundings | None:
    """The lines of a call, which say which program the image runs."""
    around = program_text(unit, call)
    if around is None or call.end_lineno is None:
        return None
    first = unit.spot(call.lineno, call.col_offset).line
    last = unit.spot(call.end_lineno, 0).line
    lines = around.text.split("\n")[first - 1 : last]
    return Surroundings("\n".join(lines), around.language, first)


def _written(unit: Unit, node: ast.Constant) -> str | None:
    """What stands between the quotes of a string in one line without a prefix, None otherwise."""
    chunk = unit.chunk_at(node.lineno)
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return None
    line = chunk.lines[node.lineno - chunk.first_line].encode("utf-8", "surrogatepass")
    literal = line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")
    quoted = re.fullmatch(r"([\"'])([^\"'\\]*)\1", literal)
    return None if quoted is None else quoted[2]
