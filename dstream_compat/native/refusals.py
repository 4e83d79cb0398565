"""Why a function is not translated: codes, their meaning, and the place in the source."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum


class Code(Enum):
    """A reason to refuse; the value is what Python and Spark do differently."""

    # The caller may accept these: the expression then raises where it cannot give Python's value.
    INT_RANGE = (
        "Python's integers have no bound; Spark's have 64 bits, and raise beyond them",
        "raises",
    )
    INT_TEXT = (
        "`int()` also reads `1_000`, spaces, digits of other scripts and numbers of any length",
        "raises",
    )
    FLOAT_TEXT = ("`float()` also reads `1_0.5`, `nan`, spaces and other digits", "raises")
    CASE_MAPPING = (
        "upper and lower case of characters beyond ASCII depend on the version of Unicode",
        "raises",
    )
    JSON_SHAPE = (
        "Spark reads JSON by a schema, and not what follows the value; the shape must be given",
        "shape",
    )
    DATETIME_TEXT = ("`strptime` also reads `1` for `01`, and digits of other scripts", "raises")
    FLOAT_ORDER = ("the sum of floats depends on the order of additions", "rounds")

    # These are final.
    SYNTAX = ("the syntax has no counterpart", "")
    UNKNOWN_NAME = ("the name is not a known constant, function or argument", "")
    UNKNOWN_FUNCTION = ("the function or method has no counterpart", "")
    NO_SOURCE = ("the source of the function cannot be found", "")
    RECURSION = ("the function calls itself", "")
    ARGUMENTS = ("the arguments have no counterpart", "")
    TYPE = ("the type has no counterpart", "")
    MIXED_TYPES = ("a column has one type; `1`, `1.0`, `True` and texts are different values", "")
    ALWAYS_RAISES = ("Python raises for every input", "")
    INT_DIVISION = ("`/`, `//` and `%` of these integers differ in rounding or sign", "")
    FLOAT_ARITHMETIC = ("the operation on floats rounds differently", "")
    FLOAT_VALUES = ("NaN and -0.0 are other keys, and compare otherwise, than in Spark", "")
    FLOAT_TEXT_FORM = ("Spark and Python write floats differently", "")
    FORMAT = ("the format has no counterpart", "")
    REGEX = ("Java and Python read the pattern differently", "")
    SURROGATE = ("a text with surrogates cannot be stored in Spark", "")
    SIDE_EFFECT = ("the function has effects besides its result", "")
    EVALUATION = ("Python would raise here, but Spark does not evaluate unused values", "")
    ORDER = ("the result depends on the order of the records", "")
    MISSING_KEY = ("Spark reads a key that is missing in a JSON text as None", "")
    UNHASHABLE = ("lists and dictionaries cannot be keys", "")

    def __init__(self, meaning: str, accepted: str) -> None:
        self.meaning = meaning
        self.accepted = accepted
        """What the expression does if the caller accepts the code.

        ``raises`` where it cannot give Python's value; ``rounds`` the last digits differently;
        ``shape``: is exact for texts of the given shape only.
        """


LONGEST = 100
"""The longest piece of source in a message."""
ACCEPTABLE = frozenset(code for code in Code if code.accepted)


@dataclass(frozen=True)
class Refusal:
    """A reason with its place.

    Parameters
    ----------
    code : Code
        the kind of reason
    text : str
        the reason in words, about this piece of source
    line, column : int or None
        where it is, from 1 and 0 as in `ast`; None if the function has no source
    source : str
        the piece of source
    """

    code: Code
    text: str
    line: int | None = None
    column: int | None = None
    source: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        return f"{place}{self.text} [{self.code.name}]"


class RefusedError(Exception):
    """Ends a translation; carries the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def refusal_error(code: Code, node: ast.AST | None, text: str) -> RefusedError:
    """Return the error that refuses a piece of source."""
    source = _one_line(node)
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", None)
    whole = f"`{source}`: {text}" if source else text
    return RefusedError(Refusal(code, whole, line, column, source))


def _one_line(node: ast.AST | None) -> str:
    """Return a piece of source on one line."""
    if node is None:
        return ""
    if isinstance(node, ast.FunctionDef):
        return f"def {node.name}"
    first, _, more = ast.unparse(node).partition("\n")
    return f"{first[:LONGEST]}..." if more or len(first) > LONGEST else first
