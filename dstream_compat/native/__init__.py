"""Translates small Python functions to expressions of Spark, or says why not.

A translation is exact: for every input the expression gives the value that Python gives, and it
raises where Python raises (the text of the error may differ). What cannot be proven equal is
refused, with a code and the place. The caller may accept some codes; the expression then raises
where it cannot give Python's value, and never gives another one.

Expressions need ``spark.sql.ansi.enabled``, the default since Spark 4: an overflow, an index
beyond the end or a wrong cast must raise and not become NULL.
"""

from __future__ import annotations

from .printing import ExpressionSource, to_source
from .reducers import Reduction, key_refusal, reduction
from .refusals import ACCEPTABLE, Code, Refusal
from .translate import Translation, Translator, column, row

__all__ = [
    "ACCEPTABLE",
    "Code",
    "ExpressionSource",
    "Reduction",
    "Refusal",
    "Translation",
    "Translator",
    "column",
    "key_refusal",
    "reduction",
    "row",
    "to_source",
]
