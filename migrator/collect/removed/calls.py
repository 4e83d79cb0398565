"""Arguments that functions no longer take, and iterators that are used as lists."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from migrator.collect.removed.finder import Finder, has_old_mode
from migrator.collect.removed.old_methods import is_dict
from migrator.infer.values import path_of
from migrator.model.report import TextEdit
from migrator.python.replacements import ARGUMENTS, LIST_METHODS, LISTS, VIEWS, Replacement
from migrator.source.python import Chunk

_UTF8 = frozenset({"utf8", "utf-8", "utf_8", "ascii", "us-ascii", "none"})
_OPEN = frozenset({"builtins.open", "io.open", "codecs.open"})
_DROPPED = Replacement(advice="drop it, and decode bytes before")
_DECODED = replace(
    _DROPPED, caveat="bytes in another encoding than UTF-8 have to be decoded before"
)


class Calls(Finder):
    """Finds calls that Python 3 refuses."""

    def argument(self, node: ast.Call) -> None:
        """Find an argument that is gone."""
        path = path_of(self.facts.callees.get(node))
        if path in _OPEN:
            self._mode(node)
        self._by_position(node, path)
        gone = ARGUMENTS.get(path)
        if gone is None:
            return
        name, since = gone
        for keyword in node.keywords:
            if keyword.arg == name:
                self._argument(node, keyword, path.removeprefix("builtins."), since)

    def _argument(self, node: ast.Call, keyword: ast.keyword, path: str, since: str) -> None:
        text = f"{path}({keyword.arg}=)"
        if keyword.arg == "cmp":
            self._find_comparison(node, text, keyword.value, keyword)
            return
        value = keyword.value
        is_utf8 = isinstance(value, ast.Constant) and str(value.value).lower() in _UTF8
        edits: tuple[TextEdit, ...] = ()
        if isinstance(value, ast.Constant | ast.Name):
            edits = _without(self.unit.chunk_at(node.lineno), node, keyword)
        instead = _DROPPED if is_utf8 else _DECODED
        self.add_removed(
            node.func, "argument", text, "TypeError", instead, edits, since=since, becomes=""
        )

    def _find_comparison(
        self, node: ast.Call, text: str, function: ast.expr, keyword: ast.keyword | None = None
    ) -> None:
        """Find a function by which `sorted` compares."""
        others = [k for k in node.keywords if k is not keyword]
        alone = not any(k.arg in ("key", "cmp", None) for k in others)
        plain = isinstance(function, ast.Name | ast.Attribute | ast.Lambda)
        edits: tuple[TextEdit, ...] = ()
        if alone and plain and not self.around.is_bound("cmp_to_key", node):
            edits = self.wrap_in(function, "key=cmp_to_key(", keyword)
        self.add_removed(
            node.func,
            "argument",
            text,
            "TypeError",
            Replacement(advice="use key=functools.cmp_to_key(f)"),
            edits,
            becomes="key=cmp_to_key(...)",
            statement="from functools import cmp_to_key",
        )

    def _by_position(self, node: ast.Call, path: str) -> None:
        """Find `sorted(x, f)`, `json.loads(x, "utf-8")`, `pickle.load(open(path))`."""
        match path, node.args:
            case "builtins.sorted", [values, function]:
                if not isinstance(values, ast.Starred) and not isinstance(function, ast.Starred):
                    self._find_comparison(node, "sorted(values, f)", function)
            case "json.loads" | "json.load", [given, ast.Constant(value=str(encoding)) as last]:
                chunk = self.unit.chunk_at(node.lineno)
                edits: tuple[TextEdit, ...] = ()
                start, end = chunk.span(given)[1], chunk.span(last)[1]
                plain = re.fullmatch(r"\s*,\s*[\"'][\w-]+[\"']", chunk.text[start:end])
                if plain and not isinstance(given, ast.Starred):
                    edits = (chunk.edit(start, end, ""),)
                instead = _DROPPED if encoding.lower() in _UTF8 else _DECODED
                text = f"{path}(..., {encoding!r})"
                self.add_removed(
                    node.func, "argument", text, "TypeError", instead, edits, becomes=""
                )
            case "pickle.load", [ast.Call() as opened]:
                self._pickle(node, opened, "rb")
            case "pickle.dump", [_, ast.Call() as opened, *_]:
                self._pickle(node, opened, "wb")

    def _pickle(self, node: ast.Call, opened: ast.Call, mode: str) -> None:
        """Find a pickle in a text file."""
        if path_of(self.facts.callees.get(opened)) not in ("builtins.open", "io.open"):
            return
        match opened:
            case ast.Call(args=[path], keywords=[]) if mode == "rb":
                given = None
            case ast.Call(args=[path, ast.Constant(value="r" | "w" as old) as given], keywords=[]):
                if old != mode[0]:
                    return
            case _:
                return
        edits: tuple[TextEdit, ...] = ()
        if given is not None:
            edits = self.replace_with(given, f'"{mode}"')
        elif not isinstance(path, ast.Starred):
            chunk = self.unit.chunk_at(node.lineno)
            end = chunk.span(path)[1]
            edits = (chunk.edit(end, end, f', "{mode}"'),)
        text = f"{ast.unparse(node.func)}() of a text file"
        advice = f'open the file with mode "{mode}"'
        becomes = f'open(..., "{mode}")'
        instead = Replacement(advice=advice)
        self.add_removed(opened, "argument", text, "TypeError", instead, edits, becomes=becomes)

    def _mode(self, node: ast.Call) -> None:
        """Find the U in the mode of a file."""
        modes = [k.value for k in node.keywords if k.arg == "mode"] or node.args[1:2]
        for mode in modes:
            if not has_old_mode(mode):
                continue
            text = self.text(mode)
            new = text.replace("U", "" if "r" in text else "r")
            # with b, Python 2 read lines of all kinds, and Python 3 reads bytes as they are
            plain = re.fullmatch("[\"'][rtU]+[\"']", text)
            edits = self.replace_with(mode, new) if plain else ()
            self.add_removed(
                mode,
                "argument",
                f"open(..., {ast.unparse(mode)})",
                "ValueError",
                Replacement(advice="drop U: a text file is read with all kinds of line ends"),
                edits,
                since="3.11",
                becomes=f"open(..., {new})",
            )

    def find_list_uses(self, node: ast.Call) -> None:
        """Find the result of `map`, `zip` or a dict's `keys()` that is used as a list at once."""
        match node.func:
            case ast.Name(id=name) if name in LISTS and len(node.args) > (name != "zip"):
                text = f"{name}()"
            case ast.Name(id="range") if node.args:
                text = "range()"
            case ast.Attribute(attr=name) if name in VIEWS and not node.args:
                if not is_dict(self.facts.receivers.get(node.func)):
                    return
                text = f".{name}()"
            case _:
                return
        use = self._list_use(node)
        # a range has indices, slices and a length
        if not use or (text == "range()" and use in ("[...]", " in len()", ".index")):
            return
        path = path_of(self.facts.callees.get(node))
        if isinstance(node.func, ast.Name) and path != f"builtins.{node.func.id}":
            return
        fits = use != ".sort" and not self.around.is_bound("list", node)
        edits = self.wrap_in(node, "list(") if fits else ()
        error = "AttributeError" if use[:1] == "." else "TypeError"
        advice = "sort with sorted()" if use == ".sort" else f"use list({text})"
        instead = Replacement(advice=advice)
        self.add_removed(
            node, "list", f"{text}{use}", error, instead, edits, becomes=f"list({text})"
        )

    def _list_use(self, node: ast.Call) -> str:
        """Return how the result of a call is used as a list, "" if it is not."""
        match self.around.parents.get(node):
            case ast.Subscript(value=value) if value is node:
                return "[...]"
            case ast.Attribute(attr=name, value=value) if value is node and name in LIST_METHODS:
                return f".{name}"
            case ast.Call(func=ast.Name(id="len") as called, args=[argument]) if argument is node:
                return "" if self.around.is_bound("len", called) or _is_view(node) else " in len()"
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                other = right if left is node else left
                return " +" if self._is_list(other) else ""
        return ""

    def _is_list(self, node: ast.expr) -> bool:
        """Return whether an expression was a list in Python 2."""
        match node:
            case ast.List() | ast.ListComp():
                return True
            case ast.Call(func=ast.Name(id=name)) if name in LISTS | {"range"}:
                return path_of(self.facts.callees.get(node)) == f"builtins.{name}"
            case ast.Call(func=ast.Attribute(attr=name) as func) if name in VIEWS:
                return is_dict(self.facts.receivers.get(func))
        return False


def _is_view(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute)


def _without(chunk: Chunk, call: ast.Call, keyword: ast.keyword) -> tuple[TextEdit, ...]:
    """Return the edit that takes an argument out of a call, with the comma on one side of it."""
    start, end = chunk.span(keyword)
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    spans = [chunk.span(part) for part in arguments]
    after = [first for first, _ in spans if first > start]
    before = [last for first, last in spans if first < start]
    if after:
        end = min(after)
    elif before:
        start = max(before)
        # an argument may stand in parentheses
        while chunk.text[start] != "," and start < end:
            start += 1
    if "#" in chunk.text[start:end]:
        return ()
    return (chunk.edit(start, end, ""),)
