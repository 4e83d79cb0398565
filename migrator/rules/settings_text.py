"""What the rules about settings say in common."""

from __future__ import annotations

import re

from migrator.model.events import Setting
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule
from migrator.spark.settings import SETTINGS, Effect


def setting_finding(rule: Rule, event: Setting, advice: str) -> Finding:
    """The finding for a known setting: a harmless value asks for nothing."""
    fact = SETTINGS[event.name]
    value = "" if event.value is None else f"={event.value}"
    harmless = event.value is not None and re.fullmatch(fact.harmless, event.value)
    needs_review = fact.review and not harmless
    return rule.finding(
        event,
        f"{event.name}{value}: {_effect(fact.effect)}; {fact.note}",
        (fact.advice or advice) if needs_review else "",
        severity=None if needs_review else Severity.INFO,
        effort=None if needs_review else 0,
    )


def _effect(effect: Effect) -> str:
    return {
        Effect.HONOURED: "honoured by dstream_compat",
        Effect.PENDING: "not honoured by this version of dstream_compat yet",
        Effect.NONE: "has no effect under dstream_compat",
        Effect.REPLACED: "replaced",
    }[effect]
