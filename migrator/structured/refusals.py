"""Why a pipeline has no counterpart in Structured Streaming."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dstream_compat.native import Refusal


@dataclass(frozen=True)
class Reason:
    """Why a pipeline stays as it is.

    Parameters
    ----------
    code : str
        a short name of the kind of reason
    text : str
        the reason in words
    line, column : int
        where it is, from 1 and 0 as in `ast`
    shape : str
        what is known of the shape of JSON texts, if a part that is missing is the reason
    others : tuple of Reason
        the reasons of all steps of the job, this one among them
    path : str
        the file of the place, empty for that of the job
    """

    code: str
    text: str
    line: int
    column: int
    shape: str = ""
    others: tuple[Reason, ...] = ()
    path: str = ""


class NotExpressible(Exception):
    """Ends the rewriting of a pipeline."""

    def __init__(self, code: str, text: str, node: ast.AST) -> None:
        super().__init__(text)
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        self.reason = Reason(code, text, line, column)


def from_refusal(refusal: Refusal, call: ast.AST) -> NotExpressible:
    """Return the end of a rewriting because of a function."""
    error = NotExpressible(refusal.code.name, refusal.text, call)
    if refusal.line is not None:
        error.reason = Reason(refusal.code.name, refusal.text, refusal.line, refusal.column or 0)
    return error
