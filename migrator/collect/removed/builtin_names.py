"""Built-in names of Python 2: `xrange`, `unicode`, `reduce`."""

from __future__ import annotations

import ast

from migrator.collect.removed.edits import is_settled, operand, replaced, text_in
from migrator.collect.removed.finder import Finder
from migrator.model.report import TextEdit
from migrator.python.removed import removed
from migrator.python.replacements import BUILTINS, Replacement
from migrator.source.python import Chunk

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
        if f"builtins.{node.id}" not in removed().names or self.around.is_bound(node.id, node):
            return
        self._report(node, instead)

    def _report(self, node: ast.Name, instead: Replacement) -> None:
        name, new = node.id, instead.new
        chunk = self.unit.chunk_at(node.lineno)
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
                edits, becomes = _unpacked(chunk, call)
            case "file" if is_call and isinstance(call, ast.Call) and 0 < len(call.args) < 3:
                edits, becomes = (replaced(chunk, node, "open"),), "open"
            case "unicode" if is_call and isinstance(call, ast.Call) and _has_encoding(call):
                instead = _WITH_ENCODING
            case _ if "." in new:
                module, _, own = new.rpartition(".")
                # nothing is replaced: the name is bound by an import
                edits = (replaced(chunk, node, own),)
                statement = f"from {module} import {own}"
                becomes = statement
            case _ if new and not self.around.is_bound(new, node):
                edits = (replaced(chunk, node, new),)
        self.found(
            node, "builtin", name, "NameError", instead, edits, becomes=becomes, statement=statement
        )


def _has_encoding(call: ast.Call) -> bool:
    return len(call.args) + len(call.keywords) > 1 or any(k.arg != "object" for k in call.keywords)


def _unpacked(chunk: Chunk, call: ast.Call) -> tuple[tuple[TextEdit, ...], str]:
    """Return `apply(f, args, keywords)` as `f(*args, **keywords)`."""
    if call.keywords or not 1 <= len(call.args) <= 3:
        return (), ""
    if any(isinstance(a, ast.Starred) for a in call.args) or "#" in text_in(chunk, call):
        return (), ""
    function, *given = call.args
    stars = [star + operand(chunk, a) for star, a in zip(("*", "**"), given, strict=False)]
    new = f"{operand(chunk, function)}({', '.join(stars)})"
    return ((replaced(chunk, call, new),), new) if is_settled(*call.args) else ((), "")
