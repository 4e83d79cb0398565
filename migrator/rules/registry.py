"""Finds the rules and hands them events."""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import replace
from functools import cache
from typing import Any

import migrator.rules
from migrator.model.events import UNMOVED, Event, JvmUse, PackageUse, Use
from migrator.model.projects import ProjectFacts
from migrator.model.report import (
    Confidence,
    FileReport,
    Finding,
    Migration,
    Outcome,
    Severity,
    Site,
)
from migrator.rules.base import FactsHandler, Rule

_MODULE = re.compile(r"d\d{3}_\w+\Z")
RETIRED = frozenset(("D019", "D020"))
"""Codes of rules that are gone, which options and comments may still name."""


@cache
def rule_modules() -> dict[str, Any]:
    """Return the rule modules by the codes of their rules."""
    modules: dict[str, Any] = {}
    for info in pkgutil.iter_modules(migrator.rules.__path__):
        if _MODULE.match(info.name):
            module = importlib.import_module(f"migrator.rules.{info.name}")
            modules |= {rule.code: module for rule in _rules_of(module)}
    return modules


def _rules_of(module: Any) -> tuple[Rule, ...]:
    return module.rules if hasattr(module, "rules") else (module.rule,)


def rules_of_page(rule: Rule) -> tuple[Rule, ...]:
    """Return the rules that share a page, in order."""
    return _rules_of(rule_modules()[rule.code])


def page_text(rule: Rule) -> str:
    """Return the page of a rule: the docstring of its module, with ``␉`` for tabs.

    From Python 3.13 on the compiler makes spaces of the tabs in docstrings. Of rules that share a
    page, the title is what each asks for.
    """
    module = rule_modules()[rule.code]
    title, _, body = (module.__doc__ or "").strip().replace("␉", "\t").partition("\n")
    if len(_rules_of(module)) > 1:
        title = f"{module.SUBJECT}: {rule.task or rule.name}."
    return f"{title}\n{body}"


@cache
def rules() -> dict[str, Rule]:
    """Return every rule by its code."""
    all_rules = (rule for module in rule_modules().values() for rule in _rules_of(module))
    return dict(sorted({rule.code: rule for rule in all_rules}.items()))


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


# Makes the findings of a file, and a site for each use of the API.


def judge(file: FileReport, facts: ProjectFacts) -> None:
    """Make the findings and sites of a file of its events and of what is known of its project."""
    facts = replace(facts, path=file.path)
    all_findings = []
    for event in file.events:
        findings = findings_for(event, facts)
        all_findings += findings
        if isinstance(event, Use | PackageUse):
            file.sites.append(_site(event, findings))
    file.findings = [f for f in all_findings if not rules()[f.code].asked_only]
    file.asked = [f for f in all_findings if rules()[f.code].asked_only]


def _site(event: Use | PackageUse, findings: list[Finding]) -> Site:
    reported = any(f.asks_for_change for f in findings)
    outcome = Outcome.REPORTED if reported else Outcome.KEPT
    if isinstance(event, Use):
        way = migration(findings, event.confidence)
        if isinstance(event, JvmUse):
            outcome = Outcome.REPORTED
            way = Migration.MANUAL if way is Migration.RUNS else way
        return Site(
            event.at,
            event.name,
            event.use,
            event.receiver,
            event.confidence,
            outcome,
            event.evidence,
            way,
            event.inputs,
        )
    way = migration(findings, Confidence.PROVEN)
    if event.after is not None:
        outcome = Outcome.REWRITTEN
    elif event.problem == UNMOVED:
        outcome, way = Outcome.REPORTED, Migration.MANUAL
    return Site(
        event.at, event.path, event.use, "module", Confidence.PROVEN, outcome, migration=way
    )


def migration(findings: list[Finding], confidence: Confidence) -> Migration:
    """Return how a site with these findings gets to Structured Streaming."""
    left = [f for f in findings if f.asks_for_change]
    if any(rules()[f.code].impossible for f in left):
        return Migration.IMPOSSIBLE
    if any(f.severity is Severity.ERROR for f in left):
        return Migration.MANUAL
    if left or confidence is Confidence.PROBABLE:
        return Migration.REVIEW
    return Migration.RUNS
