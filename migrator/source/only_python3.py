"""Finds syntax that Python 2 does not have in fissix's tree, which may hold both."""

from __future__ import annotations

from typing import Any

_TYPES = {
    "tname": "an annotation",
    "annassign": "an annotation",
    "star_expr": "a starred expression",
    "namedexpr_test": "an assignment expression",
    "async_stmt": "async code",
    "async_funcdef": "async code",
}
_LEAVES = {"->": "an annotation", ":=": "an assignment expression", "nonlocal": "nonlocal"}


def newer_syntax(tree: Any) -> str | None:
    """Return what of a source Python 2 does not parse, with its line; None for nothing."""
    from fissix.pgen2 import token
    from fissix.pygram import python_symbols as syms

    types = {getattr(syms, name): text for name, text in _TYPES.items() if hasattr(syms, name)}
    for node in tree.pre_order():
        found = types.get(node.type)
        if not node.children:
            found = found or _LEAVES.get(node.value)
            if node.type == token.STRING and "f" in node.value.partition(node.value[-1])[0].lower():
                found = "an f-string"
            elif node.type == token.NUMBER and "_" in node.value:
                found = "an underscore in a number"
            elif node.type in (token.ASYNC, token.AWAIT):
                found = "async code"
            elif node.value == "from" and node.parent.type in (syms.raise_stmt, syms.yield_arg):
                found = f"`{node.parent.children[0].value} from`"
        if found:
            return f"line {node.get_lineno()} has {found}, which only Python 3 parses"
    return None
