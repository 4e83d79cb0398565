"""What random programs compute is always among what inference says of them."""

from __future__ import annotations

import ast
import contextlib
import functools
import random
from itertools import islice
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

import pytest

from migrator.infer.values import (
    BOTTOM,
    Function,
    LocalClass,
    LocalObj,
    Map,
    Method,
    Obj,
    Partial,
    Ref,
    Seq,
    Tuple,
    Value,
    join,
)
from migrator.spark.kinds import Kind
from tests.support.migrator.inference import HEAD, infer_text, show
from tests.support.migrator.random_programs import write_program

pytestmark = pytest.mark.slow

MAX_VALUES = 1500
# of a container, whose items may be containers that are as large
MAX_ITEMS = 8


class Stop(BaseException):
    """Ends a program that takes too long."""


class Stream:
    def map(self, function: object) -> Stream:
        return Stream()

    def pprint(self) -> None:
        pass


class Context:
    def textFileStream(self, path: str) -> Stream:
        return Stream()


def is_covered(value: Value, thing: Any) -> bool:
    """Whether a thing is one of those that a value stands for; None is nothing to speak of."""
    if value.unknown or thing is None:
        return True
    return any(_fits(atom, thing) for atom in value.atoms)


def _fits(atom: object, thing: Any) -> bool:
    match atom, thing:
        case Obj(Kind.DSTREAM), Stream():
            return True
        case Obj(Kind.STREAMING_CONTEXT), Context():
            return True
        case Seq(item), list() | set() | tuple():
            return all(is_covered(item, each) for each in islice(thing, MAX_ITEMS))
        case Tuple(items), tuple():
            return len(items) == len(thing) and all(map(is_covered, items, thing))
        case Map() as table, dict():
            return all(
                is_covered(join(table.rest, table.get(key) or BOTTOM), each)
                for key, each in islice(thing.items(), MAX_ITEMS)
            )
        case Function(info), FunctionType() | MethodType():
            return str(thing.__name__).strip("<>") == info.name
        case LocalClass(info), type():
            return bool(thing.__name__ == info.node.name)
        case LocalObj(_, True), super():
            return True
        case LocalObj(info), _ if type(thing).__module__ == "program":
            return any(each.__name__ == info.node.name for each in type(thing).__mro__)
        case Partial(function), functools.partial():
            return _fits(function, thing.func)
        case Method(_, name), MethodType():
            return bool(thing.__name__ == name)
        case (Ref() | Seq(), _):
            # iterators, and what is imported
            return not isinstance(thing, Stream | Context | list | dict | tuple)
        case Obj(Kind.OTHER), int() | str() | BuiltinMethodType():
            return True
    return False


class Watch(ast.NodeTransformer):
    """Lets each expression tell its value."""

    def __init__(self) -> None:
        self.nodes: list[ast.expr] = []

    def visit(self, node: ast.AST) -> Any:
        changed = super().visit(node)
        wrapped = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.List | ast.Tuple | (
            ast.Dict | ast.IfExp | ast.BoolOp | ast.BinOp | ast.Lambda | ast.ListComp
        )  # fmt: skip
        if not isinstance(node, wrapped) or not isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            return changed
        if isinstance(node, ast.Name) and node.id in ("getattr", "hasattr", "super"):
            # calls of these are known by their syntax
            return changed
        self.nodes.append(node)
        number = ast.Constant(len(self.nodes) - 1)
        call = ast.Call(ast.Name("watch", ast.Load()), [number, changed], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit_Match(self, node: ast.Match) -> Any:
        # patterns have names of classes, not expressions
        for case in node.cases:
            case.body = [self.visit(each) for each in case.body]
        return node


def run(source: str, seed: int) -> list[tuple[int, str, Any, str]]:
    """What is not covered: line, expression, its value and what was inferred."""
    program = infer_text(source)
    chance = random.Random(seed)
    watch = Watch()
    # the same nodes run as were inferred, so the tree is changed after that
    values = dict(program.facts.values)
    texts = {node: ast.unparse(node) for node in values}
    first = HEAD.count("\n")
    body = [watch.visit(node) for node in program.tree.body[first:]]
    wrong: list[tuple[int, str, Any, Any]] = []
    left = [MAX_VALUES]

    def seen(number: int, thing: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise Stop
        node = watch.nodes[number]
        value = values.get(node, BOTTOM)
        if not is_covered(value, thing):
            wrong.append((node.lineno, texts.get(node, "?"), thing, show(value)))
        return thing

    def boom() -> None:
        if chance.random() < 0.3:
            raise ValueError

    names = {"s": Stream(), "ssc": Context(), "DStream": Stream, "StreamingContext": Context,
             "watch": seen, "boom": boom, "c": lambda: chance.random() < 0.5,
             "__name__": "program"}  # fmt: skip
    with contextlib.suppress(Exception, Stop):
        exec(compile(ast.Module(body, []), "program", "exec"), names)
    return wrong


@pytest.mark.parametrize("seed", range(40))
def test_programs_compute_what_is_inferred(seed: int) -> None:
    source = write_program(random.Random(seed).choice)
    assert run(source, seed) == [], source
