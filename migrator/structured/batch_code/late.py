"""Refuses what may be something else in the function of a batch than on DStreams.

DStreams compute arguments where the job is built, and make the RDDs of a batch before its outputs
run: functions of streams see what the driver had then. Here an RDD is made where it is needed,
behind the outputs that stand before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrator.infer.scopes import bindings, locals_of

from ..builder.builder import Builder
from ..foreach.effects import CHANGES, changed_names, functions_behind, outer_names
from ..program.graph import Function, Node, Output
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible
from ..unfold.functions import makes_object

_SAME = frozenset(
    (
        *("functools.partial", "_functools.partial"),
        *("operator.itemgetter", "operator.attrgetter", "operator.methodcaller"),
    )
)
"""Calls that give the same function whenever they run."""


def check_argument(module: SourceModule, block: Block, node: ast.expr) -> None:
    """Refuse an argument of a stream's method that may be another one in a batch.

    Parameters
    ----------
    block : Block
        the statements that build the job
    node : ast.expr
        the argument; of a lambda only defaults are computed where it is written

    Raises
    ------
    NotExpressible
        if it calls something, or has a name, attribute or item that may have another value later
    """
    if isinstance(node, ast.Lambda):
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                check_argument(module, block, default)
        return
    if makes_object(node):
        raise NotExpressible("LATE", "this object would be made anew in each batch", node)
    for part in ast.walk(node):
        match part:
            case ast.Call() if module.path_of(part.func) not in _SAME:
                raise NotExpressible("LATE", "this call would run in each batch", node)
            case (
                ast.List()
                | ast.Dict()
                | ast.Set()
                | ast.ListComp()
                | ast.DictComp()
                | ast.SetComp()
            ):
                raise NotExpressible("LATE", "this object would be made anew in each batch", node)
            case ast.NamedExpr():
                raise NotExpressible("LATE", "the name would be bound in each batch", node)
            case ast.Name(id=name) if _is_bound_again(module, block, name):
                raise NotExpressible("LATE", f"`{name}` may have another value later", node)
            case ast.Attribute() | ast.Subscript() if _is_stored(module, part):
                text = f"`{module.source(part)}` may have another value later"
                raise NotExpressible("LATE", text, node)


def _is_bound_again(module: SourceModule, block: Block, name: str) -> bool:
    """Return whether a name of the job is bound several times, or by other functions."""
    nodes = [*ast.walk(module.tree)]
    if any(isinstance(node, ast.Global | ast.Nonlocal) and name in node.names for node in nodes):
        return True
    bound = [node for node in nodes if name in bindings(node) and not _is_attribute(module, node)]
    for scope in (*reversed(block.functions), module.tree):
        own = [node for node in bound if module.function(node) is scope]
        if own:
            return len(own) > 1
    return False


def _is_attribute(module: SourceModule, node: ast.AST) -> bool:
    """Return whether what a node binds is an attribute of a class, which names do not find."""
    for outer in module.around(module.parents.get(node, module.tree)):
        if isinstance(outer, ast.ClassDef):
            return True
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return False
    return False


def _is_stored(module: SourceModule, node: ast.Attribute | ast.Subscript) -> bool:
    """Return whether an attribute of this name, or an item of this object, is set anywhere."""
    for part in ast.walk(module.tree):
        match part, node:
            case ast.Attribute(ctx=ast.Store() | ast.Del(), attr=name), ast.Attribute(attr=other):
                if name == other:
                    return True
            case ast.Subscript(ctx=ast.Store() | ast.Del()), ast.Subscript():
                if ast.dump(part.value) == ast.dump(node.value):
                    return True
    return False


_STEPS = ("transform", "transformWith")
_TEXT = (
    "`{0}` is changed by a function of `{1}`, and read by one of `{2}` behind it: DStreams called "
    "{3} before"
)


def check_changes(builder: Builder, outputs: Sequence[Output]) -> None:
    """Refuse functions of a query that would see other values than on DStreams, or say so.

    Raises
    ------
    NotExpressible
        if such a difference is not accepted
    """
    module = builder.module
    for place, output in enumerate(outputs):
        own = _names(module, output.block, output.call, changed=True)
        later = {node for output in outputs[place + 1 :] for node in output.node.path()}
        for node in sorted(later, key=lambda each: each.call.lineno):
            for name in sorted(own & _names(module, node.block, node.call)):
                text = _TEXT.format(name, output.method, node.operator, "the second")
                builder.differs("CHANGES", text, node.call)
    for place, output in enumerate(outputs):
        earlier = {node for output in outputs[:place] for node in output.node.path()}
        for node in {*output.node.path()} - earlier:
            if node.operator in _STEPS:
                _check_transform(builder, node, outputs[:place])


def _check_transform(builder: Builder, node: Node, before: Sequence[Output]) -> None:
    """Refuse outputs that read what a `transform` behind them changes."""
    module = builder.module
    own = _names(module, node.block, node.call, changed=True)
    for output in before:
        for name in sorted(own & _names(module, output.block, output.call)):
            text = _TEXT.format(name, node.operator, output.method, "the first")
            builder.differs("CHANGES", text, node.call)


def _names(module: SourceModule, block: Block, call: ast.Call, changed: bool = False) -> set[str]:
    """Return the names that the functions of a call read, or those that they change."""
    return {
        name
        for function in _functions(module, block, call)
        for one in functions_behind(module, block, function)
        for name in (_changed_names(module, one) if changed else _loaded_names(module, one))
    }


def _functions(module: SourceModule, block: Block, call: ast.Call) -> Iterator[Function]:
    """Yield the functions that a call is given."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        for node in ast.walk(argument):
            if isinstance(node, ast.Lambda | ast.Name):
                function, _ = module.function_given(block, node)
                if function is not None:
                    yield function


def _changed_names(module: SourceModule, function: Function) -> Iterator[str]:
    return (name for name, _ in changed_names(module, function, locals_of(function)))


def _loaded_names(module: SourceModule, function: Function) -> Iterator[str]:
    """Yield the names that a function reads for more than to change their objects, as one adds to
    an accumulator.
    """
    for node in outer_names(function, locals_of(function)):
        owner = module.parents.get(node)
        if not (isinstance(owner, ast.Attribute) and owner.attr in CHANGES):
            yield node.id
