"""Refuses what may be something else in the function of a batch than where the job is built."""

from __future__ import annotations

import ast

from migrator.infer.scopes import bindings

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
    module : SourceModule
        the module
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
