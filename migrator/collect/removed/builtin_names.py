"""Built-in names of Python 2: `xrange`, `unicode`, `reduce`."""

from __future__ import annotations

import ast

from migrator.collect.removed.finder import Finder, is_settled, operand
from migrator.model.report import TextEdit
from migrator.python.removed import removed_table
from migrator.python.replacements import BUILTINS, Replacement

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
        self.add_removed(
            node, "builtin", name, "NameError", instead, edits, becomes=becomes, statement=statement
        )

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
