"""Names that are gone, in expressions and imports, and all finders together."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from migrator.collect.removed.calls import AnsiUses, Calls, DictMethods, OldMethods, Sessions
from migrator.collect.removed.finder import (
    Finder,
    NodeContext,
    PendingEvents,
    editable,
    is_settled,
    operand,
)
from migrator.infer.program import Program
from migrator.infer.scopes import imported_module
from migrator.infer.values import LocalObj, Obj, Value, path_of
from migrator.model.events import Event
from migrator.model.report import TextEdit
from migrator.python.replacements import (
    BUILTINS,
    MAKERS,
    MEMBERS,
    MODULES,
    MOVED,
    NAMES,
    STRING_METHODS,
    STRING_NUMBERS,
    Replacement,
    removed_table,
)
from migrator.source.python import Chunk, Unit
from migrator.spark import api
from migrator.spark.removed import CAVEATS, CLASSES, METHODS, REPLACED, removed_from_spark

# Built-in names of Python 2: `xrange`, `unicode`, `reduce`.

_WITH_ENCODING = Replacement(
    advice="leave text as it is, and decode bytes with x.decode(encoding, errors)"
)


class BuiltinNames(Finder):
    """Finds built-in names that are gone."""

    def name(self, node: ast.Name) -> None:
        """Find a name that nothing binds."""
        instead = BUILTINS.get(node.id)
        if instead is None or not isinstance(node.ctx, ast.Load):
            return
        if f"builtins.{node.id}" not in removed_table().names or self.around.is_bound(
            node.id, node
        ):
            return
        name, new = node.id, instead.new
        call = self.around.parents.get(node)
        is_call = isinstance(call, ast.Call) and call.func is node
        edits: tuple[TextEdit, ...] = ()
        statement = ""
        becomes = new
        match name:
            case "reload" if self.around.drops_encoding(call):
                edits, becomes = self.around.encoding_edits, ""
                instead = Replacement(advice="drop it, with sys.setdefaultencoding()")
            case "apply" if is_call and isinstance(call, ast.Call):
                edits, becomes = self._unpack_apply(call)
            case "file" if is_call and isinstance(call, ast.Call) and 0 < len(call.args) < 3:
                edits, becomes = self.replace_with(node, "open"), "open"
            case "unicode" if is_call and isinstance(call, ast.Call) and _has_encoding(call):
                instead = _WITH_ENCODING
            case _ if "." in new:
                module, _, own = new.rpartition(".")
                # nothing is replaced: the name is bound by an import
                edits = self.replace_with(node, own)
                statement = f"from {module} import {own}"
                becomes = statement
            case _ if new and not self.around.is_bound(new, node):
                edits = self.replace_with(node, new)
        instead = replace(instead, new=becomes, advice=instead.remedy)
        self.add_removed(node, "builtin", name, instead, edits, statement=statement)

    def _unpack_apply(self, call: ast.Call) -> tuple[tuple[TextEdit, ...], str]:
        """Return `apply(f, args, keywords)` as `f(*args, **keywords)`."""
        starred = any(isinstance(a, ast.Starred) for a in call.args)
        if call.keywords or not 1 <= len(call.args) <= 3 or starred or "#" in self.text(call):
            return (), ""
        chunk = self.unit.chunk_at(call.lineno)
        function, *arguments = (operand(chunk, a) for a in call.args)
        stars = [star + text for star, text in zip(("*", "**"), arguments, strict=False)]
        new = f"{function}({', '.join(stars)})"
        return (self.replace_with(call, new), new) if is_settled(*call.args) else ((), "")


def _has_encoding(call: ast.Call) -> bool:
    return len(call.args) + len(call.keywords) > 1 or any(k.arg != "object" for k in call.keywords)


# Names of modules that are there, taken by a dotted path: `string.letters`, `urllib.quote`.

_COMMA = re.compile(r"\s*,\s*\Z")
_END = re.compile(r"\s*,?\s*\)\Z")
_NONE: tuple[TextEdit, ...] = ()
_NOTHING = Replacement(advice="nothing takes its place: rewrite what needs it")
_MEMBER_NAMES = frozenset(path.rpartition(".")[2] for path in MEMBERS)
_SPARK_NAMES = frozenset(path.rpartition(".")[2] for path in METHODS)


class Attributes(Finder):
    """Finds attributes that are gone."""

    def attribute(self, node: ast.Attribute) -> None:
        """Find an attribute of a module, or of an object of a known class."""
        value = self.facts.receivers.get(node)
        if value is None or not isinstance(node.ctx, ast.Load):
            return
        owner = path_of(value)
        if owner:
            path = f"{owner}.{node.attr}"
            if owner.partition(".")[0] == "pyspark":
                since = removed_from_spark().get(path)
                if since is not None:
                    self._of_spark(node, path, since)
            elif path in removed_table().names:
                self._of_module(node, owner, path)
        elif node.attr in _SPARK_NAMES:
            self._of_spark_object(node, value)

    def _of_spark(self, node: ast.Attribute, path: str, since: str) -> None:
        instead = REPLACED.get(path, _NOTHING)
        owner, _, name = instead.new.rpartition(".")
        edits = self.rename_to(node, name) if owner == path.rpartition(".")[0] else ()
        self.add_removed(node, "spark-name", path, instead, edits, since=since)

    def _of_spark_object(self, node: ast.Attribute, value: Value) -> None:
        """Find a method of a DataFrame or context that is proven to be one."""
        atoms = value.without_none()
        kinds = {a.kind for a in atoms if isinstance(a, Obj) and not a.probable}
        if value.unknown or len(kinds) != 1 or not all(isinstance(a, Obj) for a in atoms):
            return
        if any(isinstance(a, Obj) and a.probable for a in atoms) or not self.facts.converged:
            return
        (kind,) = kinds
        path = f"{CLASSES.get(kind, '')}.{node.attr}"
        since = removed_from_spark().get(path)
        if since is None:
            return
        new, positional = METHODS.get(path, ("", 0))
        instead = Replacement(new, f"use .{new}" if new else "drop the call", CAVEATS.get(path, ""))
        call = self.around.parents.get(node)
        fits = not positional or (isinstance(call, ast.Call) and _fits(call, node, positional))
        edits = self.rename_to(node, new) if new and fits else ()
        text = path.removeprefix("pyspark.").removeprefix("sql.")
        self.add_removed(node, "spark-method", text, instead, edits, since=since)

    def _of_module(self, node: ast.Attribute, owner: str, path: str) -> None:
        since = removed_table().names[path]
        instead = NAMES.get(path, _NOTHING)
        edits: tuple[TextEdit, ...] = ()
        if owner == "string" and node.attr in STRING_METHODS | STRING_NUMBERS.keys() | {"join"}:
            edits, becomes = _of_string(self.unit.chunk_at(node.lineno), node, self.around)
            instead = Replacement(becomes, f"call the method of str, as in {becomes}")
        elif path == "sys.setdefaultencoding":
            if self.around.drops_encoding(self.around.parents.get(node)):
                edits = self.around.encoding_edits
        elif instead.new:
            edits = self._move_to(node, owner, instead.new)
        self.add_removed(node, "name", path, instead, edits, since=since)

    def _move_to(self, node: ast.Attribute, owner: str, new: str) -> tuple[TextEdit, ...]:
        """Return the edit that puts another name in the place of one of a module."""
        module, _, name = new.rpartition(".")
        if module == owner:
            return self.rename_to(node, name)
        if not module or module == "str":
            root = new.partition(".")[0]
            return () if self.around.is_bound(root, node) else self.replace_with(node, new)
        if module.startswith(owner + "."):
            imported = self._import_of(node, owner)
            if imported is not None:
                return (*self.rename_to(node, new[len(owner) + 1 :]), imported)
        return ()

    def _import_of(self, node: ast.Attribute, owner: str) -> TextEdit | None:
        """Return the edit by which `import urllib` imports the parts of it that are needed."""
        if not isinstance(node.value, ast.Name):
            return None
        scope = self.around.scope(node).owner_of(node.value.id)
        bindings = [
            alias
            for node_of_import in self.unit.nodes()
            if isinstance(node_of_import, ast.Import)
            and self.facts.scopes.get(node_of_import) is scope
            for alias in node_of_import.names
            if alias.name == owner and alias.asname is None
        ]
        chunk = editable(self.unit, bindings[0]) if bindings else None
        if chunk is None or node.value.id != owner:
            return None
        needed = sorted(self._parts_of(owner))
        return chunk.edit(*chunk.span(bindings[0]), ", ".join(needed))

    def _parts_of(self, owner: str) -> set[str]:
        """Return the modules that have all names that a unit takes of a package and that moved."""
        parts = set()
        for node, value in self.facts.receivers.items():
            new = NAMES.get(f"{owner}.{node.attr}", _NOTHING).new
            if path_of(value) == owner and new.startswith(f"{owner}."):
                parts.add(new.rpartition(".")[0])
        return parts

    def member(self, node: ast.Attribute) -> None:
        """Find a method of an object of the standard library that is proven to be one."""
        if node.attr not in _MEMBER_NAMES or not isinstance(node.ctx, ast.Load):
            return
        owner = self._class_of(node.value)
        path = f"{owner}.{node.attr}"
        since = removed_table().members.get(path)
        if since is None or path not in MEMBERS:
            return
        instead = MEMBERS[path]
        edits = self.rename_to(node, instead.new) if instead.new else ()
        self.add_removed(node, "method", f"{path}()", instead, edits, since=since)

    def _class_of(self, node: ast.expr) -> str:
        """Return the class of the standard library that an expression is of, "" if unknown."""
        if isinstance(node, ast.Call):
            return MAKERS.get(path_of(self.facts.callees.get(node)), "")
        value = self.facts.values.get(node)
        if value is not None and not value.unknown and len(value.atoms) == 1:
            (atom,) = value.atoms
            if isinstance(atom, LocalObj):
                bases = [MAKERS.get(b, "") for b in atom.info.outer_bases() or ()]
                return bases[0] if len(bases) == 1 else ""
        if not isinstance(node, ast.Name):
            return ""
        class_value = self.only_value(node)
        return "" if class_value is None else self._class_of(class_value)


def _fits(call: ast.Call, node: ast.Attribute, positional: int) -> bool:
    """Return whether the arguments of a call mean the same at its new place."""
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    return call.func is node and not call.keywords and not spread and len(call.args) <= positional


def _of_string(
    chunk: Chunk, node: ast.Attribute, around: NodeContext
) -> tuple[tuple[TextEdit, ...], str]:
    """Return the edits of a function of `string`, and what it becomes.

    They leave the text of the arguments alone, so that edits can be made in them, too.
    """
    name = node.attr
    call = around.parents.get(node)
    number = STRING_NUMBERS.get(name)
    becomes = f"{number}(text)" if number else f"text.{name}()"
    if not isinstance(call, ast.Call) or call.func is not node:
        # handed on as a function
        new = number or f"str.{name}"
        free = name != "join" and not around.is_bound(number or "str", node)
        return ((chunk.edit(*chunk.span(node), new),) if free else _NONE), new
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    if call.keywords or spread or not call.args:
        return _NONE, becomes
    if number:
        free = not around.is_bound(number, node) and len(call.args) < 3
        return ((chunk.edit(*chunk.span(node), number),) if free else _NONE), becomes
    if name == "join":
        return _edits_of_join(chunk, call), becomes
    return _method(chunk, call, name), becomes


def _method(chunk: Chunk, call: ast.Call, name: str) -> tuple[TextEdit, ...]:
    """Return `string.split(text, ",")` as `text.split(",")`."""
    opened = _opening(chunk, call)
    first, *rest = call.args
    start, end = chunk.span(first)
    stop = chunk.span(rest[0])[0] if rest else chunk.span(call)[1]
    between = chunk.text[end:stop]
    if opened is None or (_COMMA if rest else _END).match(between) is None:
        return _NONE
    before, after = ("(", ")") if operand(chunk, first)[:1] != chunk.text[start] else ("", "")
    closing = f"{after}.{name}(" if rest else f"{after}.{name}()"
    return (chunk.edit(*opened, before), chunk.edit(end, stop, closing))


def _edits_of_join(chunk: Chunk, call: ast.Call) -> tuple[TextEdit, ...]:
    """Return `string.join(words, separator)` as `separator.join(words)`."""
    opened = _opening(chunk, call)
    words, *rest = call.args
    end, stop = chunk.span(words)[1], chunk.span(call)[1]
    if opened is None or len(rest) > 1:
        return _NONE
    separator = '" "'
    if rest:
        first, last = chunk.span(rest[0])
        if not isinstance(rest[0], ast.Constant | ast.Name):
            return _NONE
        if _COMMA.match(chunk.text[end:first]) is None or not _END.match(chunk.text[last:stop]):
            return _NONE
        separator = operand(chunk, rest[0])
    elif _END.match(chunk.text[end:stop]) is None:
        return _NONE
    opening = chunk.edit(*opened, f"{separator}.join(")
    return (opening, chunk.edit(end, stop, ")"))


def _opening(chunk: Chunk, call: ast.Call) -> tuple[int, int] | None:
    """Return where the function and its parenthesis stand, None if more is before the argument."""
    start, inside = chunk.span(call)[0], chunk.span(call.args[0])[0]
    text = chunk.text[chunk.span(call.func)[1] : inside]
    return (start, inside) if re.fullmatch(r"\s*\(\s*", text) else None


# Imports of modules that are gone, and of names that modules have lost.


class Imports(Finder):
    """Finds imports of what is gone."""

    def plain(self, node: ast.Import) -> None:
        """Find `import module`."""
        for alias in node.names:
            lost = _lost_module(alias.name)
            if not lost or self._is_in_tree(alias.name):
                continue
            since = removed_table().modules[lost]
            instead = _of_part(alias.name, lost)
            edits: tuple[TextEdit, ...] = ()
            bound = alias.asname or alias.name
            fits = instead.new and "." not in bound
            if fits and self._uses(bound).isdisjoint(removed_table().moved[alias.name]):
                new = instead.new if instead.new == bound else f"{instead.new} as {bound}"
                edits = self.replace_with(alias, new)
                if alias.name == "commands" and self._uses(bound) <= {"getoutput"}:
                    instead = Replacement(instead.new)
            self.add_removed(alias, "module", alias.name, instead, edits, since=since)

    def _uses(self, name: str) -> set[str]:
        """Return the attributes that are taken from a name anywhere in the unit."""
        return {
            node.attr
            for node in self.unit.nodes()
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == name
        }

    def _is_in_tree(self, dotted: str) -> bool:
        return self.program.project.index.find(self.program.path, 0, dotted) is not None

    def names(self, node: ast.ImportFrom) -> None:
        """Find `from module import name`."""
        module = node.module or ""
        if node.level or self._is_in_tree(module):
            return
        if _lost_module(module):
            self._of_lost_module(node, module)
            return
        # names by their position, with where they are now
        moves: dict[int, str] = {}
        lost: dict[int, tuple[str, str, Replacement, str]] = {}
        for index, alias in enumerate(node.names):
            lost_name = _lost_name(module, alias.name)
            if lost_name is not None:
                lost[index] = lost_name
                if lost_name[2].new:
                    moves[index] = lost_name[2].new
        if not lost:
            return
        edits = self._import_edits(node, moves)
        caveats = [r.caveat for i, (_, _, r, _) in lost.items() if r.caveat and i in moves]
        for index, (what, since, instead, path) in lost.items():
            own = edits if index in moves else ()
            shown = Replacement(instead.new, instead.advice, "; ".join(dict.fromkeys(caveats)))
            alias = node.names[index]
            self.add_removed(alias, what, path, shown, own, error="ImportError", since=since)

    def _of_lost_module(self, node: ast.ImportFrom, module: str) -> None:
        lost = _lost_module(module)
        instead = _of_part(module, lost)
        edits: tuple[TextEdit, ...] = ()
        star = node.names[0].name == "*"
        imported_names_here = {alias.name for alias in node.names}
        if (
            instead.new
            and not star
            and imported_names_here.isdisjoint(removed_table().moved[module])
        ):
            places = {
                i: MOVED.get(f"{module}.{a.name}", f"{instead.new}.{a.name}")
                for i, a in enumerate(node.names)
            }
            edits = self._import_edits(node, places)
            if module == "commands" and imported_names_here == {"getoutput"}:
                instead = Replacement(instead.new)
        since = removed_table().modules[lost]
        self.add_removed(node, "module", module, instead, edits, since=since)

    def _import_edits(self, node: ast.ImportFrom, places: dict[int, str]) -> tuple[TextEdit, ...]:
        """Return the edit that imports names from where they are now."""
        text = self.text(node)
        if not places or "#" in text:
            return ()
        modules: dict[str, list[str]] = {}
        for index, alias in enumerate(node.names):
            path = places.get(index)
            if path is None:
                own = imported_module(node)
                shown = alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"
            else:
                own, _, name = path.rpartition(".")
                own = own or "builtins"
                bound = alias.asname or alias.name
                shown = name if name == bound else f"{name} as {bound}"
            modules.setdefault(own, []).append(shown)
        if len(modules) == 1 and all(
            path.rpartition(".")[2] == node.names[i].name for i, path in places.items()
        ):
            # only the module changes
            match = re.match(r"from[ \t]+(?P<module>[\w.]+)", text)
            if match is not None:
                new = text[: match.start("module")] + next(iter(modules)) + text[match.end() :]
                return self.replace_with(node, new)
        if "\n" in text and len(modules) == 1 and places.keys() == {*range(len(node.names))}:
            return ()
        statements = [f"from {m} import {', '.join(n)}" for m, n in modules.items()]
        return self.replace_with(node, self._separator(node).join(statements))

    def _separator(self, node: ast.ImportFrom) -> str:
        """Return what stands between two statements in the place of one."""
        chunk = self.unit.chunk_at(node.lineno)
        start, end = chunk.span(node)
        line = chunk.text.rfind("\n", 0, start) + 1
        indent = chunk.text[line:start]
        rest = re.match(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)", chunk.text[end:])
        if indent.strip() or rest is None:
            return "; "
        return ("\r\n" if "\r\n" in chunk.text else "\n") + indent


def _lost_module(module: str) -> str:
    """Return the module that is gone, the same or the package of it; "" if there is none."""
    package = module.partition(".")[0]
    return next((name for name in (module, package) if name in removed_table().modules), "")


def _of_part(module: str, lost: str) -> Replacement:
    """Return what takes the place of a module; for a part of a package only advice."""
    instead = MODULES.get(lost, _NOTHING)
    return instead if lost == module else Replacement(advice=instead.remedy)


def _lost_name(module: str, name: str) -> tuple[str, str, Replacement, str] | None:
    """Return what is gone of a module: kind, version, what takes its place, and its path."""
    path = f"{module}.{name}"
    if module.partition(".")[0] == "pyspark":
        path = api.canonical(path)
        since = removed_from_spark().get(path)
        if since is None:
            return None
        return "spark-name", since, REPLACED.get(path, _NOTHING), path
    # `from email import Encoders`
    since = removed_table().modules.get(path)
    if since is not None:
        return "module", since, MODULES.get(path, _NOTHING), path
    since = removed_table().names.get(path)
    return None if since is None else ("name", since, NAMES.get(path, _NOTHING), path)


# `print` as a statement that parses as an expression: `print >>f, x`, `print ("%s") % x`.

_CAVEAT = "Python 3 prints less today"
_NAME = re.compile(r"print\s*")
_BEHIND = re.compile(r"\)*\s*,\s*")


class Prints(Finder):
    """Finds statements that print in Python 2 only."""

    def expression(self, node: ast.Expr) -> None:
        """Find a statement that begins with `print` and is no call of it."""
        value = node.value
        first = _leftmost(value)
        if not isinstance(first, ast.Name) or first.id != "print" or first is value:
            return
        if isinstance(value, ast.Call) and value.func is first:
            return
        if self.around.is_bound("print", first):
            return
        if isinstance(value, ast.Call | ast.Attribute | ast.Subscript | ast.Await):
            # `print(x).y` never worked
            return
        edits = _edits(self.unit.chunk_at(node.lineno), value)
        text, error = _what(value)
        if not error and self._is_meant(value):
            return
        becomes = "print(..., file=f)" if ">>" in text else "print(...)"
        advice = "call print(..., file=f)" if ">>" in text else "call print()"
        instead = Replacement(becomes, advice, "" if error else _CAVEAT)
        self.add_removed(node, "print", text, instead, edits, error=error)

    def _is_meant(self, value: ast.expr) -> bool:
        """Return whether a statement that raises nothing may be meant as it is to Python 3."""
        others = value.elts[1:] if isinstance(value, ast.Tuple) else [value]
        if not isinstance(value, ast.Tuple) or any(isinstance(o, ast.Call) for o in others):
            return True
        return any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "print_function" for alias in node.names)
            for node in self.unit.nodes()
        )


def _edits(chunk: Chunk, value: ast.expr) -> tuple[TextEdit, ...]:
    """Return what makes a call of a statement; what is printed stays, for edits of its own."""
    start, end = chunk.span(value)
    text = chunk.text[start:end]
    if "#" in text or chunk.text[end : end + 1] == ")":
        return ()
    trailing = _COMMA.search(text) if isinstance(value, ast.Tuple) else None
    stop = end if trailing is None else start + trailing.start()
    ending = "" if trailing is None else ', end=" "'
    redirected = _redirection(value)
    if redirected is None:
        opened = _NAME.match(text)
        assert opened is not None
        head = chunk.edit(start, start + opened.end(), "print(")
        return (head, chunk.edit(stop, end, f"{ending})"))
    stream, items = redirected
    if not is_settled(stream):
        return ()
    target = chunk.source(stream)
    if not items:
        return (chunk.edit(start, end, f"print(file={target})"),)
    opened = _BEHIND.match(text, chunk.span(stream)[1] - start)
    if opened is None:
        return ()
    head = chunk.edit(start, start + opened.end(), "print(")
    return (head, chunk.edit(stop, end, f", file={target}{ending})"))


def _leftmost(node: ast.expr) -> ast.expr:
    """Return the expression that a text begins with."""
    while True:
        match node:
            case ast.Tuple(elts=[first, *_]):
                node = first
            case ast.BinOp(left=left) | ast.Compare(left=left):
                node = left
            case ast.BoolOp(values=[first, *_]):
                node = first
            case ast.IfExp(body=body):
                node = body
            case ast.Call(func=func):
                node = func
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                node = value
            case _:
                return node


def _redirection(value: ast.expr) -> tuple[ast.expr, list[ast.expr]] | None:
    """Return the stream and the items of `print >>stream, items`."""
    items: list[ast.expr] = []
    if isinstance(value, ast.Tuple):
        value, *items = value.elts
    match value:
        case ast.BinOp(left=ast.Name("print"), op=ast.RShift(), right=stream):
            return stream, items
    return None


def _what(value: ast.expr) -> tuple[str, str]:
    """Return what a statement does, and what it raises."""
    if _redirection(value) is not None:
        return "print >>", "TypeError"
    first = value.elts[0] if isinstance(value, ast.Tuple) else value
    if isinstance(first, ast.BinOp):
        return "print (...) %" if isinstance(first.op, ast.Mod) else "print ...", "TypeError"
    # prints the first part, and throws the rest away
    return "print (...), ...", ""


def removed_names(unit: Unit, program: Program) -> list[Event]:
    """Return the events of a unit."""
    drafts = PendingEvents(unit)
    context = unit, program, NodeContext(unit, program), drafts
    attributes, calls = Attributes(*context), Calls(*context)
    imports, old = Imports(*context), OldMethods(*context)
    handlers: dict[type[ast.AST], tuple[Callable[[Any], None], ...]] = {
        ast.Name: (BuiltinNames(*context).name,),
        ast.Attribute: (
            DictMethods(*context).attribute,
            attributes.attribute,
            attributes.member,
            Sessions(*context).attribute,
            old.attribute,
        ),
        ast.Call: (calls.argument, calls.find_list_uses, old.call, AnsiUses(*context).call),
        ast.Import: (imports.plain,),
        ast.ImportFrom: (imports.names,),
        ast.Expr: (Prints(*context).expression,),
    }
    for node in unit.nodes():
        for handle in handlers.get(type(node), ()):
            handle(node)
    return drafts.events_with_imports()
