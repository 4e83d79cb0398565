"""`except E, e` becomes `except E as e`.

fissix's own fixer writes a block behind the colon of its `except` wrongly, and repeats comments.
"""

from __future__ import annotations

from typing import Any

from fissix import fixer_base
from fissix.fixer_util import Name, is_list, is_tuple
from fissix.pgen2 import token

from migrator.source.fixers.trees import free_name, insert_first, used_names


class FixExcept(fixer_base.BaseFix):  # type: ignore[misc]
    """The name behind `as`; another target is assigned in the block."""

    BM_compatible = True
    PATTERN = "except_clause< 'except' any comma=',' target=any >"

    def start_tree(self, tree: Any, filename: str) -> None:
        """Take down the names that are in use."""
        super().start_tree(tree, filename)
        self.used = used_names(tree)

    def transform(self, node: Any, results: dict[str, Any]) -> None:
        """Change the clause where it stands."""
        target = results["target"]
        results["comma"].replace(Name("as", prefix=" "))
        if target.type == token.NAME:
            target.prefix = target.prefix or " "
            return
        name = free_name("error", self.used)
        value = f"{name}.args" if is_tuple(target) or is_list(target) else name
        text = str(target).strip()
        target.replace(Name(name, prefix=" "))
        insert_first(node.next_sibling.next_sibling, f"{text} = {value}")
