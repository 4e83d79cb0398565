"""What a program does with the value of an expression: takes all of it at once, or keeps it."""

from __future__ import annotations

import ast

from migrator.python2.program import ProgramPart

# they take each item before they return
_TAKES_ALL = ("list", "tuple", "set", "frozenset", "sorted", "sum", "max", "min", "dict")
# and these look only at what they are given
_LOOKS = ("len", "any", "all", "enumerate", "iter", "zip", "map", "filter", "reduce", "reversed")
_CHANGES = {"pop", "popitem", "clear", "update", "setdefault", "add", "remove", "append"}
_PURE = ("int", "float", "str", "len", "ord", "chr", "bool", "abs", "repr", "unicode", "long")
_STRING_METHODS = {
    *("split", "strip", "lstrip", "rstrip", "lower", "upper", "replace", "startswith", "endswith"),
}


def takes_all(part: ProgramPart, node: ast.AST) -> bool:
    """Return whether each item of a value is taken at once, and nothing else is done with it."""
    parent = part.parents.get(node)
    match parent:
        case ast.Call(func=ast.Name() as func, args=[first, *_]) if first is node:
            return part.is_builtin(func, *_TAKES_ALL)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
            return True
        case ast.Assign(targets=[ast.Tuple() | ast.List()]) | ast.Starred():
            return True
    return False


def looks(part: ProgramPart, node: ast.AST) -> bool:
    """Return whether a value is only looked at, so that it need not be a list."""
    parent = part.parents.get(node)
    match parent:
        case ast.Call(func=ast.Name() as func) if func is not node:
            return part.is_builtin(func, *_LOOKS, *_TAKES_ALL)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is node
    return takes_all(part, node)


def loop_of(part: ProgramPart, node: ast.AST) -> ast.For | ast.comprehension | None:
    """Return the loop over the items of a value, None if there is none."""
    parent = part.parents.get(node)
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        return parent
    return None


def may_change(loop: ast.For | ast.comprehension, value: ast.AST) -> bool:
    """Return whether a loop may change a value while it goes over it."""
    if isinstance(loop, ast.comprehension):
        return False
    old_tree = ast.dump(value)
    root = value
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    name = root.id if isinstance(root, ast.Name) else ""
    for statement in loop.body:
        for node in ast.walk(statement):
            match node:
                case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()):
                    if ast.dump(owner) == old_tree:
                        return True
                case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args):
                    if attr in _CHANGES and ast.dump(owner) == old_tree:
                        return True
                    if name in ("self", "cls") and isinstance(owner, ast.Name) and owner.id == name:
                        return True
                    if any(ast.dump(arg) == old_tree for arg in args):
                        return True
                case ast.Call(args=args) if any(ast.dump(arg) == old_tree for arg in args):
                    return True
    return False


def is_pure(part: ProgramPart, function: ast.AST) -> bool:
    """Return whether it cannot be seen when a function is called."""
    if part.is_builtin(function, *_PURE):
        return True
    if not isinstance(function, ast.Lambda):
        return isinstance(function, ast.Constant)
    for node in ast.walk(function.body):
        if isinstance(node, ast.Call):
            func = node.func
            is_string_method = isinstance(func, ast.Attribute) and func.attr in _STRING_METHODS
            if not is_string_method and not part.is_builtin(func, *_PURE):
                return False
    return True
