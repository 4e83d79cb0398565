"""Methods of dicts that Python 3 lacks: `iteritems`, `has_key`."""

from __future__ import annotations

import ast

from migrator.collect.removed.edits import is_settled, operand
from migrator.collect.removed.finder import Finder
from migrator.infer.values import LocalClass, LocalObj, Map, Obj, Value
from migrator.model.report import TextEdit
from migrator.python.replacements import DICT_METHODS, Replacement
from migrator.spark.kinds import Kind

_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert, ast.Return, ast.Assign, ast.BoolOp)
_GUESS = "if the receiver is a dict"
_CAVEAT = "the receiver may be something else than a dict"


class DictMethods(Finder):
    """Finds methods of dicts that are gone."""

    def attribute(self, node: ast.Attribute) -> None:
        """Find a method of something that is a dict, or may be one."""
        if node.attr not in DICT_METHODS or not isinstance(node.ctx, ast.Load):
            return
        call = self.around.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node:
            return
        value = self.facts.receivers.get(node)
        proven = is_dict(value)
        if not proven and (_is_other(value) or self._is_own(node.attr)):
            return
        new = DICT_METHODS[node.attr]
        edits: tuple[TextEdit, ...] = ()
        becomes = f".{new}()"
        if new and not call.args and not call.keywords:
            edits = self.rename_to(node, new)
        elif not new:
            edits, becomes = self._membership(call, node)
        advice = f"use {becomes}"
        instead = Replacement(advice=advice, caveat="" if proven else _CAVEAT)
        self.found(
            node,
            "dict-method",
            f".{node.attr}()",
            "AttributeError",
            instead,
            edits,
            becomes=becomes,
            guessed="" if proven else _GUESS,
        )

    def _is_own(self, name: str) -> bool:
        """Return whether a class of the program has such a method, or the program asks for it."""
        for node in self.project_nodes():
            match node:
                case ast.FunctionDef(name=found) if found == name:
                    return True
                case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=found)]) if (
                    found == name
                ):
                    return True
        return False

    def _membership(self, call: ast.Call, func: ast.Attribute) -> tuple[tuple[TextEdit, ...], str]:
        """Return `d.has_key(k)` as `k in d`."""
        match call:
            case ast.Call(args=[key], keywords=[]) if not isinstance(key, ast.Starred):
                pass
            case _:
                return (), "key in d"
        if "#" in self.text(call) or not is_settled(key, func.value):
            return (), "key in d"
        chunk = self.unit.chunk_at(call.lineno)
        parent = self.around.parents.get(call)
        whole: ast.expr = call
        operator = "in"
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            whole, operator = parent, "not in"
            parent = self.around.parents.get(parent)
        text = f"{operand(chunk, key)} {operator} {operand(chunk, func.value)}"
        if "\n" in text or not isinstance(parent, _TESTS) or isinstance(parent, ast.BoolOp):
            new = f"({text})"
        else:
            new = text
        return self.replace_with(whole, new), text


def is_dict(value: Value | None) -> bool:
    """Return whether a value can be nothing but a dict, or None."""
    atoms = frozenset() if value is None or value.unknown else value.without_none()
    return bool(atoms) and all(isinstance(a, Map) for a in atoms)


def _is_other(value: Value | None) -> bool:
    """Return whether a value is known, and is no dict."""
    if value is None or value.unknown or not value.atoms:
        return False
    return not any(
        isinstance(a, Map | LocalObj | LocalClass) or (isinstance(a, Obj) and a.kind is Kind.OTHER)
        for a in value.atoms
    )
