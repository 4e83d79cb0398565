"""`has_key`, `iteritems` and its like, and the lists that `keys`, `values` and `items` were."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python.replacements import DICT_METHODS, LIST_METHODS, VIEWS
from migrator.python2.contexts import looks, loop_of, may_change
from migrator.python2.program import Change, ProgramPart, one_line
from migrator.source.spans import Span

_LOOSE = (ast.Expr, ast.Assign, ast.Return, ast.BoolOp, ast.If, ast.While, ast.comprehension)
_TIGHT = (
    *(ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.BinOp, ast.Tuple),
    *(ast.List, ast.Dict, ast.JoinedStr),
)


def changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a call as Python 3 has it; a method that the program defines itself stays."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args, keywords=[]):
            if name in part.program.methods:
                return
            if name == "has_key" and len(args) == 1 and not isinstance(args[0], ast.Starred):
                yield _has_key(part, node, owner, args[0])
            elif (new := DICT_METHODS.get(name)) and not args:
                yield _lazy(part, node, name, new)
            elif name in VIEWS and not args and _is_list(part, node):
                text = f"`{name}()` stays a list"
                yield Change(node, "dictionaries", text, part.wrapping_spans(node, "list("))


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a view of what may be a dict, which is used as more than that."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[], keywords=[]):
            if name not in VIEWS or name in part.program.methods or looks(part, node):
                return
            # what is done with it is nothing that a list can do
            is_used = not isinstance(part.parents.get(node), ast.Attribute | ast.Expr)
            if loop_of(part, node) is None and is_used:
                what = f"a list in Python 2 if `{one_line(part.source(owner))}` is a dict"
                yield part.doubt(node, "lazy", f"{name}()", f"{what}, and a view in Python 3")


def _is_list(part: ProgramPart, node: ast.Call) -> bool:
    """Return whether the result of `keys()` and its like has to be a list, and is one of a dict."""
    assert isinstance(node.func, ast.Attribute)
    owner = node.func.value
    loop = loop_of(part, node)
    if loop is not None:
        return may_change(loop, owner)
    if looks(part, node):
        return False
    match part.parents.get(node):
        case ast.Subscript(value=value) if value is node:
            return True
        case ast.Attribute(attr=attr):
            return attr in LIST_METHODS
        case ast.Expr():
            return False
        case ast.Assign(targets=[ast.Name(id=name)]) if _is_used_as_list(part, node, name):
            return True
    return part.kind(owner) == "dict"


def _is_used_as_list(part: ProgramPart, node: ast.AST, name: str) -> bool:
    """Return whether a variable is used in its function as only a list can be."""
    while node in part.parents and not isinstance(node, ast.FunctionDef):
        node = part.parents[node]
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id=used), attr=attr) if used == name:
                if attr in LIST_METHODS:
                    return True
            case ast.Subscript(value=ast.Name(id=used)) if used == name:
                return True
    return False


def _has_key(part: ProgramPart, node: ast.Call, owner: ast.AST, key: ast.AST) -> Change:
    left, right = part.source(key), part.source(owner)
    if not isinstance(key, _TIGHT) or isinstance(key, ast.Tuple):
        left = left if left.startswith("(") and isinstance(key, ast.Tuple) else f"({left})"
    parent = part.parents.get(node)
    text = "`has_key` becomes `in`"
    negated = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    if parent is not None and negated and isinstance(part.parents.get(parent), _LOOSE):
        return Change(
            node, "dictionaries", text, part.replacing_spans(parent, f"{left} not in {right}")
        )
    test = f"{left} in {right}"
    is_argument = isinstance(parent, ast.Call) and parent.func is not node
    if not isinstance(parent, (*_LOOSE, ast.keyword)) and not negated and not is_argument:
        # around a call alone, its own parentheses are not part of it
        test = f"({test})"
    return Change(node, "dictionaries", text, part.replacing_spans(node, test))


def _lazy(part: ProgramPart, node: ast.Call, name: str, new: str) -> Change:
    assert isinstance(node.func, ast.Attribute)
    start = part.end(node.func) - len(name)
    edits = [Span(start, start + len(name), new)]
    used = loop_of(part, node) is not None or looks(part, node)
    text = f"`{name}()` becomes `{new}()`"
    if name.startswith("iter") and not used:
        edits += part.wrapping_spans(node, "iter(")
        text = f"`{name}()` becomes `iter({new}())`"
    return Change(node, "dictionaries", text, tuple(edits))
