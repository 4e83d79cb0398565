"""`print x` becomes `print(x)`.

fissix's own fixer leaves `print ()`, which prints an empty tuple, and puts a second pair of
parentheses around `print ("a" + b)`, which needs no change.
"""

from __future__ import annotations

from typing import Any

from fissix import fixer_base
from fissix.fixer_util import Call, Comma, Name
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Leaf

_PLAIN = (token.NAME, token.STRING, token.NUMBER)


class FixPrint(fixer_base.BaseFix):  # type: ignore[misc]
    """The statement as a call; a comma at its end becomes `end=' '`."""

    BM_compatible = True
    PATTERN = "simple_stmt< any* bare='print' any* > | print_stmt"

    def transform(self, node: Any, results: dict[str, Any]) -> Any:
        """Return the call."""
        bare = results.get("bare")
        if bare is not None:
            bare.replace(Call(Name("print"), [], prefix=bare.prefix))
            return None
        args = node.children[1:]
        if len(args) == 1 and _is_one_value(args[0]):
            return None
        named = []
        if args[-1].type == token.COMMA:
            args = args[:-1]
            named.append("end=' '")
        if args and args[0].type == token.RIGHTSHIFT:
            named.append(f"file={str(args[1]).strip()}")
            args = args[3:]
        values = [arg.clone() for arg in args]
        if values:
            values[0].prefix = ""
        for text in named:
            values += [Comma()] if values else []
            values.append(Leaf(token.NAME, text, prefix=" " if values else ""))
        call = Call(Name("print"), values)
        call.prefix = node.prefix
        return call


def _is_one_value(arg: Any) -> bool:
    """Return whether parentheses around a value are there already."""
    if arg.type != syms.atom or arg.children[0].value != "(" or len(arg.children) != 3:
        return False
    inner = arg.children[1]
    if inner.type in _PLAIN:
        return True
    commas = any(child.type == token.COMMA for child in inner.children)
    return inner.type != syms.yield_expr and not commas
