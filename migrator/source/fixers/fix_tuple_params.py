"""Parameters in parentheses become parameters whose parts are taken out of them.

fissix's own fixer replaces attributes and parameters of inner lambdas of the same name too, leaves
lambdas with a second parameter, and drops empty lines behind docstrings.
"""

from __future__ import annotations

from typing import Any

from fissix import fixer_base
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Leaf

from migrator.source.fixers.trees import free_name, insert_first, used_names, words

# a name, or the parts of a tuple
Names = str | list[Any]


class FixTupleParams(fixer_base.BaseFix):  # type: ignore[misc]
    """A function assigns the parts at its start; a lambda uses them by index."""

    run_order = 4
    BM_compatible = True
    PATTERN = """
        funcdef< 'def' any parameters< '(' args=any ')' > ['->' any] ':' block=any >
        | lambdef< 'lambda' args=any ':' body=any >
    """

    def transform(self, node: Any, results: dict[str, Any]) -> None:
        """Change the function where it stands."""
        args = results["args"]
        children = args.children if args.type in (syms.typedargslist, syms.varargslist) else [args]
        parameters = [a for a in children if a.type in (syms.tfpdef, syms.vfpdef)]
        pairs = []
        used = used_names(node)
        for parameter in parameters:
            names = _names(parameter.children[1])
            name = names if isinstance(names, str) else free_name(_join_names(names), used)
            source = str(parameter.children[1]).strip()
            new = Leaf(token.NAME, name, prefix=parameter.prefix)
            if node.type == syms.lambdef and parameter is children[0]:
                new.prefix = new.prefix or " "
            parameter.replace(new)
            if not isinstance(names, str):
                pairs.append((names, name, source))
        if node.type == syms.lambdef:
            if pairs:
                _lambda(node.children[-1], [(names, name) for names, name, _ in pairs], used)
            return
        for _, name, source in reversed(pairs):
            comma = "," if source.endswith(",") else ""
            insert_first(results["block"], f"{source.rstrip(', ')}{comma} = {name}")


def _lambda(body: Any, pairs: list[tuple[list[Any], str]], used: set[str]) -> None:
    index = {n: p for names, name in pairs for n, p in _paths(names, name)}
    if _binds(body, set(index)):
        text = str(body).strip()
        for names, name in reversed(pairs):
            text = _unpacking_call(names, name, text, used)
        body.replace(Leaf(token.NAME, text, prefix=body.prefix))
        return
    for leaf in list(body.leaves()):
        if leaf.type == token.NAME and leaf.value in index and _is_variable(leaf):
            leaf.replace(Leaf(token.NAME, index[leaf.value], prefix=leaf.prefix))


def _unpacking_call(names: list[Any], name: str, body: str, used: set[str]) -> str:
    """Return a lambda with these parameters, called with the parts of a value."""
    flat = []
    for part in names:
        if isinstance(part, str):
            flat.append(part)
        else:
            flat.append(free_name(_join_names(part), used))
            body = _unpacking_call(part, flat[-1], body, used)
    return f"(lambda {', '.join(flat)}: {body})(*{name})"


def _names(node: Any) -> Names:
    while node.type in (syms.tfpdef, syms.vfpdef):
        # parentheses around one name or one tuple
        node = node.children[1]
    if node.type == token.NAME:
        return str(node.value)
    parts = [child for child in node.children if child.type != token.COMMA]
    return [_names(part) for part in parts]


def _join_names(names: list[Any]) -> str:
    return "_".join(n if isinstance(n, str) else _join_names(n) for n in names)


def _paths(names: list[Any], path: str) -> list[tuple[str, str]]:
    """Return each name with the expression for it."""
    paths = []
    for number, part in enumerate(names):
        inner = f"{path}[{number}]"
        paths += [(part, inner)] if isinstance(part, str) else _paths(part, inner)
    return paths


def _binds(body: Any, names: set[str]) -> bool:
    """Return whether an inner lambda or a comprehension has a variable of one of these names."""
    for node in body.pre_order():
        if node.type == token.NAME and not node.value.isidentifier():
            # what this fixer has written for an inner lambda
            if not names.isdisjoint(words(node)):
                return True
            continue
        if node.type == syms.lambdef:
            parts = node.children[1:-2]
        elif node.children and getattr(node.children[0], "value", "") == "for":
            parts = [node.children[1]]
        else:
            continue
        if any(leaf.value in names for part in parts for leaf in part.leaves()):
            return True
    return False


def _is_variable(leaf: Any) -> bool:
    """Return whether a name is that of a variable: of no attribute and no keyword argument."""
    before, after = leaf.prev_sibling, leaf.next_sibling
    if before is not None and before.type == token.DOT:
        return False
    keyword = leaf.parent.type == syms.argument and after is not None
    return not (keyword and after.type == token.EQUAL)
