"""`migrate explain CODE`: the documentation of a rule."""

from __future__ import annotations

import os
import sys

from migrator.errors import MigrateError
from migrator.rules.docs import page
from migrator.rules.registry import rules


def explain(names: list[str], *, color: bool) -> int:
    """Print pages of rules: formatted on a terminal, as Markdown elsewhere.

    Parameters
    ----------
    names : list of str
        Codes or names of rules.

    Raises
    ------
    MigrateError
        If there is no such rule.
    """
    by_name = {rule.name: code for code, rule in rules().items()}
    codes = []
    for name in names:
        code = by_name.get(name.lower(), name.upper())
        if code not in rules():
            raise MigrateError(f"there is no rule {name}; `migrate rules` lists them")
        codes.append(code)
    text = "\n".join(page(rules()[code]) for code in codes)
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return 0
    # rich takes longer to load than all the rest
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(no_color=not color or bool(os.environ.get("NO_COLOR")))
    console.print(Markdown(text, code_theme="ansi_dark"))
    return 0
