"""Streams in tuples, lists and dicts that are written down: each by a name of its own."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrator.spark.kinds import STREAMS

from ..program.bindings import uses
from ..program.modules import SourceModule
from ..program.values import holds, is_in_batch
from .edits import (
    LineEdit,
    Span,
    edit_of_spans,
    edits_of_spans,
    has_long_text,
    instead,
    is_in_place,
    one_line,
    with_edits,
)

Key = str | int


def unfold_container(module: SourceModule) -> SourceModule | None:
    """Return a module in which streams of a container have names; None if all have."""
    for statement in ast.walk(module.tree):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Dict() | ast.Tuple() | ast.List()
            ) if not is_in_batch(module, statement):
                parts = _Container.of(module, statement, name)
                unfolded = None if parts is None else parts.unfold()
                if unfolded is not None:
                    return unfolded
    return None


@dataclass
class _Container:
    """A container with streams.

    Parameters
    ----------
    module : SourceModule
        the module
    statement : ast.Assign
        where it is made
    name : str
        its name
    parts : dict of key to (expr, stmt)
        what it has, each with the statement that puts it there
    loads : list of ast.Name
        where it is read
    """

    module: SourceModule
    statement: ast.Assign
    name: str
    parts: dict[Key, tuple[ast.expr, ast.stmt]]
    loads: list[ast.Name]

    @classmethod
    def of(cls, module: SourceModule, statement: ast.Assign, name: str) -> _Container | None:
        """Return the container; None if it has no stream, or more than is written down."""
        uses_found = uses(module.function(statement), name)
        if len(uses_found) != len(uses(module.tree, name)) or not all(
            is_in_place(module, each) for each in uses_found
        ):
            return None
        parts: dict[Key, tuple[ast.expr, ast.stmt]] = {}
        match statement.value:
            case ast.Dict(keys=keys, values=values):
                for node, value in zip(keys, values, strict=True):
                    if not isinstance(node, ast.Constant) or not isinstance(node.value, str | int):
                        return None
                    parts[node.value] = value, statement
            case ast.Tuple(elts=values) | ast.List(elts=values):
                if any(isinstance(value, ast.Starred) for value in values) or not values:
                    return None
                parts = {place: (value, statement) for place, value in enumerate(values)}
        loads = []
        beside = _block(module, statement)
        for each in uses_found:
            if each is statement.targets[0]:
                continue
            parent = module.parents[each]
            match parent, module.parents[parent]:
                case ast.Subscript(
                    slice=ast.Constant(value=str() | int() as key), ctx=ast.Store()
                ), ast.Assign(targets=[target], value=value) as store if target is parent:
                    if key in parts or store not in beside:
                        return None
                    parts[key] = value, store
                case _:
                    loads.append(each)
        if isinstance(statement.value, ast.List) and not any(
            isinstance(module.parents[load], ast.For | ast.comprehension | ast.Assign)
            for load in loads
        ):
            # the reader knows lists
            return None
        if not any(holds(module.facts.values.get(value), STREAMS) for value, _ in parts.values()):
            return None
        last = max(store.lineno for _, store in parts.values())
        if any(load.lineno <= last for load in loads):
            return None
        return cls(module, statement, name, parts, loads)

    def unfold(self) -> SourceModule | None:
        """Return the module without the container, or without a loop over it as such."""
        module = self.module
        if not all(isinstance(value, ast.Name) for value, _ in self.parts.values()):
            return self._with_names()
        spans: list[Span] = []
        left = False
        for node in self.loads:
            span = self._span(node)
            if span is None:
                left = True
            else:
                spans.append(span)
        gone = []
        if not left:
            stores = dict.fromkeys(store for _, store in self.parts.values())
            gone = [
                instead(module, statement, ()) for statement in {**stores, self.statement: None}
            ]
        if not spans and not gone:
            return None
        return with_edits(module, [*gone, *edits_of_spans(module, spans)])

    def _span(self, node: ast.Name) -> Span | None:
        """Return what takes the place of a use; None if it stays."""
        module = self.module
        parent = module.parents[node]
        around = module.parents[parent]
        names = {key: ast.unparse(value) for key, (value, _) in self.parts.items()}
        is_dict = isinstance(self.statement.value, ast.Dict)
        loop: ast.AST
        whole: ast.AST
        match parent:
            case ast.Subscript(slice=ast.Constant(value=str() | int() as key), ctx=ast.Load()):
                return (*module.span(parent), names[key]) if key in names else None
            case ast.Attribute(attr="items" | "values" | "keys" as method) if (
                is_dict and isinstance(around, ast.Call) and not (around.args or around.keywords)
            ):
                loop, whole = module.parents[around], around
            case _:
                loop, whole = parent, node
                method = "keys" if is_dict else "values"
        texts = {
            "items": [f"({key!r}, {name})" for key, name in names.items()],
            "keys": [repr(key) for key in names],
            "values": [*names.values()],
        }[method]
        match loop:
            case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is whole:
                return (*module.span(iterated), f"({', '.join(texts)},)")
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if (
                value is whole and len(targets) == len(names) and not is_dict
            ):
                return (*module.span(value), ", ".join(texts))
        return None

    def _with_names(self) -> SourceModule | None:
        """Return the module in which all that the container has is computed above it."""
        module, edits = self.module, []
        above: dict[ast.stmt, list[tuple[str, int]]] = {}
        spans: dict[ast.stmt, list[Span]] = {}
        for key, (value, statement) in self.parts.items():
            if isinstance(value, ast.Name):
                continue
            if has_long_text(ast.walk(value)):
                return None
            base_name = str(key) if str(key).isidentifier() else f"{self.name}_{key}"
            name = module.free_name(base_name, f"{self.name}_{key}")
            above.setdefault(statement, []).append(
                (f"{name} = {one_line(module, value)}", value.lineno)
            )
            spans.setdefault(statement, []).append((*module.span(value), name))
        for statement, lines in above.items():
            first, last = module.lines_of(statement)
            pad = " " * statement.col_offset
            if module.lines[first - 1][: statement.col_offset].strip():
                return None
            rest = edit_of_spans(module, first, last, spans[statement]).lines
            lines_named = tuple((pad + text, line) for text, line in lines)
            edits.append(LineEdit(first, last, (*lines_named, *rest)))
        return with_edits(module, edits)


def _block(module: SourceModule, statement: ast.stmt) -> list[ast.stmt]:
    """Return the statements beside a statement."""
    for _, value in ast.iter_fields(module.parents[statement]):
        if isinstance(value, list) and statement in value:
            return value
    return []
