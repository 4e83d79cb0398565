"""What the rules about settings say in common."""

from __future__ import annotations

from collections.abc import Iterator

from migrator.model.events import Setting
from migrator.model.report import Category, Finding, Severity
from migrator.rules.base import Rule
from migrator.spark.settings import SETTINGS, Effect, is_harmless


def report_settings(rule: Rule, group: str, advice: str) -> None:
    """Make a rule report the settings of a group."""

    @rule.on(Setting, group)
    def setting(event: Setting) -> Iterator[Finding]:
        yield setting_finding(rule, event, advice)


def setting_finding(
    rule: Rule, event: Setting, advice: str, details: tuple[str, ...] = ()
) -> Finding:
    """Return the finding for a known setting: a harmless value asks for nothing.

    Parameters
    ----------
    advice : str
        What to do, unless the table of settings says it.
    details : tuple of str
        What is too long for the message.
    """
    fact = SETTINGS[event.name]
    value = "" if event.value is None else f"={event.value}"
    needs_review = not is_harmless(event.name, event.value)
    return rule.finding(
        event,
        f"{event.name}{value}: {_effect(fact.effect)}; {fact.note}",
        (fact.advice or advice) if needs_review else "",
        severity=None if needs_review else Severity.INFO,
        effort=None if needs_review else 0,
        category=None if needs_review else Category.NOTE,
        details=details,
    )


def _effect(effect: Effect) -> str:
    return {
        Effect.HONOURED: "honoured by dstream_compat",
        Effect.PENDING: "not honoured by this version of dstream_compat yet",
        Effect.NONE: "has no effect under dstream_compat",
        Effect.REPLACED: "replaced",
    }[effect]
