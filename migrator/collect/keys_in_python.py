"""Finds the strings of a program that stand where the key of a setting stands.

`conf.set(key, value)` and its like, pairs and dicts of settings, and what follows `--conf`.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from migrator.collect.settings import settings_in
from migrator.infer.program import Facts
from migrator.infer.values import Obj
from migrator.source.python import Unit
from migrator.spark.kinds import Kind

_SETTERS = frozenset(
    (
        *("config", "setConf", "setIfMissing", "setProperty", "setLocalProperty"),
        "setSystemProperty",
    )
)
_CONFS = frozenset({Kind.SPARK_CONF, Kind.SPARK_SESSION, Kind.SESSION_BUILDER})
_NAMED_CONF = re.compile(r"conf|spark|builder|session|propert|setting|option", re.IGNORECASE)
_OPTIONS = frozenset({"--conf", "-c", "--properties"})


class SettingKeys:
    """Collects these strings; a parent has to be shown before its children.

    Attributes
    ----------
    matter : bool
        Whether the unit has settings at all; without them nothing needs to be shown.
    """

    def __init__(self, unit: Unit, facts: Facts) -> None:
        self.facts = facts
        # few programs have any
        self.matter = any(any(settings_in(chunk.text)) for chunk in unit.chunks)
        self._keys: set[ast.expr] = set()
        self._confs: set[ast.expr] = set()

    def __contains__(self, node: ast.expr) -> bool:
        return node in self._keys

    def call(self, node: ast.Call) -> None:
        """Find setters, and arguments that are settings."""
        for keyword in node.keywords:
            if keyword.arg is not None and _NAMED_CONF.search(keyword.arg):
                self._confs.add(keyword.value)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name == "setAll" and node.args:
                self._confs.add(node.args[0])
            elif name in _SETTERS or (name in ("set", "put") and self._is_conf(node.func.value)):
                self._key_of(node)
            elif name == "items" and node in self._confs:
                self._confs.add(node.func.value)
        elif isinstance(node.func, ast.Name):
            if _NAMED_CONF.search(node.func.id):
                self._key_of(node)
            if node.func.id in ("dict", "list") and node in self._confs:
                self._confs.update(node.args)
        self._options(node.args)

    def _key_of(self, node: ast.Call) -> None:
        named = [k.value for k in node.keywords if k.arg == "key"]
        if named or len(node.args) + len(node.keywords) > 1:
            for key in named or node.args[:1]:
                self._mark(key)

    def dict(self, node: ast.Dict) -> None:
        """Find dicts of settings: they are named so, or other keys of them are Spark's."""
        keys = [key for key in node.keys if key is not None]
        if node in self._confs or any(_is_sparks(key) for key in keys):
            for key in keys:
                self._mark(key)
        for name_of, value in zip(node.keys, node.values, strict=True):
            match name_of:
                case ast.Constant(value=str(name)) if _NAMED_CONF.search(name):
                    self._confs.add(value)

    def sequence(self, node: ast.Tuple | ast.List) -> None:
        """Find pairs of settings, and the arguments of a command."""
        pairs = [i.elts[0] for i in node.elts if isinstance(i, ast.Tuple | ast.List) and i.elts]
        if pairs and (node in self._confs or any(_is_sparks(key) for key in pairs)):
            for key in pairs:
                self._mark(key)
        self._options(node.elts)

    def assign(self, node: ast.Assign) -> None:
        """Find `conf = {key: value}` and `conf[key] = value`."""
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                if self._is_conf(target.value):
                    self._mark(target.slice)
            elif self._is_conf(target):
                self._confs.add(node.value)

    def _options(self, parts: list[ast.expr]) -> None:
        for before, part in pairwise(parts):
            if isinstance(before, ast.Constant) and before.value in _OPTIONS:
                self._mark(part)

    def _is_conf(self, node: ast.expr) -> bool:
        """Return whether an expression is a configuration, by its kind or its name."""
        value = self.facts.values.get(node)
        if value is not None and any(isinstance(a, Obj) and a.kind in _CONFS for a in value.atoms):
            return True
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return _NAMED_CONF.search(name) is not None
            case ast.Call(func=func):
                return self._is_conf(func) or (
                    isinstance(func, ast.Attribute) and self._is_conf(func.value)
                )
            case ast.Subscript(value=inner):
                return self._is_conf(inner)
        return False

    def _mark(self, node: ast.expr) -> None:
        """Note a key; of one that is put together, only its beginning."""
        match node:
            case ast.Constant():
                self._keys.add(node)
            case ast.BinOp(left=left):
                self._mark(left)
            case ast.JoinedStr(values=[first, *_]):
                self._mark(first)
            case ast.Call(func=ast.Attribute(value=text, attr="format")):
                self._mark(text)


def _is_sparks(node: ast.expr) -> bool:
    name = node.value if isinstance(node, ast.Constant) else None
    return (
        isinstance(name, str)
        and name.startswith("spark.")
        and not name.startswith("spark.streaming.")
    )
