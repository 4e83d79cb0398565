"""Uses of the DStream API, and why a finding does not count."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.labels import Confidence, Migration, Outcome, SuppressedBy
from migrator.model.places import Spot, StreamOrigin


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding does not count; `reason` is the text of the comment."""

    by: SuppressedBy
    reason: str = ""


@dataclass(slots=True)
class Site:
    """One use of the DStream API.

    Parameters
    ----------
    outcome, migration : Outcome, Migration
        What the run does with it, and how it gets to Structured Streaming then.
    inputs : tuple of StreamOrigin
        Where the streams that go into the call were made.
    """

    at: Spot
    name: str
    use: str
    receiver: str
    confidence: Confidence
    outcome: Outcome
    evidence: tuple[str, ...] = ()
    migration: Migration = Migration.RUNS
    inputs: tuple[StreamOrigin, ...] = ()
