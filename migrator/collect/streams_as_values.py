"""DStreams that are used like the data in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.collect.api_uses import ApiUses
from migrator.collect.unit_collector import UnitCollector, text_of
from migrator.infer.program import Program
from migrator.infer.scopes import parameter_names
from migrator.infer.values import Obj, Ref, Step
from migrator.model.events import StreamValue
from migrator.source.python import Unit
from migrator.spark.kinds import STREAMS

Found = Iterator[tuple[ast.expr, str]]

_BUILTINS = {
    **dict.fromkeys(("print", "str", "repr", "format"), "text"),
    **dict.fromkeys(("int", "float", "abs", "round", "min", "max"), "number"),
    "bool": "condition",
    **dict.fromkeys(("len", "list", "set", "tuple", "sorted", "iter", "next"), "collection"),
    **dict.fromkeys(("enumerate", "reversed", "sum", "any", "all"), "collection"),
}
_LOGGING = frozenset({"debug", "info", "warn", "warning", "error", "critical", "exception", "log"})
# the nodes that hold such a place: most of a tree does not
HOLDERS = frozenset(
    (
        *(ast.If, ast.While, ast.IfExp, ast.Assert, ast.UnaryOp, ast.Compare, ast.BinOp),
        *(ast.AugAssign, ast.FormattedValue, ast.For, ast.AsyncFor, ast.comprehension),
        *(ast.Subscript, ast.Call),
    )
)
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class StreamsAsValues(UnitCollector):
    """Finds the DStreams of a unit that stand where a value belongs."""

    def __init__(self, unit: Unit, program: Program, uses: ApiUses) -> None:
        super().__init__(unit, program, uses)
        self.parameters = {name for node in program.functions for name in parameter_names(node)}

    def node(self, node: ast.AST) -> Iterator[StreamValue]:
        """Yield the uses of streams as values directly in a node."""
        for place, role in self._places(node):
            why = self._stream(place)
            if why is None or (role == "condition" and self._is_guard(place)):
                continue
            # an object in a message may be wanted, the result of a call is meant as a number
            if role == "text" and not isinstance(place, ast.Call) and not _is_print(node):
                continue
            at = self.unit.spot_of(place)
            yield StreamValue(at, text_of(place), role, self.uses.evidence(why))

    def _places(self, node: ast.AST) -> Found:
        match node:
            case (
                ast.If(test=test)
                | ast.While(test=test)
                | ast.IfExp(test=test)
                | ast.Assert(test=test)
            ):
                yield from _conditions(test)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from _conditions(operand)
            case ast.UnaryOp(operand=operand):
                yield operand, "number"
            case ast.Compare():
                yield from _compared_operands(node)
            case ast.BinOp(left=left, op=op, right=right):
                text = isinstance(op, ast.Mod) and _is_text(left)
                yield right, "text" if text else "number"
                yield left, "number"
            case ast.AugAssign(value=value):
                yield value, "number"
            case ast.FormattedValue(value=value):
                yield value, "text"
            case ast.For(iter=items) | ast.AsyncFor(iter=items):
                yield items, "collection"
            case ast.comprehension(iter=items, ifs=tests):
                yield items, "collection"
                for test in tests:
                    yield from _conditions(test)
            case ast.Subscript(value=value):
                yield value, "collection"
            case ast.Call():
                yield from self._in_call(node)

    def _in_call(self, node: ast.Call) -> Found:
        match node.func:
            case ast.Name() as function:
                yield from self._arguments(function, node.args)
            case ast.Attribute(value=base, attr="format") if _is_text(base):
                for argument in (*node.args, *(k.value for k in node.keywords)):
                    yield argument, "text"
            case ast.Attribute(attr=name) if name in _LOGGING and self._is_logger(node):
                for argument in node.args:
                    yield argument, "text"

    def _arguments(self, function: ast.Name, args: list[ast.expr]) -> Found:
        role = _BUILTINS.get(function.id)
        value = self.facts.names.get(function)
        if role is None or value is None or value.unknown:
            return
        if value.atoms == {Ref(f"builtins.{function.id}")}:
            every = function.id in ("print", "min", "max")
            for argument in args if every else args[:1]:
                yield argument, role

    def _is_logger(self, node: ast.Call) -> bool:
        """Return whether a call writes to a log: a method of the program's own does not."""
        callee = self.facts.callees.get(node)
        if callee is None or not (callee.atoms or callee.unknown):
            return False
        return all(isinstance(a, Ref) and a.path.startswith("logging.") for a in callee.atoms)

    def _stream(self, node: ast.expr) -> tuple[Step, ...] | None:
        """Return the evidence that an expression can only be a DStream, or None."""
        value = self.facts.values.get(node)
        if value is None or value.unknown or not value.atoms or not self.facts.converged:
            return None
        for atom in value.sorted_atoms():
            if not isinstance(atom, Obj) or atom.kind not in STREAMS or atom.probable:
                return None
        first = value.sorted_atoms()[0]
        return first.why if isinstance(first, Obj) else None

    def _is_guard(self, node: ast.expr) -> bool:
        """Return whether a condition may only ask whether there is a stream at all."""
        if isinstance(node, ast.Name):
            return node.id in self.parameters
        return not isinstance(node, ast.Call)


def _conditions(test: ast.expr) -> Found:
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _conditions(part)
    else:
        yield test, "condition"


def _compared_operands(node: ast.Compare) -> Found:
    parts = [node.left, *node.comparators]
    for left, op, right in zip(parts, node.ops, parts[1:], strict=False):
        if isinstance(op, _ORDER):
            yield left, "number"
            yield right, "number"
        elif isinstance(op, ast.Eq | ast.NotEq):
            # two streams may be compared, a stream and a number may not
            if isinstance(right, ast.Constant) and right.value is not None:
                yield left, "number"
            if isinstance(left, ast.Constant) and left.value is not None:
                yield right, "number"
        elif isinstance(op, ast.In | ast.NotIn):
            yield right, "collection"


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "print"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )
