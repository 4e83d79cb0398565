"""Writes UDFs: what is called with columns, and where it is made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from dstream_compat.native.names import Known, Local

from ..dataframes.chains import Chain
from ..dataframes.naming import singular
from ..program.graph import Node
from ..program.modules import SourceModule

if TYPE_CHECKING:
    from ..builder.builder import Builder


def called(
    builder: Builder,
    node: Node,
    given: ast.expr,
    function: Local | Known,
    ddl: list[str],
    wrapped: bool,
) -> str:
    """Return what is called with columns."""
    functions, module = builder.printer.functions, builder.module
    name = "" if isinstance(given, ast.Lambda) else module.source(given)
    if isinstance(given, ast.Lambda):
        text = _lambda(module, given, wrapped)
    elif isinstance(function, Known):
        text = f"lambda value: {f'list({name}(value))' if wrapped else f'{name}(value)'}"
    elif wrapped:
        parameters = [each.arg for each in function.node.args.args] or ["value"]
        text = f"lambda {parameters[0]}: list({name}({parameters[0]}))"
    elif isinstance(function.node, ast.FunctionDef) and _is_decorated(
        builder, given, function.node
    ):
        start = module.starts[function.node.lineno - 1]
        pad = " " * function.node.col_offset
        edit = (start, start, f"{pad}@{functions}.udf({', '.join(ddl)})\n")
        if edit not in builder.edits:
            builder.edits.append(edit)
        return name
    else:
        text = name
    if not _has_place(builder, node):
        return f"{functions}.udf({', '.join((text, *ddl))})"
    if node not in builder.defined:
        wanted = f"{name}_udf" if isinstance(function, Local) and name else _variable(node, name)
        made = module.free_name(wanted)
        builder.job.added.add(made)
        builder.defined[node] = made, Chain(functions).call("udf", text, *ddl)
    return builder.defined[node][0]


def _lambda(module: SourceModule, given: ast.Lambda, wrapped: bool) -> str:
    """Return the source of a lambda on one line; as a list if it gives an iterator."""
    body = module.source(given.body)
    text = module.source(given)
    if wrapped:
        text = f"{text[: len(text) - len(body)]}list({body})" if text.endswith(body) else ""
    if not text or "\n" in text:
        whole = ast.unparse(given.body)
        text = f"lambda {ast.unparse(given.args)}: {f'list({whole})' if wrapped else whole}"
    return text


def _variable(node: Node, known: str) -> str:
    """Return a name for a UDF that has none."""
    if known.isidentifier():
        return f"to_{known}"
    found = singular(node.name)
    if node.operator == "filter":
        return f"is_{found or 'wanted'}"
    if node.operator.startswith("flatMap"):
        return f"to_{node.name}" if found else "to_items"
    return f"to_{found or 'value'}"


def _has_place(builder: Builder, node: Node) -> bool:
    """Return whether a statement can stand before the one of a node."""
    job = builder.job
    found: ast.AST | None = node.call
    while found is not None and found not in job.statements:
        found = builder.module.parents.get(found)
        if isinstance(found, ast.FunctionDef | ast.Lambda):
            return False
    return found in job.streams or any(found is each.statement for each in job.outputs)


def _is_decorated(builder: Builder, given: ast.expr, function: ast.FunctionDef) -> bool:
    """Return whether a function can be a UDF itself: nothing
    else uses it, and there is a session then.

    A UDF reads its schema when it is made, which needs a session.
    """
    module, job = builder.module, builder.job
    uses = [n for n in ast.walk(module.tree) if isinstance(n, ast.Name) and n.id == function.name]
    texts = {n.value for n in ast.walk(module.tree) if isinstance(n, ast.Constant)}
    alone = len(uses) == 1 and uses[0] is given and function.name not in texts
    after = job.session is not None and job.session.lineno < function.lineno
    return alone and after and function in job.statements
