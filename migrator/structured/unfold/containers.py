"""Streams in tuples, lists and dicts that are written down: each by a name, and loops over them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.infer.scopes import default_values
from migrator.source.spans import with_spans
from migrator.spark.kinds import STREAMS

from ..program.bindings import names_of, uses
from ..program.modules import SourceModule
from ..program.values import builds_job, holds, is_in_batch
from .edits import (
    LineEdit,
    Span,
    as_line,
    comment_lines,
    edit_of_spans,
    edits_of_spans,
    has_long_text,
    indentation,
    instead,
    is_in_place,
    moved_lines,
    one_line,
    with_edits,
    without_comments,
)

Key = str | int


def unfold_container(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which streams of a container have names."""
    for statement in ast.walk(module.tree):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Dict() | ast.Tuple() | ast.List()
            ) if not is_in_batch(module, statement):
                parts = _Container.of(module, statement, name)
                yield None if parts is None else parts.unfold()


@dataclass
class _Container:
    """A container with streams.

    Parameters
    ----------
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
        gone_through = ast.For | ast.comprehension | ast.Assign
        parents = (module.parents[load] for load in loads)
        if isinstance(statement.value, ast.List) and not any(
            isinstance(parent, gone_through) for parent in parents
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


MOST = 20
"""How many rounds are written down."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def unfold_loop(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules with the rounds of a loop that builds streams one by one, if it goes over a
    list that is written down.
    """
    for node in ast.walk(module.tree):
        if is_in_batch(module, node):
            continue
        result = None
        if isinstance(node, ast.For) and not node.orelse:
            result = _of_loop(module, node)
        elif isinstance(node, ast.ListComp):
            result = _of_list(module, node)
        if result is not None:
            yield with_edits(module, [result])


def _of_loop(module: SourceModule, loop: ast.For) -> LineEdit | None:
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if not any(builds_job(module, statement) for statement in loop.body):
        return None
    if any(isinstance(e, ast.Break | ast.Continue | ast.Return | ast.Yield) for e in inside):
        return None
    rounds = _rounds(module, loop.target, loop.iter)
    names = names_of(loop.target)
    within = {*inside, *ast.walk(loop.target)}
    for node in ast.walk(module.tree):
        # another loop gives the names values of its own
        if isinstance(node, ast.For) and not node.orelse and names <= names_of(node.target):
            within |= {
                part for statement in (node.target, *node.body) for part in ast.walk(statement)
            }
    later = any(
        isinstance(e, ast.Name) and e.id in names and e not in within for e in ast.walk(module.tree)
    )
    if rounds is None or later or not _is_plain(module, inside, names):
        return None
    if loop.body[0].lineno == loop.lineno:
        return None
    pad, inner = indentation(module, loop), indentation(module, loop.body[0])
    first, last = loop.body[0].lineno, loop.end_lineno or loop.lineno
    lines = comment_lines(module, pad, loop.lineno, first - 1)
    for number, texts in enumerate(rounds):
        moved = moved_lines(module, first, last, _spans(module, inside, texts), inner, pad)
        # a comment once is enough
        lines += without_comments(module, moved) if number else moved
    return LineEdit(loop.lineno, last, tuple(lines))


def _of_list(module: SourceModule, comprehension: ast.ListComp) -> LineEdit | None:
    inside = [*ast.walk(comprehension.elt)]
    if len(comprehension.generators) != 1 or not holds(
        module.facts.values.get(comprehension.elt), STREAMS
    ):
        return None
    (loop,) = comprehension.generators
    rounds = _rounds(module, loop.target, loop.iter)
    names = names_of(loop.target)
    if rounds is None or loop.ifs or loop.is_async or not _is_plain(module, inside, names):
        return None
    used = any(isinstance(each, ast.Name) and each.id in names for each in inside)
    receives = getattr(getattr(comprehension.elt, "func", None), "attr", "") == "createStream"
    if receives and not used:
        return None  # receivers of one group are one source
    first, last = comprehension.lineno, comprehension.end_lineno or comprehension.lineno
    if module.comments_in(first, last):
        return None
    start, end = module.span(comprehension.elt)
    text = module.text[start:end]
    spans = (_spans(module, inside, texts) for texts in rounds)
    parts = [as_line(with_spans(text, span, start)) for span in spans]
    return edit_of_spans(
        module, first, last, [(*module.span(comprehension), f"[{', '.join(parts)}]")]
    )


def _rounds(
    module: SourceModule, target: ast.expr, iterated: ast.expr
) -> list[dict[str, str]] | None:
    """Return the texts of the names of a loop in each of its rounds; None if they are not known."""
    match module.constant(iterated):
        case ast.List(elts=values) | ast.Tuple(elts=values):
            pass
        case ast.Call(func=ast.Name(id="range"), args=[*args], keywords=[]) if 0 < len(args) < 4:
            numbers = [argument.value for argument in args if isinstance(argument, ast.Constant)]
            whole = [number for number in numbers if type(number) is int]
            if len(whole) < len(args) or whole[2:] == [0]:
                return None
            values = [ast.Constant(index) for index in range(*whole)[: MOST + 1]]
        case _:
            return None
    if len(values) > MOST:
        return None
    rounds = []
    for value in values:
        match target, value:
            case ast.Name(id=name), ast.Constant() | ast.Name():
                rounds.append({name: _text(module, value)})
            case ast.Tuple(elts=names), ast.Tuple(elts=parts) if len(names) == len(parts):
                if not all(isinstance(name, ast.Name) for name in names):
                    return None
                if not all(isinstance(part, ast.Constant | ast.Name) for part in parts):
                    return None
                texts = (_text(module, part) for part in parts)
                rounds.append(dict(zip(map(ast.unparse, names), texts, strict=True)))
            case _:
                return None
    return rounds


def _text(module: SourceModule, value: ast.expr) -> str:
    return module.source(value) if hasattr(value, "lineno") else ast.unparse(value)


def _is_plain(module: SourceModule, inside: list[ast.AST], names: set[str]) -> bool:
    """Return whether names are only read, not by functions that look them up later."""
    own = _own_names(inside)
    for node in inside:
        match node:
            case ast.Name(id=name, ctx=ctx) if name in names and node not in own:
                if not (isinstance(ctx, ast.Load) and is_in_place(module, node)):
                    return False
        if isinstance(node, _FUNCTIONS):
            defaults = {inner for _, e in default_values(node) for inner in ast.walk(e)}
            used = (e for e in ast.walk(node) if isinstance(e, ast.Name) and e.id in names)
            if any(each not in defaults and each not in own for each in used):
                return False
    return not has_long_text(inside)


def _own_names(inside: list[ast.AST]) -> set[ast.AST]:
    """Return the names in lambdas that are their parameters."""
    nodes: set[ast.AST] = set()
    for node in inside:
        if isinstance(node, ast.Lambda):
            parameters = {inner.arg for inner in ast.walk(node.args) if isinstance(inner, ast.arg)}
            body = (inner for inner in ast.walk(node.body) if isinstance(inner, ast.Name))
            nodes |= {statement for statement in body if statement.id in parameters}
    return nodes


def _spans(module: SourceModule, inside: list[ast.AST], texts: dict[str, str]) -> list[Span]:
    own = _own_names(inside)
    return [
        (*module.span(each), texts[each.id])
        for each in inside
        if isinstance(each, ast.Name) and each.id in texts and each not in own
    ]
