"""Jobs that have no form in Structured Streaming."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event


@dataclass(frozen=True, eq=False)
class NoStructuredForm(Event):
    """A step of a job without a form, for which the job stays on this package.

    Parameters
    ----------
    code, text : str
        The kind of reason, and the reason.
    unsafe : tuple of str
        What would differ, if `--unsafe-fixes` would rewrite the job.
    shape : str
        What is known of the shape of JSON texts, with `TYPE` for what the owner has to say.
    option : str
        The option with which this step has a form, if there is one.
    others : int
        How many steps of the job have none even then.
    """

    code: str
    text: str
    unsafe: tuple[str, ...] = ()
    shape: str = ""
    option: str = ""
    others: int = 0
