"""What the rules about settings say in common."""

from __future__ import annotations

from migrator.events import Setting
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.settings import SETTINGS, Effect

_OFF = {"false", "off", "no"}


def setting_finding(rule: Rule, event: Setting, advice: str) -> Finding:
    """The finding for a known setting: one that is switched off asks for nothing."""
    fact = SETTINGS[event.name]
    value = "" if event.value is None else f"={event.value}"
    off = event.value is not None and event.value.lower() in _OFF
    needs_review = fact.review and not off
    return rule.finding(
        event,
        f"{event.name}{value}: {_effect(fact.effect)}; {fact.note}",
        advice if needs_review else "",
        severity=None if needs_review else Severity.INFO,
        effort=None if needs_review else 0,
    )


def _effect(effect: Effect) -> str:
    return {
        Effect.HONOURED: "honoured by dstream_compat",
        Effect.NONE: "has no effect under dstream_compat",
        Effect.REPLACED: "replaced",
    }[effect]
