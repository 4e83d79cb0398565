"""Jobs as Structured Streaming: what each call became."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.findings import Spot


@dataclass(frozen=True, slots=True)
class StructuredStep:
    """What a call became.

    Parameters
    ----------
    before, after : str
        The call, and what took its place; empty if nothing did.
    why : str
        Why that gives the same.
    """

    at: Spot
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class StructuredForm:
    """A job that was rewritten.

    Parameters
    ----------
    steps : tuple of StructuredStep
        What its calls became, in their order.
    differences : tuple of str
        What is not quite the same, and what an owner has to know.
    is_portable : bool
        Whether it runs on Spark Connect, too: all of it is DataFrames.
    spark : str
        The first Spark that it runs on, such as 3.5.
    """

    steps: tuple[StructuredStep, ...]
    differences: tuple[str, ...] = ()
    is_portable: bool = True
    spark: str = ""

    @property
    def label(self) -> str:
        """What it runs on, in a word."""
        return "portable" if self.is_portable else "classic"

    @property
    def needs(self) -> str:
        """What it runs on, in words."""
        return f"{self.label}, Spark {self.spark} or newer"
