"""Evaluates the paths in a program as far as they are constant: literals, names, `os.path.join`."""

from __future__ import annotations

import ast

from migrator.infer.scopes import binding_of_import, bindings
from migrator.source.python import Unit

_JOIN = frozenset({"os.path.join", "posixpath.join"})
# what gives the same path, perhaps written in another way
_SAME = frozenset(
    (
        *("os.path.abspath", "os.path.expanduser", "os.path.expandvars", "os.path.normpath"),
        *("os.path.realpath", "glob.glob", "pathlib.Path", "str"),
    )
)
_GETTERS = frozenset({"os.environ.get", "os.getenv"})
_DEPTH = 20


class PathValues:
    """The constant paths of a unit.

    Attributes
    ----------
    names : dict of str to list of expr or None
        What each name is bound to by plain assignments; None where something else binds it too.
    """

    def __init__(self, unit: Unit) -> None:
        self.modules: dict[str, str | None] = {}
        self.names: dict[str, list[ast.expr] | None] = {}
        self.variables: dict[str, list[ast.expr]] = {}
        plain: set[ast.AST] = set()
        for node in unit.nodes():
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        plain.add(target)
                        self.names[target.id] = [*(self.names.get(target.id) or ()), node.value]
        for node in unit.nodes():
            self._note_bindings(node, plain)
        for node in unit.nodes():
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if isinstance(target, ast.Subscript):
                            self._set(target.value, target.slice, value)

    def _set(self, environ: ast.expr, key: ast.expr, value: ast.expr) -> None:
        name = self.key(key)
        if name is not None and self.dotted_path(environ) == "os.environ":
            self.variables.setdefault(name, []).append(value)

    def _note_bindings(self, node: ast.AST, plain: set[ast.AST]) -> None:
        paths: dict[str, str] = {}
        if isinstance(node, ast.Import | ast.ImportFrom):
            paths = {
                k: v for alias in node.names for k, v in binding_of_import(node, alias).items()
            }
        for name in bindings(node):
            path = paths.get(name)
            if node not in plain:
                first = name not in self.names
                self.modules[name] = path if first or self.modules.get(name) == path else None
                self.names[name] = None

    def dotted_path(self, node: ast.expr) -> str | None:
        """Return the full path of an imported function or module, None for something else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        root = self.modules.get(node.id) if node.id in self.names else node.id
        return None if root is None else ".".join([root, *reversed(parts)])

    def variable_read(self, node: ast.AST) -> str | None:
        """Return the variable of the environment that an expression reads, None for none."""
        match node:
            case ast.Subscript(value=base, slice=key, ctx=ast.Load()):
                return self.key(key) if self.dotted_path(base) == "os.environ" else None
            case ast.Call(func=func, args=[key, *_]):
                return self.key(key) if self.dotted_path(func) in _GETTERS else None
        return None

    def key(self, node: ast.expr) -> str | None:
        """Return the constant text of a key, also by a name for it."""
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name):
                match self.names.get(name):
                    case [ast.Constant(value=str(text))]:
                        return text
        return None

    def path(self, node: ast.expr, depth: int = 0) -> str | None:
        """Return the path that an expression gives, with `$NAME` for what the environment has."""
        if depth > _DEPTH:
            return None
        key = self.variable_read(node)
        if key is not None:
            return self._variable(key, node, depth)
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name):
                return self._only(self.names.get(name) or [], depth)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._join_paths([left, right], "", depth)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._join_paths([left, right], "/", depth)
            case ast.BoolOp(op=ast.Or(), values=[first, last]):
                folder = self.path(first, depth + 1)
                return self.path(last, depth + 1) if folder and folder[0] == "$" else folder
            case ast.JoinedStr(values=values):
                return self._join_paths(values, "", depth)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.path(value, depth + 1)
            case ast.Subscript(value=value):
                return self.path(value, depth + 1)
            case ast.Call(func=func, args=args, keywords=[]) if args:
                called = self.dotted_path(func)
                if called in _JOIN:
                    return self._join_paths(args, "/", depth)
                return self.path(args[0], depth + 1) if called in _SAME else None
        return None

    def _variable(self, key: str, node: ast.expr, depth: int) -> str | None:
        """Return what a variable of the environment holds: what the program sets or the default."""
        set_here = self.variables.get(key, [])
        match node:
            case ast.Call(args=[_, default]) if not set_here:
                return self.path(default, depth + 1) or f"${key}"
        return self._only(set_here, depth) if set_here else f"${key}"

    def _join_paths(self, parts: list[ast.expr], separator: str, depth: int) -> str | None:
        paths = [self.path(part, depth + 1) for part in parts]
        return separator.join(map(str, paths)) if None not in paths else None

    def _only(self, values: list[ast.expr], depth: int) -> str | None:
        return self.path(values[0], depth + 1) if len(values) == 1 else None
