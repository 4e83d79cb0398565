"""Whether code of a function runs only for batches that have records."""

from __future__ import annotations

import ast

from ..program.graph import Node, Stage
from .edits import FunctionEdits

UNIQUE_KEYS = frozenset(
    (
        "reduceByKey",
        "groupByKey",
        "combineByKey",
        "aggregateByKey",
        "foldByKey",
    )
)
SAME_EMPTINESS = UNIQUE_KEYS | frozenset(
    (
        "map",
        "mapValues",
        "keys",
        "values",
        "distinct",
        "sortBy",
        "sortByKey",
        "cache",
        "persist",
        "transform",
        "repartition",
        "coalesce",
    )
)


def refuse_empty(body: FunctionEdits, node: ast.AST, owner: Node, what: str) -> None:
    """Refuse what raises for a batch without records, unless the code tests for that."""
    if not _is_guarded(body, node, owner):
        text = f"{what} raises for a batch without records, where Spark does not"
        body.builder.differs("EMPTY_BATCH", text, node)


def _is_guarded(body: FunctionEdits, node: ast.AST, owner: Node) -> bool:
    """Return whether a node runs only if an RDD has records."""
    if _never_empty(owner):
        return True
    child, parent = node, body.module.parents.get(node)
    while parent is not None and child is not body.function.node:
        if isinstance(parent, ast.If | ast.IfExp):
            inside = parent.body if isinstance(parent.body, list) else [parent.body]
            other = parent.orelse if isinstance(parent.orelse, list) else [parent.orelse]
            if child in inside and _tests(body, parent.test, owner, filled=True):
                return True
            if child in other and _tests(body, parent.test, owner, filled=False):
                return True
        for before in _before(parent, child):
            if (
                isinstance(before, ast.If)
                and isinstance(before.body[-1], ast.Return | ast.Continue | ast.Raise)
                and _tests(body, before.test, owner, filled=False)
            ):
                return True
        child, parent = parent, body.module.parents.get(parent)
    return False


def _never_empty(owner: Node) -> bool:
    """Return whether an RDD has records if its source has: each record gives at least one."""
    node = owner
    while node.parents:
        if len(node.parents) != 1:
            return False
        if node.operator not in (*SAME_EMPTINESS, "rdd"):
            match node.call.args:
                case [ast.Lambda(body=ast.Call(func=ast.Attribute(attr="split"), args=[_, *_]))]:
                    pass
                case _:
                    return False
        (node,) = node.parents
    return node.stage is Stage.ROWS


def _before(parent: ast.AST, child: ast.AST) -> list[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(parent, name, None)
        if isinstance(statements, list) and child in statements:
            return statements[: statements.index(child)]
    return []


def _tests(body: FunctionEdits, test: ast.expr, owner: Node, filled: bool) -> bool:
    """Return whether a test holds for batches with records only, or for those without."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _tests(body, inner, owner, not filled)
        case ast.Call(func=ast.Attribute(attr="isEmpty", value=rdd)):
            return not filled and _same(body, rdd, owner)
        case ast.Call(func=ast.Attribute(attr="count" | "take" | "collect", value=rdd)):
            return filled and _same(body, rdd, owner)
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return filled and _tests(body, inner, owner, filled)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=0)]):
            operators = (ast.Gt, ast.NotEq) if filled else (ast.Eq, ast.LtE)
            return isinstance(op, operators) and _tests(body, left, owner, True)
        case ast.BoolOp(op=ast.And(), values=values) if filled:
            return any(_tests(body, value, owner, True) for value in values)
        case ast.BoolOp(op=ast.Or(), values=values) if not filled:
            return any(_tests(body, value, owner, False) for value in values)
    return False


def _same(body: FunctionEdits, rdd: ast.expr, owner: Node) -> bool:
    """Return whether an RDD has records exactly if another one, made of it, has."""
    tested = body.value(rdd)
    node = owner
    while node is not tested:
        if node.operator not in SAME_EMPTINESS or len(node.parents) != 1:
            return False
        (node,) = node.parents
    return True
