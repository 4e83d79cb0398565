"""Which PySpark and which Python `dstream_compat` needs, and what a requirement lets in."""

from __future__ import annotations

import re

SPARK = (4, 3)
# the first version that may be too new
_NEXT = (5,)

_CLAUSE = re.compile(r"(===|==|~=|!=|<=|>=|\^|~|<|>|=)?\s*v?(\d+(?:\.\d+)*)(\.\*)?")


def excludes_spark(spec: str) -> bool:
    """Whether a requirement (of pip, poetry, conda, or a bare version) lets no PySpark 4.3 in."""
    return any(_below(*match.groups()) for match in _CLAUSE.finditer(spec))


def _below(operator: str | None, version: str, _star: str | None) -> bool:
    """Whether a clause allows only versions before PySpark 4.3."""
    numbers = tuple(int(part) for part in version.split(".")[:4])
    if operator in (">=", ">", "!="):
        return False
    if operator in ("<", "<="):
        return numbers < SPARK if operator == "<=" else numbers <= SPARK
    if operator in ("~=", "^", "~"):
        # the first part that may not change
        kept = numbers[:1] if operator == "^" or len(numbers) < 3 else numbers[:2]
        return kept < SPARK[: len(kept)]
    return numbers[:2] < SPARK[: len(numbers[:2])]
