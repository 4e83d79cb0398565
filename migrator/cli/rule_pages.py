"""`migrate explain CODE` and `migrate rules`: the documentation of rules."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from migrator.errors import MigrateError
from migrator.model.report import Safety
from migrator.rules.base import FAMILIES, Rule
from migrator.rules.docs import page
from migrator.rules.registry import page_text, rules


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


def list_rules(form: str, *, color: bool) -> int:
    """Print one line for each rule."""
    rows = [(rule, page_text(rule).partition("\n")[0]) for rule in rules().values()]
    if form == "json":
        print(json.dumps([_values(rule, what) for rule, what in rows], indent=2))
        return 0
    if not sys.stdout.isatty():
        for rule, what in rows:
            line = (
                f"{_code_text(rule):<5} {rule.severity:<7} {rule.effort:>4}  {rule.name:<24} {what}"
            )
            print(f"{line} (fixed with {rule.option})" if rule.option else line)
        return 0
    _table(rows, color)
    return 0


def _code_text(rule: Rule) -> str:
    """Return the code with a star if fixes are made, with a plus if only an option makes them."""
    if rule.safety is Safety.SAFE and not rule.option:
        return f"{rule.code}*"
    return f"{rule.code}+" if rule.safety in (Safety.SAFE, Safety.UNSAFE) else rule.code


def _values(rule: Rule, what: str) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "family": FAMILIES[rule.code[:2]],
        "severity": rule.severity.value,
        "category": rule.category.value,
        "effort_minutes": rule.effort,
        "safety": None if rule.safety is None else rule.safety.value,
        "option": rule.option or None,
        "what": what,
    }


def _table(rows: list[tuple[Rule, str]], color: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(no_color=not color or bool(os.environ.get("NO_COLOR")))
    table = Table(box=box.SIMPLE, pad_edge=False)
    for title in ("code", "severity", "minutes", "name", "what"):
        table.add_column(title, justify="right" if title == "minutes" else "left")
    styles = {"error": "red", "warning": "yellow", "info": "dim"}
    for rule, what in rows:
        style = styles[rule.severity]
        severity = f"[{style}]{rule.severity}[/]"
        table.add_row(_code_text(rule), severity, str(rule.effort), rule.name, what)
    console.print(table)
    legend = "* applied by migrate, + applied with an option; `migrate explain CODE` has more"
    console.print(legend, style="dim")
