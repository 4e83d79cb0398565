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

from migrator.model.events import Event, StreamValue, Use
from migrator.model.findings import Decision
from migrator.model.job_events import InferredEvent
from migrator.model.projects import ProjectFacts
from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Category, Confidence, Finding, Fix, Safety, Severity

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
Handler: TypeAlias = Callable[[E], Iterator[Finding]]
FactsHandler: TypeAlias = Callable[[E, ProjectFacts], Iterator[Finding]]


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
        self, event: type[Event], *keys: str, message: str, advice: str, **options: Any
    ) -> None:
        """Subscribe to events whose finding is all in a message, which may name their fields.

        Parameters
        ----------
        options : object
            What else `finding` takes.
        """

        @self.on(event, *keys)
        def report(event: Event) -> Iterator[Finding]:
            yield self.finding(event, message.format(event=event), advice, **options)

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
