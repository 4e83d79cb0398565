"""Jobs that have no form in Structured Streaming."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event


@dataclass(frozen=True, eq=False)
class NoStructuredForm(Event):
    """A job that stays on this package.

    Parameters
    ----------
    code, text : str
        The kind of reason, and the reason.
    unsafe : tuple of str
        What would differ, if `--unsafe-fixes` would rewrite it.
    shape : str
        What is known of the shape of JSON texts, with `TYPE` for what the owner has to say.
    """

    code: str
    text: str
    unsafe: tuple[str, ...] = ()
    shape: str = ""
