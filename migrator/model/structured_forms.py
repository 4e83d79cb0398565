"""Jobs as Structured Streaming: what each call became."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StructuredStep:
    """What a call became.

    Attributes
    ----------
    line
        Its line.
    before, after
        The call, and what took its place; empty if nothing did.
    why
        Why that gives the same.
    """

    line: int
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class StructuredForm:
    """A job that was rewritten.

    Attributes
    ----------
    steps
        What its calls became, in their order.
    differences
        What is not quite the same, and what an owner has to know.
    """

    steps: tuple[StructuredStep, ...]
    differences: tuple[str, ...] = ()
