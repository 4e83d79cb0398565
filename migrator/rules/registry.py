"""Finds the rules and hands them events."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache
from typing import Any

import migrator.rules
from migrator.model.events import Event
from migrator.model.projects import ProjectFacts
from migrator.model.report import Finding
from migrator.rules.base import FactsHandler, Rule

_MODULE = re.compile(r"d\d{3}_\w+\Z")


@cache
def rule_modules() -> dict[str, Any]:
    """Return every rule module by the code of its rule, in order."""
    found = {}
    for info in pkgutil.iter_modules(migrator.rules.__path__):
        if _MODULE.match(info.name):
            module = importlib.import_module(f"migrator.rules.{info.name}")
            found[module.rule.code] = module
    return dict(sorted(found.items()))


def page_text(module: Any) -> str:
    """Return the page of a rule: the docstring of its module, with ``␉`` for tabs.

    From Python 3.13 on the compiler makes spaces of the tabs in docstrings.
    """
    return (module.__doc__ or "").replace("␉", "\t")


@cache
def rules() -> dict[str, Rule]:
    """Return every rule by its code."""
    return {code: module.rule for code, module in rule_modules().items()}


@cache
def _table() -> dict[type[Event], dict[str, list[tuple[Rule, FactsHandler[Any]]]]]:
    """Return handlers by type of event, then by key; "" holds those that take every key."""
    table: dict[type[Event], dict[str, list[tuple[Rule, FactsHandler[Any]]]]] = {}
    for rule in rules().values():
        for event, keys, handler in rule.handlers:
            by_key = table.setdefault(event, {})
            for key in keys or ("",):
                by_key.setdefault(key, []).append((rule, handler))
    return table


def findings_for(event: Event, facts: ProjectFacts) -> list[Finding]:
    """Return what the rules say about an event, with what is known of its project."""
    by_key = _table().get(type(event))
    if by_key is None:
        return []
    handlers = by_key.get("", []) + (by_key.get(event.key, []) if event.key else [])
    return [
        finding
        for rule, handler in handlers
        if facts.has_streams or not rule.needs_streams
        for finding in handler(event, facts)
    ]
