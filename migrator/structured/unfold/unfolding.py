"""The code of a function in the place of one of its calls.

The code is the same, in the same order. What it calls its own gets other names where the code
around has them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.infer.program import FunctionInfo, Scope
from migrator.infer.scopes import scope_of
from migrator.infer.values import Function

from ..program.modules import SourceModule
from .edits import LineEdit, Span, as_line, edit_of_spans, indentation, is_in_place, without
from .evaluation import does_something, is_first, is_pure
from .functions import (
    defaults_of,
    is_only_assigned,
    is_straight,
    loaded_names,
    names_of,
    nodes_around,
    paired_names,
    uses_of,
)
from .values import MADE, holds

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
        statement: ast.AST = call
        while not isinstance(statement, ast.stmt):
            statement = module.parents[statement]
        around: ast.AST = statement
        while not isinstance(around, ast.FunctionDef | ast.ClassDef | ast.Module):
            around = module.parents[around]
        if isinstance(around, ast.ClassDef) or node in nodes_around(module, call):
            return None
        is_text = isinstance(node.body[0], ast.Expr) and isinstance(
            node.body[0].value, ast.Constant
        )
        body = node.body[1:] if is_text else node.body
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
        if not all(is_in_place(module, each) for each, _ in names_of(module, self.node)):
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
            above = module.comments_in(module.first_comment(self.node), start - 1)
            lines += [(pad + each.text, each.line) for each in above]
        head = (self.body[0].lineno if self.body[0].lineno > start else start + 1) - 1
        if self.uses == 1:
            lines += [(pad + each.text, each.line) for each in module.comments_in(start, head)]
        lines += [(pad + text, self.statement.lineno) for text in self.first]
        if statements:
            region = edit_of_spans(
                module,
                statements[0].lineno,
                statements[-1].end_lineno or 0,
                self._spans(statements),
            )
            comments = {each.line: each for each in module.comments}
            for text, line in region.lines:
                if self.uses > 1 and line in comments:
                    # they stay with the function until its last call
                    text = _without_comment(text, {comments[line].text})
                    if not text.strip():
                        continue
                kept = pad + text.removeprefix(inner) if text.strip() else ""
                lines.append((kept, line))
        if isinstance(last, ast.Return) and self.uses == 1:
            between = (statements[-1].end_lineno or start) + 1 if statements else last.lineno
            for each in module.comments_in(between, last.end_lineno or last.lineno):
                lines.append((pad + each.text, each.line))
        lines += self._last(value, end)
        found = [LineEdit(self.statement.lineno, self.statement.end_lineno or 0, tuple(lines))]
        if self.uses == 1 and not keep:
            found.append(without(module, self.node))
            holder = module.parents[self.node]
            if getattr(holder, "body", []) == [self.node]:
                return None
        return found

    def _stands_alone(self) -> bool:
        """Return whether the lines of the call and of the function are theirs."""
        lines = self.module.lines
        for each in (self.statement, self.node, *self.body):
            last = each.end_lineno or each.lineno
            before = lines[each.lineno - 1][: each.col_offset]
            after = lines[last - 1].encode()[each.end_col_offset :].decode().strip()
            if before.strip() or (after and not after.startswith("#")):
                return False
        texts = [n for each in self.body for n in ast.walk(each)]
        return not any(
            isinstance(n, ast.Constant | ast.JoinedStr) and n.lineno != n.end_lineno for n in texts
        ) and isinstance(self.statement, ast.Expr | ast.Assign | ast.Return | ast.AnnAssign)

    def _bind(self) -> bool:
        """Note the texts that take the place of parameters; False if they are not known."""
        given = self._arguments()
        if given is None:
            return False
        stored = {
            each.id
            for each in ast.walk(self.node)
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        }
        values = self.module.facts.values
        if self.receiver:
            self.texts[self.node.args.args[0].arg] = self.receiver
        for name, value in given.items():
            source = self.module.source(value)
            tracked = holds(values.get(value), MADE) and isinstance(value, ast.Name | ast.Attribute)
            fixed = isinstance(value, ast.Constant) or (
                isinstance(value, ast.Name) and (tracked or self._is_bound_once(value))
            )
            fixed = fixed or (len(self.body) == 1 and self._is_used_once(name) and is_pure(value))
            if name not in stored and "\n" not in source and (fixed or tracked):
                self.texts[name] = source
            elif value in _defaults(self.node) and not isinstance(value, ast.Constant):
                return False
            else:
                new = self._free(name)
                self.texts[name] = new
                self.first.append(f"{new} = {as_line(source)}")
        return True

    def _is_used_once(self, name: str) -> bool:
        """Return whether a parameter is evaluated once, where the function is called."""
        uses = [scope for each, scope in names_of(self.module, self.node) if each.id == name]
        return uses == [self.info.scope]

    def _is_bound_once(self, name: ast.Name) -> bool:
        owner = self.target.owner_of(name.id)
        if owner is None:
            return False
        stores = [
            each
            for each in ast.walk(owner.node)
            if isinstance(each, ast.Name) and each.id == name.id
            if not isinstance(each.ctx, ast.Load)
        ]
        named = {e for n in ast.walk(self.module.tree) for e in getattr(n, "names", ())}
        return len(stores) <= 1 and name.id not in named

    def _arguments(self) -> dict[str, ast.expr] | None:
        """Return the arguments of the call by their parameters."""
        args, call = self.node.args, self.call
        names = [each.arg for each in (*args.posonlyargs, *args.args)]
        if args.vararg or args.kwarg or any(isinstance(e, ast.Starred) for e in call.args):
            return None
        positional = list(call.args)
        if self.receiver:
            names = names[1:]
        elif self._is_method() and isinstance(call.func, ast.Attribute):
            positional.insert(0, call.func.value)
        if len(positional) > len(names):
            return None
        found = dict(zip(names, positional, strict=False))
        names += [each.arg for each in args.kwonlyargs]
        for keyword in call.keywords:
            if keyword.arg not in names or keyword.arg in found:
                return None
            found[keyword.arg] = keyword.value
        found = defaults_of(self.node) | found
        return found if found.keys() == set(names) else None

    def _is_method(self) -> bool:
        return self.info.owner is not None and "staticmethod" not in self.info.flags

    def _same_names(self) -> bool:
        """Return whether the names that the function has from outside mean the same at the call."""
        if self.info.scope.outer:
            return False
        own = {*self.info.scope.locals}
        for each, scope in names_of(self.module, self.node):
            owner = scope.owner_of(each.id)
            outside = owner is None or owner.node not in {*ast.walk(self.node)}
            if outside and each.id not in own and self.target.owner_of(each.id) is not owner:
                return False
        made = [n for n in ast.walk(self.node) if isinstance(n, ast.comprehension)]
        bound = {n.id for each in made for n in ast.walk(each.target) if isinstance(n, ast.Name)}
        return not bound & own

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
            if self.texts[name] != name and not is_only_assigned(self.node, name):
                return False
        return True

    def _is_hidden(self) -> bool:
        """Return whether a function in this one has a name for itself that would be put there."""
        loops = [n for n in ast.walk(self.node) if isinstance(n, ast.comprehension)]
        bound = {n.id for e in loops for n in ast.walk(e.target) if isinstance(n, ast.Name)}
        for each, scope in names_of(self.module, self.node):
            new = self.texts.get(each.id, each.id)
            if new == each.id or scope.owner_of(each.id) is not self.info.scope:
                continue
            names = {n.id for n in ast.walk(ast.parse(new)) if isinstance(n, ast.Name)}
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
        number = 2
        while f"{name}_{number}" in self.module.names:
            number += 1
        return self.module.free_name(f"{name}_{number}")

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
        loaded = {each.id for each, _ in names_of(self.module, self.node)}
        news = {new for _, new in pairs}
        if len(news) < len(pairs) or news & (loaded | {*self.texts.values()}) - {*dict(pairs)}:
            return {}
        return dict(pairs)

    def _last(self, value: ast.expr | None, end: dict[str, str]) -> Iterator[tuple[str, int]]:
        """Yield the lines of the statement of the call with what the function returns."""
        module, statement = self.module, self.statement
        line = statement.lineno
        comments = module.comments_in(line, statement.end_lineno or line)
        pad = indentation(module, statement)
        yield from ((pad + each.text, each.line) for each in comments)
        if self.receiver and isinstance(statement, ast.Assign) and value is None:
            return
        if end or (_is_whole(statement, self.call) and not does_something(value)):
            return
        text = "None"
        if value is not None:
            start, stop = module.span(value)
            text = _spliced(module.text[start:stop], start, self._spans([value]))
            text = as_line(text)
            if not isinstance(value, _PLAIN) and not _is_whole(statement, self.call):
                text = f"({text})" if _is_inside(statement, self.call) else text
        start, stop = module.span(statement)
        whole = _spliced(module.text[start:stop], start, [(*module.span(self.call), text)])
        kept = [each for each in whole.split("\n") if not each.strip().startswith("#")]
        for place, each in enumerate(kept):
            plain = _without_comment(each, {c.text for c in comments})
            yield (pad + plain if place == 0 else plain), line

    def _spans(self, nodes: list[ast.stmt] | list[ast.expr]) -> list[Span]:
        """Return the edits of names in some code of the function."""
        inside = {part for each in nodes for part in ast.walk(each)}
        found = []
        for each, scope in names_of(self.module, self.node):
            new = self.texts.get(each.id)
            own = scope.owner_of(each.id) is self.info.scope
            if own and each in inside and new is not None and new != each.id:
                found.append((*self.module.span(each), new))
        return found


def _is_whole(statement: ast.stmt, call: ast.Call) -> bool:
    """Return whether a statement is nothing but a call."""
    return isinstance(statement, ast.Expr) and statement.value is call


def _is_inside(statement: ast.stmt, call: ast.Call) -> bool:
    return getattr(statement, "value", None) is not call


def _without_comment(line: str, comments: set[str]) -> str:
    for each in comments:
        line = line.removesuffix(each).rstrip() if line.endswith(each) else line
    return line


def _spliced(text: str, start: int, spans: list[Span]) -> str:
    for begin, stop, new in sorted(spans, reverse=True):
        text = text[: begin - start] + new + text[stop - start :]
    return text


def _defaults(node: ast.FunctionDef) -> list[ast.expr]:
    return [*defaults_of(node).values()]
