"""Where the functions of ``pyspark.sql.functions`` take a constant as it is, without ``lit``."""

from __future__ import annotations

from typing import Final

from .expressions import Expression, Literal

RAW: Final = {
    "array_contains": (1,),
    "array_join": (1,),
    "array_remove": (1,),
    "call_function": (0,),
    "decode": (1,),
    "element_at": (1,),
    "encode": (1,),
    "from_json": (1,),
    "instr": (1,),
    "lit": (0,),
    "map_contains_key": (1,),
    "raise_error": (0,),
    "regexp_extract_all": (2,),
    "regexp_replace": (1, 2),
    "slice": (1, 2),
    "split": (1, 2),
    "substring": (1, 2),
}
"""The places of such arguments."""

OPTIONS: Final = {"from_json": {"mode": "FAILFAST", "allowSingleQuotes": "false"}}
"""The options of functions that take them as the last argument."""


def is_raw(function: str, place: int, argument: Expression) -> bool:
    """Return whether an argument is given without ``lit``."""
    return isinstance(argument, Literal) and place in RAW.get(function, ())
