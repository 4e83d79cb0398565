"""Calls and methods that Python 3 or Spark 4 refuses, or that mean something else there."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cached_property

from migrator.collect.removed.finder import Finder, editable, has_old_mode, is_settled, operand
from migrator.infer.values import Function, LocalClass, LocalObj, Map, Method, Obj, Value, path_of
from migrator.model.events import AnsiUse, LostSession
from migrator.model.report import TextEdit
from migrator.python.replacements import (
    ARGUMENTS,
    BYTES_CODECS,
    DICT_METHODS,
    ERRORS,
    FILES,
    FUNCTION_ATTRIBUTES,
    ITERATORS,
    LIST_METHODS,
    LISTS,
    VIEWS,
    Replacement,
)
from migrator.source.python import Chunk
from migrator.spark.kinds import Kind

# Methods of built-in objects that Python 3 lacks, or that take other arguments there.

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
        instead = Replacement(becomes, caveat="" if proven else _CAVEAT)
        guessed = "" if proven else _GUESS
        self.add_removed(node, "dict-method", f".{node.attr}()", instead, edits, guessed=guessed)

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
                instead = Replacement(advice=f"use {BYTES_CODECS[codec.lower()]}")
                text = f".{func.attr}({codec!r})"
                self.add_removed(func, "argument", text, instead, error="LookupError")

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
        instead = Replacement(f"{opening}{ast.unparse(func.value)}{closing}")
        self.add_removed(func, "method", f".{func.attr}()", instead, edits)

    def _translate(self, func: ast.Attribute, none: ast.expr, chars: ast.expr) -> None:
        chunk = self.unit.chunk_at(func.lineno)
        edits: tuple[TextEdit, ...] = ()
        if is_settled(chars) and not self.around.is_bound("str", func):
            start, end = chunk.span(none)[0], chunk.span(chars)[1]
            text = self.text(chars)
            if chunk.text[start:end].count("\n") == 0 and chunk.text[end:].lstrip()[:1] == ")":
                edits = (chunk.edit(start, end, f'str.maketrans("", "", {text})'),)
        is_text = isinstance(func.value, ast.Constant | ast.JoinedStr)
        instead = Replacement(
            ".translate(str.maketrans(...))",
            'use .translate(str.maketrans("", "", chars))',
            "" if is_text else "keep the old call if it is bytes",
        )
        guessed = "" if is_text else "if the receiver is a str"
        text = ".translate(None, ...)"
        self.add_removed(func, "argument", text, instead, edits, guessed=guessed)

    def _of_function(self, node: ast.Attribute) -> None:
        value = self.facts.receivers.get(node)
        if value is None or value.unknown or not value.atoms:
            return
        if not all(isinstance(atom, Function) for atom in value.atoms):
            return
        new = FUNCTION_ATTRIBUTES[node.attr]
        edits = self.rename_to(node, new)
        self.add_removed(node, "method", f".{node.attr}", Replacement(f".{new}"), edits)

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
        instead = Replacement(new, caveat="str() shows all arguments of an error")
        text, guessed = f"{name.id}.message", "unless the error defines it"
        self.add_removed(node, "method", text, instead, edits, guessed=guessed)

    def _sets_message(self) -> bool:
        """Return whether the program gives some object a message."""
        for node in self.project_nodes():
            match node:
                case ast.Attribute(attr="message", ctx=ast.Store()):
                    return True
                case ast.FunctionDef(name="message") | ast.Name(id="message", ctx=ast.Store()):
                    return True
        return False


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
        self.add_removed(node.func, "argument", text, instead, edits, since=since)

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
        instead = Replacement("key=cmp_to_key(...)", "use key=functools.cmp_to_key(f)")
        statement = "from functools import cmp_to_key"
        self.add_removed(node.func, "argument", text, instead, edits, statement=statement)

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
                self.add_removed(node.func, "argument", text, instead, edits)
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
        instead = Replacement(f'open(..., "{mode}")', f'open the file with mode "{mode}"')
        self.add_removed(opened, "argument", text, instead, edits)

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
            instead = Replacement(
                f"open(..., {new})", "drop U: a text file is read with all kinds of line ends"
            )
            text = f"open(..., {ast.unparse(mode)})"
            self.add_removed(
                mode, "argument", text, instead, edits, error="ValueError", since="3.11"
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
        advice = "sort with sorted()" if use == ".sort" else ""
        instead = Replacement(f"list({text})", advice)
        self.add_removed(node, "list", f"{text}{use}", instead, edits, error=error)

    def _list_use(self, node: ast.Call) -> str:
        """Return how the result of a call is used as a list, "" if it is not."""
        match self.around.parents.get(node):
            case ast.Subscript(value=value) if value is node:
                return "[...]"
            case ast.Attribute(attr=name, value=value) if value is node and name in LIST_METHODS:
                return f".{name}"
            case ast.Call(func=ast.Name(id="len") as called, args=[argument]) if argument is node:
                is_view = isinstance(node.func, ast.Attribute)
                return "" if is_view or self.around.is_bound("len", called) else " in len()"
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


# SQL and casts that gave NULL, and raise since Spark 4 has ANSI SQL switched on.

_SQL = frozenset({"sql", "selectExpr"})
# texts in quotes, comments, and stars that stand for all columns
_IGNORED = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|\(\s*\*\s*\)"
    r"|\b(?:select|distinct|all)\s+\*|,\s*\*|\.\*",
    re.IGNORECASE | re.DOTALL,
)
_RISKY = re.compile(
    r"\b(?:cast|to_date|to_timestamp|to_number|element_at|elt|make_date|make_timestamp|conv"
    r"|next_day|parse_url|unix_timestamp)\s*\(|\b(?:int|bigint|double|float|decimal|date"
    r"|timestamp)\s*\(|::|[\w)\]]\s*[-+*/%]\s*[\w(`]|\bdiv\b|\w\s*\[",
    re.IGNORECASE,
)
_TYPES = frozenset(
    (
        *("bigint", "boolean", "byte", "date", "decimal", "double", "float", "int", "integer"),
        *("long", "short", "smallint", "timestamp", "tinyint"),
    )
)


class AnsiUses(Finder):
    """Finds SQL and casts of a unit."""

    def call(self, node: ast.Call) -> None:
        """Find `session.sql(text)`, `df.selectExpr(...)`, `column.cast("int")`, `expr(text)`."""
        match node.func:
            case ast.Attribute(attr="cast") if len(node.args) == 1 and self._is_cast(node.args[0]):
                self._add(node.func, ".cast()")
            case ast.Attribute(attr=name) if name in _SQL and self._is_of_spark(node):
                if any(map(_is_risky, node.args)):
                    self._add(node.func, f".{name}()")
            case ast.Attribute(attr="expr") | ast.Name() if node.args:
                path = path_of(self.facts.callees.get(node))
                if path == "pyspark.sql.functions.expr" and _is_risky(node.args[0]):
                    self._add(node.func, "expr()")

    def _add(self, node: ast.expr, text: str) -> None:
        self.drafts.add(AnsiUse(self.unit.name_spot(node), text))

    def _is_of_spark(self, node: ast.Call) -> bool:
        """Return whether a method is that of a session or DataFrame, and may be nothing else."""
        callee = self.facts.callees.get(node)
        if callee is None or not callee.atoms:
            return False
        return all(isinstance(a, Method) and a.owner.kind in _KINDS for a in callee.atoms)

    def _is_cast(self, function: ast.expr) -> bool:
        """Return whether a cast is one of a column to a type that some texts have no value in."""
        match function:
            case ast.Constant(value=str(name)):
                return name.partition("(")[0].strip().lower() in _TYPES and self._uses_sql
            case ast.Call(func=func):
                function = func
        path = path_of(self.facts.values.get(function))
        name = path.rpartition(".")[2].removesuffix("Type").lower()
        return path.startswith("pyspark.sql.types.") and name in _TYPES

    @property
    def _uses_sql(self) -> bool:
        for value in self.facts.receivers.values():
            for atom in value.atoms:
                if isinstance(atom, Obj) and atom.kind in _KINDS:
                    return True
        return False


_KINDS = frozenset({Kind.SPARK_SESSION, Kind.SQL_CONTEXT, Kind.DATAFRAME})


def _is_risky(node: ast.expr) -> bool:
    """Return whether a text of SQL may do what raises now; one that is not known may."""
    match node:
        case ast.Constant(value=str(text)):
            return _RISKY.search(_IGNORED.sub(" ", text)) is not None
        case ast.JoinedStr(values=values):
            parts = [str(v.value) if isinstance(v, ast.Constant) else " x " for v in values]
            return _RISKY.search(_IGNORED.sub(" ", "".join(parts))) is not None
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
            return _is_risky(left) or (isinstance(node.op, ast.Add) and _is_risky(node.right))
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _is_risky(value)
    return False


# `toDF` of RDDs in programs that make no session, which gives RDDs that method.

_SESSION = re.compile(r"SparkSession|SQLContext|HiveContext|sql_?context", re.IGNORECASE)
_CONTEXT = re.compile(r"\bSparkContext\s*\(|\bSparkContext\.getOrCreate\b")
_IMPORT = "from pyspark.sql import SparkSession"


class Sessions(Finder):
    """Finds `toDF` of RDDs where no session is made."""

    def attribute(self, node: ast.Attribute) -> None:
        """Find `rdd.toDF`."""
        if node.attr != "toDF":
            return
        call = self.around.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node or self._has_session:
            return
        value = self.facts.receivers.get(node)
        if value is None or not _is_rdd(value) or self.around.is_guarded(node):
            return
        edits = self._edits(call, node)
        event = LostSession(self.unit.name_spot(node), ast.unparse(node), edits)
        self.drafts.add(event, node, _IMPORT)

    @cached_property
    def _has_session(self) -> bool:
        """Whether anything in the programs around may make a session, or run where there is one."""
        units = [p.unit for p in self.program.project.programs.values() if p.unit is not None]
        if self.program.project.failed:
            return True
        texts = [text for u in units for text in (*(chunk.text for chunk in u.chunks), *u.unread)]
        # a shell and a notebook have a session
        makes_context = any(_CONTEXT.search(text) for text in texts)
        return not makes_context or any(_SESSION.search(text) for text in texts)

    def _edits(self, call: ast.Call, node: ast.Attribute) -> tuple[TextEdit, ...]:
        """Return the same through a session: `session.createDataFrame(rdd, ...)`."""
        chunk = editable(self.unit, call)
        if chunk is None or self.around.is_bound("SparkSession", node):
            return ()
        text = chunk.source(call)
        start, end = chunk.span(call)
        receiver_end = chunk.span(node.value)[1]
        opening = chunk.text.find("(", chunk.span(node)[1], end)
        between = chunk.text[receiver_end:opening]
        if "#" in text or between.replace(" ", "") != ".toDF":
            return ()
        if any(isinstance(a, ast.Starred) for a in call.args) or len(call.args) > 2:
            return ()
        separator = ", " if call.args or call.keywords else ""
        return (
            chunk.edit(start, start, "SparkSession.builder.getOrCreate().createDataFrame("),
            chunk.edit(receiver_end, opening + 1, separator),
        )


def _is_rdd(value: Value) -> bool:
    """Return whether a value is proven to be an RDD."""
    atoms = value.without_none()
    if not atoms or value.unknown:
        return False
    return all(isinstance(a, Obj) and a.kind is Kind.RDD and not a.probable for a in atoms)
