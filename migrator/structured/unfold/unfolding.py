"""The code of a function in the place of one of its calls.

The code is the same, in the same order. What it calls its own gets other names where the code
around has them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.infer.program import FunctionInfo, Scope
from migrator.infer.scopes import default_values, scope_of
from migrator.infer.values import Function
from migrator.source.spans import with_spans

from ..program.arguments import bind_arguments
from ..program.bindings import names_of, stores
from ..program.modules import SourceModule
from ..program.values import MADE, holds
from .edits import (
    LineEdit,
    Span,
    as_line,
    comment_lines,
    edit_of_spans,
    has_long_text,
    indentation,
    is_alone,
    is_in_place,
    without,
)
from .evaluation import does_something, is_first, is_pure
from .functions import (
    can_be_renamed,
    is_straight,
    loaded_names,
    paired_names,
    span_of_name,
    uses_of,
)

MOST = 12
"""How many statements a function may have that is called in several places."""
_PLAIN = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)


@dataclass
class Unfolding:
    """A call, and the function that it calls."""

    module: SourceModule
    call: ast.Call
    info: FunctionInfo
    node: ast.FunctionDef
    statement: ast.stmt
    target: Scope
    body: list[ast.stmt]
    uses: int
    texts: dict[str, str] = field(default_factory=dict)
    first: list[str] = field(default_factory=list)
    receiver: str = ""

    @classmethod
    def of(
        cls, module: SourceModule, call: ast.Call, function: Function, uses: int | None = None
    ) -> Unfolding | None:
        """Return them, None if the function cannot take the place of its call."""
        info, node = function.info, function.info.node
        assert isinstance(node, ast.FunctionDef)
        statement, scopes = module.statement(call), ast.FunctionDef | ast.ClassDef | ast.Module
        around = next(outer for outer in module.around(statement) if isinstance(outer, scopes))
        if isinstance(around, ast.ClassDef) or node in module.around(call):
            return None
        is_text = isinstance(getattr(node.body[0], "value", None), ast.Constant)
        body = node.body[1:] if is_text and isinstance(node.body[0], ast.Expr) else node.body
        # what stands behind it never runs
        ends = [at for at, statement in enumerate(body, 1) if isinstance(statement, ast.Return)]
        body = body[: ends[0]] if ends else body
        target = module.program.scopes.get(around) or scope_of(module.program, around, None)
        uses = uses_of(module, node, function) if uses is None else uses
        if uses is None or not body or not is_straight(node, body):
            return None
        if uses > 1 and len(body) > MOST:
            return None
        return cls(module, call, info, node, statement, target, body, uses)

    def edits(self, keep: bool = False) -> list[LineEdit] | None:
        """Return the edits; None if the code would mean something else there.

        Parameters
        ----------
        keep : bool
            whether the function stays until its class is gone
        """
        module = self.module
        if not (self._stands_alone() and self._bind() and self._same_names()):
            return None
        if not all(is_in_place(module, use) for use, _ in module.names_in(self.node)):
            return None
        *others, last = self.body
        value = last.value if isinstance(last, ast.Return) else None
        statements = [*others, *([] if isinstance(last, ast.Return) else [last])]
        if (statements or self.first) and not is_first(self.statement, self.call, module):
            return None
        end = self._end(value)
        if not self._rename(end) or self._is_hidden():
            return None
        pad, inner = indentation(module, self.statement), indentation(module, self.body[0])
        lines: list[tuple[str, int]] = []
        start = self.node.lineno
        if self.uses == 1:
            head = max(self.body[0].lineno - 1, start)
            lines += comment_lines(module, pad, module.first_comment(self.node), head)
        lines += [(pad + text, self.statement.lineno) for text in self.first]
        lines += self._lines_of(statements, pad, inner) if statements else []
        if isinstance(last, ast.Return) and self.uses == 1:
            between = (statements[-1].end_lineno or start) + 1 if statements else last.lineno
            lines += comment_lines(module, pad, between, last.end_lineno or last.lineno)
        lines += self._last(value, end)
        edits_found = [
            LineEdit(self.statement.lineno, self.statement.end_lineno or 0, tuple(lines))
        ]
        if self.uses == 1 and not keep:
            edits_found.append(without(module, self.node))
            if is_alone(module, self.node):
                return None
        return edits_found

    def _lines_of(
        self, statements: list[ast.stmt], pad: str, inner: str
    ) -> Iterator[tuple[str, int]]:
        """Yield the lines of statements of the function, where its call is."""
        first, last = statements[0].lineno, statements[-1].end_lineno or 0
        region = edit_of_spans(self.module, first, last, self._spans(statements))
        comments = {comment.line: comment for comment in self.module.comments}
        for text, line in region.lines:
            if self.uses > 1 and line in comments:
                # they stay with the function until its last call
                text = _without_comment(text, {comments[line].text})
                if not text.strip():
                    continue
            yield (pad + text.removeprefix(inner) if text.strip() else ""), line

    def _stands_alone(self) -> bool:
        """Return whether the lines of the call and of the function are theirs."""
        lines = self.module.lines
        for statement in (self.statement, self.node, *self.body):
            last = statement.end_lineno or statement.lineno
            before = lines[statement.lineno - 1][: statement.col_offset]
            after = lines[last - 1].encode()[statement.end_col_offset :].decode().strip()
            if before.strip() or (after and not after.startswith("#")):
                return False
        plain = isinstance(self.statement, ast.Expr | ast.Assign | ast.Return | ast.AnnAssign)
        return plain and not any(has_long_text(ast.walk(statement)) for statement in self.body)

    def _bind(self) -> bool:
        """Note the texts that take the place of parameters; False if they are not known."""
        arguments = self._arguments()
        if arguments is None:
            return False
        values = self.module.facts.values
        if self.receiver:
            self.texts[self.node.args.args[0].arg] = self.receiver
        for name, value in arguments.items():
            source = self.module.source(value)
            tracked = holds(values.get(value), MADE) and isinstance(value, ast.Name | ast.Attribute)
            fixed = isinstance(value, ast.Constant) or (
                isinstance(value, ast.Name) and (tracked or self._is_bound_once(value))
            )
            fixed = fixed or (len(self.body) == 1 and self._is_used_once(name) and is_pure(value))
            plain = "\n" not in source and (fixed or tracked)
            if plain and not stores(self.node, name):
                self.texts[name] = source
            elif value in self._defaults().values() and not isinstance(value, ast.Constant):
                return False
            else:
                new = self._free(name)
                self.texts[name] = new
                self.first.append(f"{new} = {as_line(source)}")
        return True

    def _is_used_once(self, name: str) -> bool:
        """Return whether a parameter is evaluated once, where the function is called."""
        uses = [scope for use, scope in self.module.names_in(self.node) if use.id == name]
        return uses == [self.info.scope]

    def _is_bound_once(self, name: ast.Name) -> bool:
        owner = self.target.owner_of(name.id)
        if owner is None:
            return False
        named = {e for n in ast.walk(self.module.tree) for e in getattr(n, "names", ())}
        return len(stores(owner.node, name.id)) <= 1 and name.id not in named

    def _arguments(self) -> dict[str, ast.expr] | None:
        """Return the arguments of the call by their parameters."""
        args, call = self.node.args, self.call
        names = [argument.arg for argument in (*args.posonlyargs, *args.args)]
        if self.receiver:
            names = names[1:]
        elif self._is_method() and isinstance(call.func, ast.Attribute):
            call = ast.Call(call.func, [call.func.value, *call.args], call.keywords)
        if args.vararg or args.kwarg or len(call.args) > len(names):
            return None
        names += [argument.arg for argument in args.kwonlyargs]
        defaults = self._defaults()
        arguments = bind_arguments(
            call, tuple(f"{name}=" if name in defaults else name for name in names)
        )
        return None if arguments is None else defaults | arguments

    def _defaults(self) -> dict[str, ast.expr]:
        return dict(default_values(self.node))

    def _is_method(self) -> bool:
        return self.info.owner is not None and "staticmethod" not in self.info.flags

    def _same_names(self) -> bool:
        """Return whether the names that the function has from outside mean the same at the call."""
        if self.info.scope.outer:
            return False
        own = {*self.info.scope.locals}
        for use, scope in self.module.names_in(self.node):
            owner = scope.owner_of(use.id)
            outside = owner is None or owner.node not in {*ast.walk(self.node)}
            if outside and use.id not in own and self.target.owner_of(use.id) is not owner:
                return False
        return not self._comprehension_names() & own

    def _comprehension_names(self) -> set[str]:
        """Return the names that comprehensions of the function have for themselves."""
        comprehensions = [n for n in ast.walk(self.node) if isinstance(n, ast.comprehension)]
        return set().union(*(names_of(comprehension.target) for comprehension in comprehensions))

    def _rename(self, end: dict[str, str]) -> bool:
        """Give the names of the function others where the code around has them."""
        parameters = {e.arg for e in ast.walk(self.node.args) if isinstance(e, ast.arg)}
        taken = self.target.locals | loaded_names(self.module, self.target.node, self.node)
        taken |= {*self.texts.values()}
        for name in sorted(self.info.scope.locals - parameters):
            if name in end:
                self.texts[name] = end[name]
            elif name in taken:
                self.texts[name] = self._free(name)
            else:
                continue
            if self.texts[name] != name and not can_be_renamed(self.node, name):
                return False
        return True

    def _is_hidden(self) -> bool:
        """Return whether a function in this one has a name for itself that would be put there."""
        bound = self._comprehension_names()
        for use, scope in self.module.names_in(self.node):
            new = self.texts.get(use.id, use.id)
            if new == use.id or scope.owner_of(use.id) is not self.info.scope:
                continue
            names = names_of(ast.parse(new))
            around: Scope | None = scope
            while around is not None and around is not self.info.scope:
                if names & around.locals:
                    return True
                around = around.parent
            if names & bound:
                return True
        return False

    def _free(self, name: str) -> str:
        taken = self.target.locals | loaded_names(self.module, self.target.node, self.node)
        if name not in taken and name not in self.texts.values():
            return name
        return self.module.numbered_name(name)

    def _end(self, value: ast.expr | None) -> dict[str, str]:
        """Return the names of the function that become those which the call is assigned to."""
        if not (isinstance(self.statement, ast.Assign) and self.statement.value is self.call):
            return {}
        if value is None or len(self.statement.targets) != 1:
            return {}
        pairs = paired_names(self.statement.targets[0], value)
        own = self.info.scope.locals
        if pairs is None or not all(name in own and name not in self.texts for name, _ in pairs):
            return {}
        # the name may be in use while the function runs
        loaded = {use.id for use, _ in self.module.names_in(self.node)}
        news = {new for _, new in pairs}
        if len(news) < len(pairs) or news & (loaded | {*self.texts.values()}) - {*dict(pairs)}:
            return {}
        return dict(pairs)

    def _last(self, value: ast.expr | None, end: dict[str, str]) -> Iterator[tuple[str, int]]:
        """Yield the lines of the statement of the call with what the function returns."""
        module, statement = self.module, self.statement
        lines, pad = module.lines_of(statement), indentation(module, statement)
        yield from comment_lines(module, pad, *lines)
        if self.receiver and isinstance(statement, ast.Assign) and value is None:
            return
        if end or (_is_whole(statement, self.call) and not does_something(value)):
            return
        text = "None"
        if value is not None:
            start, stop = module.span(value)
            text = as_line(with_spans(module.text[start:stop], self._spans([value]), start))
            if not isinstance(value, _PLAIN) and not _is_whole(statement, self.call):
                text = f"({text})" if _is_inside(statement, self.call) else text
        start, stop = module.span(statement)
        whole = with_spans(module.text[start:stop], [(*module.span(self.call), text)], start)
        last_lines = [word for word in whole.split("\n") if not word.strip().startswith("#")]
        for place, each in enumerate(last_lines):
            plain = _without_comment(each, {c.text for c in module.comments_in(*lines)})
            yield (pad + plain if place == 0 else plain), statement.lineno

    def _spans(self, nodes: list[ast.stmt] | list[ast.expr]) -> list[Span]:
        """Return the edits of names in some code of the function."""
        inside = {part for node in nodes for part in ast.walk(node)}
        spans = []
        for use, scope in self.module.names_in(self.node):
            new = self.texts.get(use.id)
            own = scope.owner_of(use.id) is self.info.scope
            if own and use in inside and new is not None and new != use.id:
                spans.append((*self.module.span(use), new))
        for part in inside:
            if isinstance(part, ast.FunctionDef) and self.module.function(part) is self.node:
                new = self.texts.get(part.name, part.name)
                if new != part.name:
                    spans.append((*span_of_name(self.module, part), new))
        return spans


def _is_whole(statement: ast.stmt, call: ast.Call) -> bool:
    """Return whether a statement is nothing but a call."""
    return isinstance(statement, ast.Expr) and statement.value is call


def _is_inside(statement: ast.stmt, call: ast.Call) -> bool:
    return getattr(statement, "value", None) is not call


def _without_comment(line: str, comments: set[str]) -> str:
    for comment in comments:
        line = line.removesuffix(comment).rstrip() if line.endswith(comment) else line
    return line
