"""Classes of a job that have a base class in the module: its methods as their own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..program.bindings import uses
from ..program.modules import SourceModule
from ..program.values import JOB, has_any
from .edits import LineEdit, Span, edit_of_spans, with_edits, without

_ROOTS = frozenset(("object", "ABC", "abc.ABC"))
"""Base classes that give nothing to an object."""
_FLAGS = frozenset(("staticmethod", "abstractmethod", "abc.abstractmethod"))


def unfold_base(module: SourceModule) -> SourceModule | None:
    """Return a module in which a class of a job has the code of its base class itself; None if
    there is none.
    """
    classes = {
        statement.name: statement
        for statement in module.tree.body
        if isinstance(statement, ast.ClassDef)
    }
    for node in classes.values():
        match node.bases:
            case [ast.Name(id=name)] if name in classes:
                family = _Family(module, node, classes[name])
                if has_any(module, node, JOB) or has_any(module, family.base, JOB):
                    whole = family.unite()
                    if whole is not None:
                        return whole
    return None


@dataclass
class _Family:
    """A class and its base class.

    Parameters
    ----------
    module : SourceModule
        the module
    node, base : ast.ClassDef
        the class, and its only base class
    renamed : dict of str to str
        methods of the base class that the class overrides and calls, with their new names
    """

    module: SourceModule
    node: ast.ClassDef
    base: ast.ClassDef
    renamed: dict[str, str] = field(default_factory=dict)

    def unite(self) -> SourceModule | None:
        """Return the module in which the class has all; None if it may be another one then."""
        module, node, base = self.module, self.node, self.base
        if node.keywords or not self._is_root() or not all(map(_is_plain, (node, base))):
            return None
        own = {name for statement in node.body for name in _names_defined_by(statement)}
        inherited = {name for statement in base.body for name in _names_defined_by(statement)}
        spans = self._calls(own, inherited)
        if spans is None or uses(base, "super"):
            return None
        text = isinstance(getattr(node.body[0], "value", None), ast.Constant)
        rest = [statement for statement in node.body[text:] if not isinstance(statement, ast.Pass)]
        start = (node.body[0].end_lineno or 0) + 1 if text else node.lineno + 1
        if node.body[0].lineno == node.lineno:
            return None
        lines = [(f"class {node.name}:", node.lineno)]
        lines += [(module.lines[n - 1].rstrip("\n"), n) for n in range(node.lineno + 1, start)]
        for statement in base.body:
            names = {*_names_defined_by(statement)}
            if names and not _is_abstract(statement) and (names - own or names & {*self.renamed}):
                lines += [
                    *self._inherited_lines(statement, bool(names & own)),
                    ("", statement.lineno),
                ]
        if rest:
            whole = edit_of_spans(module, start, node.end_lineno or start, spans)
            lines += whole.lines
        while not lines[-1][0].strip():
            del lines[-1]
        edits = [LineEdit(node.lineno, node.end_lineno or node.lineno, tuple(lines))]
        inside = {*ast.walk(node)}
        if all(use in inside for use in uses(module.tree, base.name)):
            edits.append(without(module, base))
        return with_edits(module, edits)

    def _is_root(self) -> bool:
        """Return whether the base class has no base class that gives something."""
        keywords = [ast.unparse(keyword.value) for keyword in self.base.keywords]
        return all(ast.unparse(base) in _ROOTS for base in self.base.bases) and all(
            keyword in ("ABCMeta", "abc.ABCMeta") for keyword in keywords
        )

    def _calls(self, own: set[str], inherited: set[str]) -> list[Span] | None:
        """Return the edits of calls of methods as the base class has them; None if some are not
        known.
        """
        module, spans = self.module, []
        for name in uses(self.node, "super") + uses(self.node, self.base.name):
            if name in self.node.bases:
                continue
            start = module.parents[name] if name.id == "super" else name
            attribute = module.parents[start]
            call = module.parents[attribute]
            method = module.function(name)
            if not (
                isinstance(attribute, ast.Attribute)
                and isinstance(call, ast.Call)
                and call.func is attribute
                and attribute.attr in inherited
                and isinstance(method, ast.FunctionDef)
                and method in self.node.body
                and method.args.args
                and attribute.lineno == attribute.end_lineno
            ):
                return None
            owner = method.args.args[0].arg
            if name.id == "super":
                assert isinstance(start, ast.Call)
                if [ast.unparse(e) for e in start.args] not in ([], [self.node.name, owner]):
                    return None
            else:
                if not (call.args and ast.unparse(call.args[0]) == owner):
                    return None
                after = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
                end = module.span(call)[1] - 1
                if call.args[1:]:
                    end = module.span(after[0])[0]
                elif call.keywords:
                    return None
                spans.append((module.span(call.args[0])[0], end, ""))
            new = attribute.attr
            if new in own:
                if new not in self.renamed:
                    self.renamed[new] = module.free_name(f"base_{new.strip('_')}")
                new = self.renamed[new]
            spans.append((*module.span(attribute), f"{owner}.{new}"))
        return spans

    def _inherited_lines(self, statement: ast.stmt, is_renamed: bool) -> Iterator[tuple[str, int]]:
        """Yield the lines of a statement of the base class."""
        module, spans = self.module, []
        if is_renamed and isinstance(statement, ast.FunctionDef):
            start = module.text.index(statement.name, module.span(statement)[0] + 4)
            spans.append((start, start + len(statement.name), self.renamed[statement.name]))
        first = module.first_comment(statement)
        yield from edit_of_spans(module, first, statement.end_lineno or first, spans).lines


def _is_plain(node: ast.ClassDef) -> bool:
    """Return whether a class has methods and attributes only, which may be in another class."""
    for statement in node.body:
        match statement:
            case ast.FunctionDef(decorator_list=flags):
                if not all(ast.unparse(flag) in _FLAGS for flag in flags):
                    return False
            case ast.Assign(targets=[ast.Name()]) | ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                return False
    names = (
        getattr(inner, "attr", getattr(inner, "id", getattr(inner, "name", "")))
        for inner in ast.walk(node)
    )
    # such names are those of the class
    private = any(str(e).startswith("__") and not str(e).endswith("__") for e in names)
    return not (node.decorator_list or private)


def _names_defined_by(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            yield name


def _is_abstract(statement: ast.stmt) -> bool:
    flags = getattr(statement, "decorator_list", [])
    return any(ast.unparse(flag).endswith("abstractmethod") for flag in flags)
