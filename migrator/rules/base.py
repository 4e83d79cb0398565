"""What a rule is.

A rule module holds one `rule`, or the `rules` that share a page. Its docstring is their
documentation, with the headings of `HEADINGS`; the pages in `docs/rules` are generated from it.
Functions marked with `@rule.on` get the events they ask for and yield findings; those marked with
`@rule.with_facts` also get what is known of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from migrator.model.events import (
    Event,
    InferredEvent,
    JvmUse,
    Python2Doubt,
    RemovedName,
    StreamValue,
    Use,
)
from migrator.model.findings import Decision
from migrator.model.projects import ProjectFacts
from migrator.model.report import Category, Confidence, Finding, Fix, Safety, Severity

# all that rules need besides their events
__all__ = ["Category", "Confidence", "Finding", "Findings", "Fix", "Rule", "Safety", "Severity"]

HEADINGS = ("What", "Why it matters", "Before", "After", "Fix safety", "By hand")

FAMILIES = {
    "D0": "Files that cannot be read, comments for migrate",
    "D1": "Imports, contexts, and names of Python",
    "D2": "Sources",
    "D3": "Transformations",
    "D4": "Windows and state",
    "D5": "Outputs",
    "D6": "Life cycle",
    "D7": "Settings",
    "D8": "RDDs, SQL, and names of PySpark",
    "D9": "Packaging",
}

E = TypeVar("E", bound=Event)
Findings: TypeAlias = Iterator[Finding]
Handler: TypeAlias = Callable[[E], Findings]
FactsHandler: TypeAlias = Callable[[E, ProjectFacts], Findings]


@dataclass(slots=True)
class Rule:
    """A kind of finding.

    Parameters
    ----------
    code : str
        Stable, by family (`FAMILIES`).
    severity : Severity
        The usual one, a finding may have another.
    effort : int
        Minutes of manual work that it usually takes.
    safety : Safety, optional
        How its fixes are used; None if it has none.
    other_safety : Safety, optional
        How some of them are used instead.
    option : str
        The option without which none of them is made.
    task : str
        What a job needs because of it, in a few words; its advice if it is empty.
    impossible : bool
        Whether what it finds has no counterpart at all.
    category : Category
        What its findings are about; a finding may have another.
    asked_only : bool
        Whether it takes part only if `--select` names its code, or the family of three characters.
    needs_streams : bool
        Whether it is only about projects with DStream code.
    """

    code: str
    name: str
    severity: Severity
    effort: int
    safety: Safety | None = None
    other_safety: Safety | None = None
    option: str = ""
    task: str = ""
    impossible: bool = False
    category: Category = Category.MIGRATION
    asked_only: bool = False
    needs_streams: bool = False
    handlers: list[tuple[type[Event], tuple[str, ...], FactsHandler[Any]]] = field(
        default_factory=list
    )

    def on(self, event: type[E], *keys: str) -> Callable[[Handler[E]], Handler[E]]:
        """Subscribe a function to events of a type, to all of them or to some keys."""

        def subscribe(handler: Handler[E]) -> Handler[E]:
            self.with_facts(event, *keys)(lambda found, facts: handler(found))
            return handler

        return subscribe

    def with_facts(
        self, event: type[E], *keys: str
    ) -> Callable[[FactsHandler[E]], FactsHandler[E]]:
        """Subscribe a function that gets the facts of the project, too."""

        def subscribe(handler: FactsHandler[E]) -> FactsHandler[E]:
            self.handlers.append((event, keys, handler))
            return handler

        return subscribe

    def reports(
        self,
        event: type[E],
        *keys: str,
        message: str,
        advice: str,
        fix: Callable[[E], Fix | None] | None = None,
        **options: Any,
    ) -> None:
        """Subscribe to events whose finding is all in a message, which may name their fields.

        Parameters
        ----------
        fix : callable, optional
            Gives the fix of an event.
        options : object
            What else `finding` takes.
        """

        @self.on(event, *keys)
        def report(event: E) -> Findings:
            given = {**options, "fix": None if fix is None else fix(event)}
            texts = (text.format(event=event) for text in (message, advice))
            yield self.finding(event, *texts, **given)

    def finding(
        self,
        event: Event,
        message: str,
        advice: str,
        *,
        severity: Severity | None = None,
        effort: int | None = None,
        fixed: bool = False,
        fix: Fix | None = None,
        category: Category | None = None,
        details: tuple[str, ...] = (),
        task: str | None = None,
        confidence: Confidence | None = None,
        evidence: tuple[str, ...] = (),
    ) -> Finding:
        """Return a finding of this rule at an event; a probable receiver is named as such.

        The message has room in two lines, the advice in one; what is longer belongs into details.
        """
        if isinstance(event, Use | InferredEvent):
            confidence, evidence = event.confidence, event.evidence
            if confidence is Confidence.PROBABLE:
                message += " (probably a streaming object)"
        elif isinstance(event, StreamValue):
            evidence = event.evidence
        elif isinstance(event, Python2Doubt) and event.proven:
            severity = Severity.ERROR
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            at=event.at,
            problem=message,
            remedy=advice,
            minutes=self.effort if effort is None else effort,
            rewrite=self.safety if fixed else None,
            decision=Decision(fixed=fixed),
            fix=fix,
            confidence=confidence or Confidence.PROVEN,
            evidence=evidence,
            category=category or self.category,
            details=details,
            task=self.task if task is None else task,
        )


# Rules about names that Python or PySpark has lost.

# names that are gone in later versions only are warned about
_OLDEST = (3, 11)


def removed_rule(
    code: str, name: str, kind: str, effort: int, task: str, other: Safety | None = Safety.UNSAFE
) -> Rule:
    """Return a rule about one kind of names that are gone, see `RemovedName`."""
    rule = Rule(
        code, name, Severity.ERROR, effort, Safety.SAFE, other, task=task, needs_streams=True
    )

    @rule.on(RemovedName, kind)
    def report(event: RemovedName) -> Findings:
        problem, severity = _problem_with_removed(event)
        yield rule.finding(
            event,
            problem,
            event.advice,
            severity=severity,
            fix=_fix_of_removed(event),
            confidence=Confidence.PROBABLE if event.guessed else None,
        )

    return rule


def _problem_with_removed(event: RemovedName) -> tuple[str, Severity]:
    """Return what is wrong: what is gone, what it raises, and who hides that."""
    severity = Severity.ERROR
    if event.what == "print":
        problem = f"`{event.text}` is an expression in Python 3"
        if not event.error:
            problem += ": it prints only what is in the parentheses"
            severity = Severity.WARNING
    elif event.what.startswith("spark"):
        problem = f"`{event.text}` is gone since Spark {event.since}"
    else:
        problem = f"`{event.text}` is gone since Python {event.since}"
        if tuple(map(int, event.since.split("."))) > _OLDEST:
            severity = Severity.WARNING
    if event.error:
        problem += f": {event.error}"
    if event.hidden_by:
        problem += f", which the `except` in line {event.hidden_by} hides each time"
    if event.guessed:
        problem += f" {event.guessed}"
    return problem, severity


def _fix_of_removed(event: RemovedName) -> Fix | None:
    """Return what takes the place of a name."""
    if not event.edits:
        return None
    caveat = f"; {event.caveat}" if event.caveat else ""
    safety = Safety.UNSAFE if event.caveat else Safety.SAFE
    if event.becomes.startswith("from "):
        done = f"is imported by `{event.becomes}`"
    else:
        done = f"becomes `{event.becomes}`" if event.becomes else "is dropped"
    return Fix(safety, event.edits, f"`{event.text}` {done}{caveat}")


# The finding of any rule about a use of Spark Streaming in Scala or Java.


# to write a small job anew
_EFFORT = 60


def report_jvm_uses(rule: Rule, *keys: str) -> None:
    """Make a rule report what its construct is in Scala and Java: none of it runs from there."""

    @rule.on(JvmUse, *keys)
    def use(event: JvmUse) -> Findings:
        yield rule.finding(
            event,
            f"`{event.call_text}` in {event.language}: dstream_compat is for Python",
            "move the job to Structured Streaming, or write it in Python first",
            severity=Severity.ERROR,
            effort=max(rule.effort, _EFFORT),
            category=Category.MIGRATION,
            task="leave Scala and Java",
        )
