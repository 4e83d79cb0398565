"""Imports of modules that are gone, and of names that modules have lost."""

from __future__ import annotations

import ast
import re

from migrator.collect.removed.finder import Finder
from migrator.infer.scopes import imported_module
from migrator.model.report import TextEdit
from migrator.python.removed import removed_table
from migrator.python.replacements import MODULES, MOVED, NAMES, Replacement
from migrator.spark import api
from migrator.spark.removed import REPLACED, removed_from_spark

_NOTHING = Replacement(advice="nothing takes its place: rewrite what needs it")
_ERROR = "ImportError"


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
            self.add_removed(alias, "module", alias.name, _ERROR, instead, edits, since=since)

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
            self.add_removed(
                alias, what, path, _ERROR, shown, own, since=since, becomes=instead.new
            )

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
        self.add_removed(node, "module", module, _ERROR, instead, edits, since=since)

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
