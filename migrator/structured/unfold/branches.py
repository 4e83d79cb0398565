"""Outputs under an `if`, and streams that are tested, printed, or used as plain values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.scopes import bindings
from migrator.spark.kinds import STREAMING, STREAMS, Kind

from ..program.bindings import loads, names_of
from ..program.modules import SourceModule, calls_at_once
from ..program.values import JOB, has_any, holds, is_in_batch, is_one_of
from ..registry import OUTPUTS, SOURCES
from .edits import (
    LineEdit,
    Span,
    comment_lines,
    edit_of_spans,
    has_long_text,
    indentation,
    instead,
    is_alone,
    moved_lines,
    with_edits,
    with_name,
)


def unfold_branch(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which the outputs of an `if` are behind it: each as a statement such as
    ``lines.pprint() if debug else None``.

    Streams and functions that only such a branch makes are made in any case: a stream that no
    output reads is not computed.
    """
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.If) or is_in_batch(module, node):
            continue
        if any(isinstance(outer, ast.For | ast.While) for outer in module.around(node)):
            continue
        moved = [*_outputs_and_streams(module, node)]
        if any(isinstance(each, ast.Expr) for each, _ in moved):
            yield _without_outputs(module, node, moved)


def _outputs_and_streams(module: SourceModule, node: ast.If) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the outputs and streams of an `if`, each with its branch."""
    for body, branch in ((node.body, True), (node.orelse, False)):
        for statement in body:
            if _is_output(module, statement) or _is_stream(module, statement):
                yield statement, branch


def _is_output(module: SourceModule, statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.IfExp(body=call, orelse=ast.Constant(value=None))):
            return _is_output(module, ast.Expr(call))
        case ast.Expr(value=ast.IfExp(body=ast.Constant(value=None), orelse=call)):
            return _is_output(module, ast.Expr(call))
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))):
            return method in OUTPUTS and is_one_of(module.facts.values.get(owner), STREAMS)
    return False


def _is_stream(module: SourceModule, statement: ast.stmt) -> bool:
    """Return whether a statement names a function, or a stream that is made of others, and does
    nothing else.
    """
    match statement:
        case ast.FunctionDef(name=name, decorator_list=[]):
            plain = not (statement.args.defaults or any(statement.args.kw_defaults))
            return plain and _is_bound_once(module, statement, name)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value):
            makes_stream = is_one_of(module.facts.values.get(value), STREAMS)
            alone = makes_stream and _is_bound_once(module, statement, name)
            return alone and all(_is_still(module, call) for call in calls_at_once(value))
    return False


def _is_bound_once(module: SourceModule, statement: ast.stmt, name: str) -> bool:
    """Return whether nothing else around a statement binds a name."""
    scope = module.function(statement)
    bound = [node for node in ast.walk(scope) if name in bindings(node) and node is not scope]
    return len(bound) == 1


def _is_still(module: SourceModule, call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=owner, attr=method):
            is_stream = is_one_of(module.facts.values.get(owner), STREAMS)
            return is_stream and method not in SOURCES
    return False


def _without_outputs(
    module: SourceModule, node: ast.If, moved: list[tuple[ast.stmt, bool]]
) -> SourceModule | None:
    gone, parts = {statement for statement, _ in moved}, [*node.body, *node.orelse]
    left = [each for each in parts if each not in gone and not isinstance(each, ast.Pass)]
    if any(has_any(module, each, JOB) for each in left) or "__name__" in names_of(node.test):
        return None
    match node.test:
        case ast.Name() | ast.UnaryOp(op=ast.Not(), operand=ast.Name()):
            pass
        case _:
            return _with_named_test(module, node)
    lines = [part.lineno for part in parts]
    if len({*lines, node.lineno}) <= len(lines) or has_long_text(ast.walk(node)):
        return None
    test, edits = module.source(node.test), []
    pad = indentation(module, node)
    behind: list[tuple[str, int]] = []
    for statement, branch in moved:
        own_test = test if isinstance(statement, ast.Expr) else ""
        is_function = isinstance(statement, ast.FunctionDef)
        empty = [("", statement.lineno)] * (is_function * (1 if pad else 2))
        behind += empty
        behind += _lines_behind(module, statement, pad, own_test, branch)
        behind += empty
    last = node.end_lineno or node.lineno
    bodies = [node.body, node.orelse]
    if node.orelse and not any(statement in left for statement in node.orelse):
        edits.append(LineEdit((node.body[-1].end_lineno or 0) + 1, last))
        bodies = [node.body]
    for body in bodies:
        own = [statement for statement in body if statement in left]
        for place, statement in enumerate(body):
            if statement not in own:
                first = module.first_comment(statement)
                empty_body = f"{indentation(module, statement)}pass", statement.lineno
                lines_left = (empty_body,) * (not own and place == 0)
                edits.append(LineEdit(first, statement.end_lineno or first, lines_left))
    if not left:
        head = comment_lines(module, pad, node.lineno, module.first_comment(node.body[0]) - 1)
        edits = [LineEdit(node.lineno, last, (*head, *behind))]
        own_comments = {line for _, line in head}
        inside = {line for _, line in behind}
        for comment in module.comments_in(node.lineno, last):
            if comment.line not in own_comments | inside:
                return None
    else:
        edits.append(LineEdit(last + 1, last, tuple(behind)))
    return with_edits(module, edits)


def _lines_behind(
    module: SourceModule, statement: ast.stmt, pad: str, test: str, branch: bool
) -> list[tuple[str, int]]:
    """Return the lines of a statement of a branch behind the `if`; an output with its test."""
    first, last = module.first_comment(statement), statement.end_lineno or statement.lineno
    spans: list[Span] = []
    if test:
        start, end = module.span(statement)
        nested = isinstance(getattr(statement, "value", None), ast.IfExp)
        head, tail = ("(", ")") if nested else ("", "")
        if branch:
            spans = [(start, start, head), (end, end, f"{tail} if {test} else None")]
        else:
            spans = [(start, start, f"None if {test} else {head}"), (end, end, tail)]
    return moved_lines(module, first, last, spans, indentation(module, statement), pad)


def _is_elif(module: SourceModule, node: ast.If) -> bool:
    parent = module.parents[node]
    return isinstance(parent, ast.If) and parent.orelse == [node]


def _with_named_test(module: SourceModule, node: ast.If) -> SourceModule | None:
    """Return a module in which a test is computed where it was, under a name."""
    if _is_elif(module, node) or has_long_text(ast.walk(node.test)):
        return None
    if holds(module.facts.values.get(node.test), JOB):
        return None
    name = node.test.attr if isinstance(node.test, ast.Attribute) else "condition"
    return with_name(module, node, node.test, module.free_name(name, "condition"))


_SHOWS = frozenset(("print", "type", "str", "repr", "id", "format"))
"""Functions that say something of an object."""


def unfold_value(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules without a use of a stream or context as a plain value: tested, printed, or what
    an output gives.
    """
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.If | ast.Expr | ast.Assign) or is_in_batch(module, node):
            continue
        match node:
            case ast.If(test=test, body=body) if _is_true(module, test):
                yield _without_test(module, node, body)
            case ast.Expr(value=ast.Name() | ast.Call(func=ast.Name()) as shown) if (
                isinstance(shown, ast.Name) or getattr(shown.func, "id", "") in _SHOWS
            ):
                yield _without_display(module, node, shown)
            case ast.Assign(value=ast.Call() as call):
                yield _without_nothing(module, node, call)


