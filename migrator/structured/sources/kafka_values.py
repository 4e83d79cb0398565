"""The values of Kafka's settings as options of Spark's source, which are texts."""

from __future__ import annotations

import ast
import json

from dstream_compat.source.kafka.texts import text_for

from ..program.bindings import bindings
from ..program.modules import SourceModule
from ..refusals import NotExpressible

_LISTS = frozenset(("split", "rsplit", "splitlines", "partition", "rpartition"))
_NO_TEXT = frozenset(
    ("list", "tuple", "set", "frozenset", "dict", "sorted", "range", "int", "float", "bool", "len")
)
_OTHERS = (
    *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.GeneratorExp, ast.Lambda, ast.Compare),
)


def as_option(module: SourceModule, name: str, value: ast.expr) -> ast.expr | str:
    """Return a setting as an option of Spark's source, whose values are texts.

    Raises
    ------
    NotExpressible
        if it is no text, and does not mean one to Kafka
    """
    known = _bound_to(module, value) if isinstance(value, ast.Name) else value
    if isinstance(known, ast.Constant):
        if isinstance(known.value, str):
            return value
        text = text_for(known.value)
        if text is not None:
            return json.dumps(text, ensure_ascii=False)
    elif not _is_no_text(module, value, frozenset()):
        return value
    try:
        # another name of a list may change it
        text = text_for(ast.literal_eval(value))
    except (ValueError, TypeError):
        text = None
    if text is None:
        raise NotExpressible("KAFKA_PARAMS", f"the value of `{name}` is no text", value)
    return json.dumps(text, ensure_ascii=False)


def _bound_to(module: SourceModule, node: ast.Name) -> ast.expr | None:
    """Return the only value that a name has in the module."""
    values = _assigned(module, node.id)
    bound = sum([*bindings(each)].count(node.id) for each in ast.walk(module.tree))
    return values[0] if bound == len(values) == 1 else None


def _assigned(module: SourceModule, name: str) -> list[ast.expr]:
    return [
        each.value
        for each in ast.walk(module.tree)
        if isinstance(each, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in each.targets)
    ]


def _is_no_text(module: SourceModule, node: ast.expr, seen: frozenset[str]) -> bool:
    """Return whether an expression may have a value that surely is no text."""
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, str)
        case ast.Name(id=name) if name not in seen:
            values = _assigned(module, name)
            return any(_is_no_text(module, each, seen | {name}) for each in values)
        case (
            ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, op=ast.Add(), right=second)
        ):
            return any(_is_no_text(module, each, seen) for each in (first, second))
        case ast.BoolOp(values=values):
            return any(_is_no_text(module, each, seen) for each in values)
        case ast.NamedExpr(value=value):
            return _is_no_text(module, value, seen)
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in _LISTS
        case ast.Call(func=ast.Name(id=name)):
            return name in _NO_TEXT
        case ast.Subscript(value=owner, slice=ast.Slice()):
            path = module.path_of(owner)
            return path == "sys.argv" or _is_no_text(module, owner, seen)
        case ast.UnaryOp():
            return True
    return isinstance(node, _OTHERS)
