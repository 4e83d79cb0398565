"""Methods of built-in objects that Python 3 lacks, or that take other arguments there."""

from __future__ import annotations

import ast
import re

from migrator.collect.removed.finder import Finder, is_settled, operand
from migrator.infer.values import Function, LocalClass, LocalObj, Map, Obj, Value, path_of
from migrator.model.report import TextEdit
from migrator.python.replacements import (
    BYTES_CODECS,
    DICT_METHODS,
    ERRORS,
    FILES,
    FUNCTION_ATTRIBUTES,
    ITERATORS,
    Replacement,
)
from migrator.spark.kinds import Kind

_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert, ast.Return, ast.Assign, ast.BoolOp)
_GUESS = "if the receiver is a dict"
_CAVEAT = "the receiver may be something else than a dict"
_DICT_ITERATORS = frozenset({"iterkeys", "itervalues", "iteritems"})


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
        self.add_removed(
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


class OldMethods(Finder):
    """Finds methods and attributes of strings, files, iterators, functions and errors."""

    def call(self, node: ast.Call) -> None:
        """Find `f.xreadlines()`, `g.next()`, `s.translate(None, chars)`, `s.encode("hex")`."""
        match node:
            case ast.Call(func=ast.Attribute(attr="xreadlines") as func, args=[], keywords=[]):
                if self._maker(func.value) in FILES:
                    self._without_arguments(node, func, "")
            case ast.Call(func=ast.Attribute(attr="next") as func, args=[], keywords=[]):
                maker = self._maker(func.value)
                if maker in FILES | ITERATORS:
                    self._without_arguments(node, func, "next(")
                elif maker == "dict":
                    self._without_arguments(node, func, "next(iter(")
            case ast.Call(
                func=ast.Attribute(attr="translate", value=value) as func,
                args=[ast.Constant(value=None) as none, chars],
                keywords=[],
            ) if not (isinstance(value, ast.Constant) and isinstance(value.value, bytes)):
                self._translate(func, none, chars)
            case ast.Call(
                func=ast.Attribute(attr="encode" | "decode", value=value) as func,
                args=[ast.Constant(value=str(codec)), *_],
            ) if codec.lower() in BYTES_CODECS and path_of(self.facts.values.get(value)) == "":
                advice = f"use {BYTES_CODECS[codec.lower()]}"
                text = f".{func.attr}({codec!r})"
                self.add_removed(func, "argument", text, "LookupError", Replacement(advice=advice))

    def attribute(self, node: ast.Attribute) -> None:
        """Find `f.func_name` of a function, and `error.message` of what an `except` has caught."""
        if not isinstance(node.ctx, ast.Load):
            return
        if node.attr in FUNCTION_ATTRIBUTES:
            self._of_function(node)
        elif node.attr == "message" and isinstance(node.value, ast.Name):
            self._message(node, node.value)

    def _maker(self, node: ast.expr) -> str:
        """Return the function that gave an object, or "generator" or "dict"; "" if unknown."""
        match node:
            case ast.GeneratorExp():
                return "generator"
            case ast.Call(func=ast.Attribute(attr=name) as func) if name in _DICT_ITERATORS:
                return "dict" if is_dict(self.facts.receivers.get(func)) else ""
            case ast.Call():
                return path_of(self.facts.callees.get(node))
            case ast.Name():
                value = self.only_value(node)
                return "" if value is None else self._maker(value)
        return ""

    def _without_arguments(self, node: ast.Call, func: ast.Attribute, opening: str) -> None:
        """Find a method that becomes a function, or the object itself."""
        chunk = self.unit.chunk_at(node.lineno)
        edits: tuple[TextEdit, ...] = ()
        closing = ")" * opening.count("(")
        bound = any(self.around.is_bound(name, node) for name in opening.split("(") if name)
        if not bound:
            (start, end), inside = chunk.span(node), chunk.span(func.value)[1]
            if re.fullmatch(r"\.\w+\(\)", chunk.text[inside:end]):
                edits = (chunk.edit(inside, end, closing),)
                edits += (chunk.edit(start, start, opening),) if opening else ()
        becomes = f"{opening}{ast.unparse(func.value)}{closing}"
        instead = Replacement(advice=f"use {becomes}")
        text = f".{func.attr}()"
        self.add_removed(func, "method", text, "AttributeError", instead, edits, becomes=becomes)

    def _translate(self, func: ast.Attribute, none: ast.expr, chars: ast.expr) -> None:
        chunk = self.unit.chunk_at(func.lineno)
        edits: tuple[TextEdit, ...] = ()
        if is_settled(chars) and not self.around.is_bound("str", func):
            start, end = chunk.span(none)[0], chunk.span(chars)[1]
            text = self.text(chars)
            if chunk.text[start:end].count("\n") == 0 and chunk.text[end:].lstrip()[:1] == ")":
                edits = (chunk.edit(start, end, f'str.maketrans("", "", {text})'),)
        is_text = isinstance(func.value, ast.Constant | ast.JoinedStr)
        self.add_removed(
            func,
            "argument",
            ".translate(None, ...)",
            "TypeError",
            Replacement(
                advice='use .translate(str.maketrans("", "", chars))',
                caveat="" if is_text else "keep the old call if it is bytes",
            ),
            edits,
            becomes=".translate(str.maketrans(...))",
            guessed="" if is_text else "if the receiver is a str",
        )

    def _of_function(self, node: ast.Attribute) -> None:
        value = self.facts.receivers.get(node)
        if value is None or value.unknown or not value.atoms:
            return
        if not all(isinstance(atom, Function) for atom in value.atoms):
            return
        new = FUNCTION_ATTRIBUTES[node.attr]
        text, instead = f".{node.attr}", Replacement(advice=f"use .{new}")
        edits = self.rename_to(node, new)
        self.add_removed(node, "method", text, "AttributeError", instead, edits, becomes=f".{new}")

    def _message(self, node: ast.Attribute, name: ast.Name) -> None:
        """Find the message of what an `except` of an error of Python itself has caught."""
        for parent, _ in self.around.above(node):
            match parent:
                case ast.ExceptHandler(type=ast.Name(id=kind), name=own) if own == name.id:
                    break
                case ast.FunctionDef() | ast.Lambda() | ast.ClassDef():
                    return
        else:
            return
        if kind not in ERRORS or self.around.is_bound(kind, node) or self._sets_message():
            return
        new = f"str({name.id})"
        edits = () if self.around.is_bound("str", node) else self.replace_with(node, new)
        self.add_removed(
            node,
            "method",
            f"{name.id}.message",
            "AttributeError",
            Replacement(advice=f"use {new}", caveat="str() shows all arguments of an error"),
            edits,
            becomes=new,
            guessed="unless the error defines it",
        )

    def _sets_message(self) -> bool:
        """Return whether the program gives some object a message."""
        for node in self.project_nodes():
            match node:
                case ast.Attribute(attr="message", ctx=ast.Store()):
                    return True
                case ast.FunctionDef(name="message") | ast.Name(id="message", ctx=ast.Store()):
                    return True
        return False