def _is_true(module: SourceModule, test: ast.expr) -> bool:
    """Return whether a test holds as a stream or context is no None, and has no truth value."""
    match test:
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            test = left
        case ast.Compare():
            return False
    values = module.facts.values
    while isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute):
        # a stream that is made of another one, and of which no output comes
        arguments = [*test.args, *(keyword.value for keyword in test.keywords)]
        plain = all(isinstance(each, ast.Constant | ast.Lambda | ast.Name) for each in arguments)
        owner = test.func.value
        if not (plain and all(is_one_of(values.get(each), STREAMS) for each in (test, owner))):
            return False
        test = owner
    plain = isinstance(test, ast.Name | ast.Attribute)
    return plain and is_one_of(values.get(test), STREAMING)


def _without_test(module: SourceModule, node: ast.If, body: list[ast.stmt]) -> SourceModule | None:
    """Return a module with the statements of an `if` in its place."""
    first, last = node.lineno, body[-1].end_lineno or 0
    if any(has_long_text(ast.walk(statement)) for statement in body):
        return None
    if body[0].lineno == first or _is_elif(module, node):
        return None
    pad, inner = indentation(module, node), indentation(module, body[0])
    lines = comment_lines(module, pad, first, body[0].lineno - 1)
    lines += moved_lines(module, body[0].lineno, last, (), inner, pad)
    if node.orelse:
        lines += comment_lines(module, pad, last + 1, node.end_lineno or last)
    return with_edits(module, [LineEdit(first, node.end_lineno or last, tuple(lines))])


def _without_display(
    module: SourceModule, node: ast.Expr, shown: ast.Name | ast.Call
) -> SourceModule | None:
    """Return a module that does not print or display an object which is none any more."""
    values = module.facts.values
    parts = [part for argument in getattr(shown, "args", [shown]) for part in ast.walk(argument)]
    kinds = STREAMS | {Kind.STREAMING_CONTEXT, Kind.SQL_CONTEXT}
    if not any(isinstance(e, ast.expr) and holds(values.get(e), kinds) for e in parts):
        return None
    for part in parts:
        match part:
            case ast.Call(func=ast.Name(id=name)) if name in _SHOWS:
                pass
            case ast.NamedExpr():
                return None
            case ast.Call(func=ast.Attribute(attr="format")):
                pass
            case ast.Call() if not is_one_of(values.get(part), STREAMS):
                return None
    first = node.lineno
    note = module.note(first, "an object is printed or displayed that is none any more")
    return with_edits(
        module, [instead(module, node, [("pass", first)] * is_alone(module, node))], note
    )


def _without_nothing(module: SourceModule, node: ast.Assign, call: ast.Call) -> SourceModule | None:
    """Return a module in which names get the None of an output after it, if they are read."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    values = module.facts.values
    if owner is None or not is_one_of(values.get(owner), STREAMING):
        return None
    if not is_one_of(values.get(call), {Kind.NONE}):
        return None
    first, last = module.lines_of(node)
    start = module.span(call)[0]
    targets = " = ".join(module.source(target) for target in node.targets)
    names = [target for target in node.targets if isinstance(target, ast.Name)]
    read = len(names) < len(node.targets) or any(loads(module.tree, name.id) for name in names)
    edit = edit_of_spans(module, first, last, [(module.span(node)[0], start, "")])
    pad = indentation(module, node)
    more = ((f"{pad}{targets} = None", last),) if read else ()
    return with_edits(module, [LineEdit(first, last, (*edit.lines, *more))])
