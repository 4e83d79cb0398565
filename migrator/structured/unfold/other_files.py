"""Functions and classes of other files that build a part of the job: their code in its file.

They stand behind the imports of the job, under the names that it has for them. What else they use
of their own file is imported from there.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from migrator.infer.around import ModulesAround
from migrator.infer.scopes import binding_of_import
from migrator.spark.kinds import Kind

from ..program.modules import Copy, OtherLines, SourceModule
from ..program.values import holds
from ..refusals import NotExpressible
from .edits import LineEdit, Span, edit_of_spans, edits_of_spans, is_in_place, with_edits
from .project_names import (
    Definition,
    ImportedModule,
    Member,
    ProjectFile,
    ProjectNames,
    imports_by_module,
)

Import = ast.Import | ast.ImportFrom

CONTEXTS = frozenset(
    (
        *(Kind.SPARK_CONF, Kind.SPARK_CONTEXT, Kind.SPARK_SESSION, Kind.SQL_CONTEXT),
        Kind.STREAMING_CONTEXT,
    )
)
_OF_A_FILE = frozenset(("__file__", "__name__", "__package__", "__spec__", "globals"))
"""Names that mean something else in each file."""


def with_other_files(
    module: SourceModule, around: ModulesAround, whole: bool = False
) -> SourceModule:
    """Return a module with the code of other files that builds a part of its job.

    Parameters
    ----------
    module : SourceModule
        the module
    around : ModulesAround
        those around it, whose lines with streams are known
    whole : bool
        whether it gets all other functions that it uses of them, too

    Raises
    ------
    NotExpressible
        if some of that code would mean something else there
    """
    return _Merge(module, around, whole).module_with_code()


class _Merge:
    """Brings the code of other files into a module."""

    def __init__(self, module: SourceModule, around: ModulesAround, whole: bool) -> None:
        self.module = module
        assert around.stream_lines is not None
        self.stream_lines = around.stream_lines
        self.whole = whole
        self.project = ProjectNames(module, around)
        # the names that definitions have in the job
        self.names: dict[Definition, str] = {}
        self.taken: list[Member] = []
        self.edits: dict[Definition, list[Span]] = {}
        # new imports, and the names that they bind, by the statement
        self.imports: dict[str, str] = {}
        self.of_job: dict[Definition, bool] = {}

    def module_with_code(self) -> SourceModule:
        """Return the module with the code of its job, or as it is if it has all of it."""
        module = self.module
        uses = [
            (node, member)
            for node, member in self.project.uses(self.project.job, module.tree)
            if self._is_wanted(member)
        ]
        if not uses:
            return module
        for node, member in uses:
            if not is_in_place(module, node):
                text = "a text names a function of another file that builds a part of the job"
                raise NotExpressible("FILES", text, node)
            base_name = node.id if isinstance(node, ast.Name) else member.name
            if member.node not in self.names:
                taken = isinstance(node, ast.Attribute) and base_name in module.names
                self.names[member.node] = module.numbered_name(base_name) if taken else base_name
        for _, member in uses:
            self._take(member)
        spans = [
            (*module.span(node), self.names[member.node])
            for node, member in uses
            if module.source(node) != self.names[member.node]
        ]
        roots = {next(e for e in ast.walk(node) if isinstance(e, ast.Name)) for node, _ in uses}
        imports = self._old_imports(roots)
        home = min(imports, key=lambda each: each.lineno).lineno
        lines, others = self._lines(home)
        place = self._place([*imports])
        lines = [*((text, home) for text in imports_by_module(self.imports)), *lines]
        edits = [
            *edits_of_spans(module, spans),
            *(
                LineEdit(
                    each.lineno, each.end_lineno or each.lineno, ((text, each.lineno),) * bool(text)
                )
                for each, text in imports.items()
            ),
            LineEdit(place + 1, place, tuple(lines)),
        ]
        members = [each for each in self.taken if self._is_of_job(each)]
        copies = [each for each in self.taken if each not in members]
        module_after = replace(
            module,
            others=others,
            taken=tuple((member.file.path, member.name) for member in members),
            copies=tuple(map(self._copy, copies)),
            added=tuple(self.imports),
        )
        module_after = with_edits(module_after, edits)
        return replace(module_after, first=module_after.tree)

    def _copy(self, member: Member) -> Copy:
        name, own = member.name, self.names[member.node]
        statement = f"from {member.file.dotted} import {name}"
        return Copy(own, statement + (f" as {own}" if own != name else ""))

    def _is_wanted(self, member: Member) -> bool:
        """Return whether the job gets the code of a function or class."""
        node = member.node
        plain = isinstance(node, ast.Assign) or (
            isinstance(node, ast.FunctionDef) and not node.decorator_list
        )
        return self._is_of_job(member) or (self.whole and plain)

    def _is_of_job(self, member: Member) -> bool:
        """Return whether a function or class uses streams or contexts, or makes some."""
        node, module = member.node, member.file.module
        if node not in self.of_job:
            self.of_job[node] = False
            if isinstance(node, ast.Assign):
                return False
            lines, layout = self.stream_lines(member.file.path), member.file.layout
            first, last = layout.line(node.lineno), layout.line(node.end_lineno or node.lineno)
            self.of_job[node] = any(first <= line <= last for line in lines) or (
                self._makes_context(module, node)
                or any(self._is_of_job(each) for _, each in self.project.uses(member.file, node))
            )
        return self.of_job[node]

    @staticmethod
    def _makes_context(module: SourceModule, node: Definition) -> bool:
        if not isinstance(node, ast.FunctionDef) or any(
            isinstance(inner, ast.Global) or getattr(inner, "id", "") == "globals"
            for inner in ast.walk(node)
        ):
            return False
        return holds(module.program.functions[node].result, CONTEXTS)

    def _take(self, member: Member) -> None:
        """Take the code of a definition, after that of what it uses."""
        node, file = member.node, member.file
        if node in self.edits:
            return
        spans = self.edits[node] = []
        if node not in self.names:
            name = member.name
            self.names[node] = (
                self.module.free_name(name)
                if name not in self.module.names
                else (self.module.numbered_name(name))
            )
        bases = {*ast.walk(ast.Tuple(node.bases))} if isinstance(node, ast.ClassDef) else set()
        members = {
            use: m for use, m in self.project.uses(file, node) if use in bases or self._is_wanted(m)
        }
        for use, other in members.items():
            self._take(other)
            if not is_in_place(file.module, use):
                raise self._refusal(file, "a text names what is in another file", use)
            spans.append((*file.module.span(use), self.names[other.node]))
        roots = {e for use in members for e in ast.walk(use) if isinstance(e, ast.Name)}
        for each in file.names_in(node):
            new = each.id if each in roots else self._name_of(file, each)
            if new != each.id:
                if not is_in_place(file.module, each):
                    raise self._refusal(file, f"`{each.id}` is another name in the job", each)
                spans.append((*file.module.span(each), new))
        if self.names[node] != member.name:
            start, _ = file.module.span(node)
            start = file.module.text.index(
                member.name, start if isinstance(node, ast.Assign) else start + 4
            )
            spans.append((start, start + len(member.name), self.names[node]))
        self.taken.append(member)

    def _name_of(self, file: ProjectFile, name: ast.Name) -> str:
        """Return the name in the job of what a name at the top of another file means."""
        bound = file.binding_nodes.get(name.id)
        if name.id in _OF_A_FILE:
            raise self._refusal(file, f"`{name.id}` is another one in the file of the job", name)
        if bound is None:
            if name.id in self.project.job.binding_nodes:
                raise self._refusal(file, f"the job binds `{name.id}` itself", name)
            return name.id
        match bound:
            case [ast.ImportFrom() as node]:
                module = self.project.dotted_path(
                    ImportedModule(file, node.level, node.module or "")
                )
                alias = next((e for e in node.names if (e.asname or e.name) == name.id), None)
                return self._import(module, alias.name if alias else name.id, name.id)
            case [ast.Import() as node]:
                alias = next(
                    own_name
                    for own_name in node.names
                    if name.id in binding_of_import(node, own_name)
                )
                if alias.asname:
                    return self._import("", alias.name, name.id)
                path = self.module.global_paths.get(name.id)
                if name.id in self.module.names and path != name.id:
                    raise self._refusal(file, f"`{name.id}` is another one in the job", name)
                if path is None or "." in alias.name:
                    self.imports[f"import {alias.name}"] = name.id
                return name.id
            case [node] if not isinstance(node, ast.Global):
                return self._import(file.dotted, name.id, name.id)
        raise self._refusal(
            file, f"`{name.id}` is bound again, and used by a part of the job", name
        )

    def _import(self, module: str, name: str, base_name: str) -> str:
        """Return the name in the job of something that is imported there."""
        path = f"{module}.{name}" if module else name
        same = [own for own, other in self.module.global_paths.items() if other == path]
        if same:
            return base_name if base_name in same else same[0]
        start = f"from {module} import {name}" if module else f"import {name}"
        for statement, own in self.imports.items():
            if statement == start or statement.startswith(f"{start} as "):
                return own
        own = (
            base_name
            if base_name not in self.module.names
            else self.module.numbered_name(base_name)
        )
        self.module.names.add(own)
        self.imports[start if own == name else f"{start} as {own}"] = own
        return own

    @staticmethod
    def _refusal(file: ProjectFile, text: str, node: ast.AST) -> NotExpressible:
        error = NotExpressible("FILES", text, node)
        error.reason = replace(error.reason, path=file.path)
        return error

    def _old_imports(self, roots: set[ast.Name]) -> dict[Import, str]:
        """Return what becomes of the imports of the job that lead to what it has now itself."""
        imports_found: dict[Import, str] = {}
        left = {
            node.id
            for node in ast.walk(self.module.tree)
            if isinstance(node, ast.Name) and node not in roots
        }
        for name in sorted({root.id for root in roots}):
            (node,) = self.project.job.binding_nodes[name]
            assert isinstance(node, Import)
            gone = {e.id for e in roots} - left
            names_left = [
                e for e in node.names if not gone.intersection(binding_of_import(node, e))
            ]
            for alias in node.names:
                if alias not in names_left:
                    self._keep_effects(node, alias)
            new = (
                ast.Import(names_left)
                if isinstance(node, ast.Import)
                else ast.ImportFrom(node.module, names_left, node.level)
            )
            imports_found[node] = ast.unparse(new) if names_left else ""
        return imports_found

    def _keep_effects(self, node: Import, alias: ast.alias) -> None:
        """Keep an import that does more than to define something."""
        if isinstance(node, ast.Import):
            module = ImportedModule(self.project.job, 0, alias.name)
        else:
            module = ImportedModule(self.project.job, node.level, node.module or "")
        file = self.project.file(module)
        if file is None or self.project.is_quiet(file, set()):
            return
        if any(statement.startswith(f"from {file.dotted} import ") for statement in self.imports):
            return
        if file.dotted.startswith(".") or file.dotted.partition(".")[0] in self.module.names - {
            alias.asname or alias.name
        }:
            text = f"`{file.path}` does more than to define what the job uses of it"
            raise NotExpressible("FILES", text, node)
        self.imports[f"import {file.dotted}"] = file.dotted

    def _place(self, imports: list[Import]) -> int:
        """Return the line behind which the code stands: that of the last import at the top."""
        body = self.module.tree.body
        last = max(statement.end_lineno or statement.lineno for statement in imports)
        for statement in body:
            plain = isinstance(statement, Import) or isinstance(
                getattr(statement, "value", None), ast.Constant
            )
            if not plain:
                break
            last = max(last, statement.end_lineno or statement.lineno)
        return last

    def _lines(self, home: int) -> tuple[list[tuple[str, int]], tuple[OtherLines, ...]]:
        """Return the lines of all definitions, with the numbers that say where they came from."""
        before, starts = max((len(self.module.lines), *self.module.origins)), {}
        others: list[OtherLines] = []
        for member in self.taken:
            if member.file.path not in starts:
                starts[member.file.path] = before
                others.insert(0, OtherLines(member.file.path, before, home, member.file.layout))
                before += len(member.file.module.lines)
        lines: list[tuple[str, int]] = []
        for member in self.taken:
            module, start = member.file.module, starts[member.file.path]
            first, last = module.first_comment(member.node), member.node.end_lineno or 0
            edit = edit_of_spans(module, first, last, self.edits[member.node])
            lines += [("", start + first)] * 2
            lines += [(text, start + line) for text, line in edit.lines]
        return lines, tuple(others)
