"""Whether code of a function runs only for batches that have records."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..program.bindings import loads, uses
from ..program.graph import Node, Stage
from ..program.modules import SourceModule
from ..reading.arrival import is_in_order, is_shuffled

if TYPE_CHECKING:
    from .body import Body

UNIQUE_KEYS = {"reduceByKey", "groupByKey", "combineByKey", "aggregateByKey", "foldByKey"}
SAME_EMPTINESS = {"map", "mapValues", "keys", "values", "distinct", "sortBy", "sortByKey", "cache"}
SAME_EMPTINESS |= {"persist", "transform", "repartition", "coalesce", *UNIQUE_KEYS}


def refuse_empty(body: Body, node: ast.AST, owner: Node, what: str) -> None:
    """Refuse what raises for a batch without records, unless the code tests for that."""
    if not _is_guarded(body, node, owner):
        text = f"{what} raises for a batch without records, where Spark does not"
        body.builder.differs("EMPTY_BATCH", text, node)


def _is_guarded(body: Body, node: ast.AST, owner: Node) -> bool:
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


def _tests(body: Body, test: ast.expr, owner: Node, filled: bool) -> bool:
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


def _same(body: Body, rdd: ast.expr, owner: Node) -> bool:
    """Return whether an RDD has records exactly if another one, made of it, has."""
    tested = body.value(rdd)
    node = owner
    while node is not tested:
        if node.operator not in SAME_EMPTINESS or len(node.parents) != 1:
            return False
        (node,) = node.parents
    return True


OTHERS = "where a batch has more records than are printed, it may be others of them"
_SAME = frozenset(("list", "tuple", "reversed", "iter", "filter", "map", "islice"))
"""Functions whose result has the order of what they are given."""
_PICKS = frozenset(("next", "enumerate", "zip", "dict", "OrderedDict"))
_EXTREMES = frozenset(("max", "min", "nlargest", "nsmallest"))


class Order:
    """Finds code that depends on which records of a list come first.

    Records that are only gone through, counted, sorted, or shown one after another are no such
    case: the order of the lines that they make is not promised.
    """

    def __init__(self, module: SourceModule, function: ast.AST) -> None:
        self._module = module
        self._function = function

    def use(self, node: ast.expr) -> ast.AST | None:
        """Return the first use of a list that depends on the order of its records."""
        parent = self._module.parents[node]
        match parent:
            case ast.Subscript(value=found) | ast.Starred(value=found) if found is node:
                return parent
            case ast.Attribute(value=found, attr="pop" | "index" | "__getitem__"):
                return parent if found is node else None
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=found) if found is node:
                return parent
            case ast.Assign(targets=[ast.Name(id=name)], value=found) if found is node:
                return self._uses_of(name)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if node in parent.args:
                return self._order_use(parent, name)
            case ast.For(iter=found) if found is node:
                return self._loop(parent)
            case ast.comprehension(iter=found) if found is node:
                return self._comprehension(self._module.parents[parent])
        return None

    def _uses_of(self, name: str) -> ast.AST | None:
        use_nodes = map(self.use, loads(self._function, name))
        return next((use_node for use_node in use_nodes if use_node is not None), None)

    def _order_use(self, call: ast.Call, name: str) -> ast.AST | None:
        keys = any(keyword.arg == "key" for keyword in call.keywords)
        if name in _PICKS or (name in _EXTREMES and keys):
            return call
        if name in _SAME or (name == "sorted" and keys):  # equal keys stay as they came
            return self.use(call)
        return None

    def _comprehension(self, node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.DictComp):
            return node
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.use(node)
        return None

    def _loop(self, loop: ast.For) -> ast.AST | None:
        """Return a loop that ends early, or whose last round decides."""
        inside = [node for statement in loop.body for node in ast.walk(statement)]
        inner = {
            node
            for each in inside
            if isinstance(each, ast.For | ast.While | ast.FunctionDef | ast.Lambda)
            for node in ast.walk(each)
        }
        for node in inside:
            if isinstance(node, ast.Return) or (isinstance(node, ast.Break) and node not in inner):
                return node
            if isinstance(node, ast.Assign) and self._lasts(loop, node):
                return node
        return None

    def _lasts(self, loop: ast.For, assignment: ast.Assign) -> bool:
        """Return whether a value that a round of the loop sets is read after the loop."""
        (target, *_) = assignment.targets
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            return self._is_outside(loop, target.value.id)
        return isinstance(target, ast.Name) and self._is_outside(loop, target.id, after=True)

    def _is_outside(self, loop: ast.For, name: str, after: bool = False) -> bool:
        end = loop.end_lineno or loop.lineno
        return any(
            node.lineno > end or (not after and node.lineno < loop.lineno)
            for node in uses(self._function, name)
        )


def refuse_arrival(body: Body, call: ast.Call, owner: Node) -> None:
    """Refuse what depends on the order in which records arrived, unless it is only printed."""
    if is_shuffled(owner) or is_in_order(owner):
        return
    if _is_printed(body, call):
        body.builder.note(f"line {call.lineno}: {OTHERS}")
    else:
        _differs(body, call)


def refuse_picking(body: Body, call: ast.Call, owner: Node) -> None:
    """Refuse to collect records of which some are picked by the order in which they arrived."""
    if is_shuffled(owner) or is_in_order(owner):
        return
    use = Order(body.module, body.function.node).use(call)
    if use is not None:
        _differs(body, use)


def _differs(body: Body, node: ast.AST) -> None:
    text = "which records come first depends on the order of arrival; a DataFrame has none"
    body.builder.differs("ARRIVAL_ORDER", text, node)


def _is_printed(body: Body, call: ast.Call) -> bool:
    parent = body.module.parents[call]
    match parent:
        case ast.Call(func=ast.Name(id="print")):
            return True
        case ast.For(iter=found, body=statements) if found is call:
            calls = [each.value for each in statements if isinstance(each, ast.Expr)]
            names = [getattr(getattr(call, "func", None), "id", "") for call in calls]
            return names == ["print"] * len(statements)
    return False
