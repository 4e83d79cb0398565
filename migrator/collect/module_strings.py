"""Strings that name `pyspark.streaming` or something in it, and which of them are import paths."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from migrator.infer.program import Program
from migrator.infer.values import Ref, path_of
from migrator.model.events import ModuleString
from migrator.model.report import TextEdit
from migrator.source.python import Unit
from migrator.spark import api, names

_PATH = re.compile(r"pyspark\.streaming(?:\.\w+)*\Z")
# in quotes without escapes, so that the text in the file is the path itself
_LITERAL = re.compile(r"""[uUrR]?(['"])(pyspark\.streaming(?:\.\w+)*)\1""")
_PATCHES = ("unittest.mock.patch", "mock.patch", "mock.mock.patch")
# the parameters that pytest and pytest-mock fill
_FIXTURES = {"mocker": "mock", "monkeypatch": "monkeypatch"}
# parameters of `patch.multiple` that name nothing
_OF_PATCH = frozenset({"spec", "create", "spec_set", "autospec", "new_callable"})
_CLASSES = {"StreamingContext": frozenset(api.STREAMING_CONTEXT), "DStream": frozenset(api.DSTREAM)}


class ModuleStrings:
    """Collects such strings of a unit; calls are met before the strings in them."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.program = program
        self.facts = program.facts
        self.uses: dict[ast.expr, str] = {}

    @cached_property
    def fixtures(self) -> set[ast.Name]:
        """The names of fixtures in the functions that get them."""
        fixture_names: set[ast.Name] = set()
        for node in self.unit.nodes():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                fixture_arguments = {a.arg for a in node.args.args if a.arg in _FIXTURES}
                inside = [
                    n
                    for n in ast.walk(node)
                    if isinstance(n, ast.Name) and n.id in fixture_arguments
                ]
                stored = {n.id for n in inside if not isinstance(n.ctx, ast.Load)}
                fixture_names.update(n for n in inside if n.id not in stored)
        return fixture_names

    def event(self, node: ast.Constant) -> Iterator[ModuleString]:
        """Yield the event of a string that is a path."""
        if not _is_path(node):
            return
        use = self.uses.get(node, "")
        edit = self._edit(node) if use and self.facts.converged else None
        yield ModuleString(self.unit.spot_of(node), _text(node), use, edit)

    def call(self, node: ast.Call) -> None:
        """Note the paths that a call imports, patches or looks up."""
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not any(_is_path(part) or isinstance(part, ast.Dict) for part in arguments):
            return
        callee = self._callee(node)
        self._imports(callee, node)
        self._patches(callee, node)

    def _imports(self, callee: str, node: ast.Call) -> None:
        """Note the module that a call imports, or looks up among those that are imported."""
        match callee, node.args:
            case "importlib.import_module", [name]:
                if not node.keywords and self._is_imported(name, _text(name)):
                    self.uses[name] = "import"
            case "importlib.import_module", [name, package]:
                relative = _text(name)
                one_level = relative[:1] == "." and relative[:2] != ".."
                if one_level and self._is_imported(package, _text(package) + relative):
                    self.uses[package] = "import"
            case "builtins.__import__", [name, *others]:
                module_arguments = [
                    *others[2:],
                    *(k.value for k in node.keywords if k.arg == "fromlist"),
                ]
                if self._is_imported(name, _text(name)) and _gives_module(module_arguments):
                    self.uses[name] = "import"
            case "sys.modules.get" | "sys.modules.pop" | "sys.modules.setdefault", [name, *_]:
                self._entry(name)

    def _patches(self, callee: str, node: ast.Call) -> None:
        """Note what a call of a test replaces."""
        match callee, node.args:
            case "monkeypatch.setitem" | "monkeypatch.delitem", [table, name, *_]:
                if self._is_modules(table):
                    self._entry(name)
            case "monkeypatch.setattr", [name, _]:
                self._note_patch_target(name)
            case "monkeypatch.delattr", [name]:
                self._note_patch_target(name)
            case "patch", [name, *_]:
                self._note_patch_target(name)
            case "patch.multiple", [name]:
                text = _text(name)
                added = [f"{text}.{k.arg}" for k in node.keywords if k.arg not in _OF_PATCH]
                if added and all(k.arg for k in node.keywords) and all(map(_is_patchable, added)):
                    self.uses[name] = "patch"
            case "patch.dict", [table, ast.Dict(keys=keys), *_]:
                if self._is_modules(table) or _text(table) == "sys.modules":
                    for key in keys:
                        self._entry(key)

    def subscript(self, node: ast.Subscript) -> None:
        """Note the key of `sys.modules[...]`."""
        if _is_path(node.slice) and self._is_modules(node.value):
            self._entry(node.slice)

    def _callee(self, node: ast.Call) -> str:
        """Return what is called, by one name for each kind of patch; "" if that is not proven."""
        match node.func:
            case ast.Attribute(ast.Name() as owner, name) if owner in self.fixtures:
                path = f"{_FIXTURES[owner.id]}.{name}"
            case ast.Attribute(ast.Attribute(ast.Name("mocker") as owner, "patch"), name) if (
                owner in self.fixtures
            ):
                path = f"mock.patch.{name}"
            case _:
                path = path_of(self.facts.callees.get(node))
        for patch in _PATCHES:
            if path == patch or path.startswith(patch + "."):
                return "patch" + path[len(patch) :]
        return path

    def _is_modules(self, node: ast.expr) -> bool:
        return path_of(self.facts.values.get(node)) == "sys.modules"

    def _entry(self, key: ast.expr | None) -> None:
        if key is not None and api.submodule(_text(key)) is not None:
            self.uses[key] = "modules"

    def _note_patch_target(self, target: ast.expr) -> None:
        if _is_patchable(_text(target)):
            self.uses[target] = "patch"

    def _is_imported(self, node: ast.expr, path: str) -> bool:
        """Return whether dstream_compat has a module with all that is taken from it."""
        if not _is_path(node) or api.submodule(path) is None:
            return False
        for attribute, value in self.facts.receivers.items():
            for atom in value.atoms:
                sub = api.submodule(api.canonical(atom.path)) if isinstance(atom, Ref) else None
                if sub is not None and attribute.attr not in names.exported_names(sub):
                    return False
        return True

    def _edit(self, node: ast.Constant) -> TextEdit | None:
        """Return the edit of a path that stands in the file as one literal."""
        chunk = self.unit.chunk_at(node.lineno)
        if not chunk.is_edited or node.end_lineno != node.lineno:
            return None
        start, end = chunk.span(node)
        literal = _LITERAL.fullmatch(chunk.text, start, end)
        if literal is None:
            return None
        return chunk.edit(*literal.span(2), api.COMPAT + literal[2][len(api.ROOT) :])


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _gives_module(expressions: list[ast.expr]) -> bool:
    """Return whether these last arguments of `__import__` make it give the module itself."""
    match expressions:
        case [ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_])]:
            return True
    return False


def _is_path(node: ast.expr) -> bool:
    return _PATH.match(_text(node)) is not None


def _is_patchable(path: str) -> bool:
    """Return whether a path names something in a module that both packages have there."""
    if not path.startswith(api.ROOT + "."):
        return False
    module, _, name = path.rpartition(".")
    sub = api.submodule(module)
    if sub is not None:
        return name in names.exported_names(sub)
    package, _, owner = module.rpartition(".")
    if api.submodule(package) is None or owner not in names.exported_names(
        api.submodule(package) or ""
    ):
        return False
    if name.startswith("_"):
        return False
    return name in _CLASSES.get(owner, ()) or f"{api.canonical(module)}.{name}" in api.CALLS
