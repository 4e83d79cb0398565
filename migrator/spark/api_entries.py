"""What the tables of Spark's API say of a method: what it gives, and what it calls."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.spark.kinds import Kind


@dataclass(frozen=True, slots=True)
class Callback:
    """A parameter that takes a user function, and what that function is given.

    Parameters
    ----------
    shape : str
        "rdd" is (rdd) or (time, rdd); "rdds" a list of RDDs; "two rdds" with another stream;
        "element" anything; "none" no argument.
    """

    position: int
    keyword: str
    shape: str


@dataclass(frozen=True, slots=True)
class Api:
    """A method or attribute: what it gives ("self" is the receiver's kind) and its callback."""

    gives: Kind | str
    callback: Callback | None = None
    is_property: bool = False


def each(*names: str, gives: Kind | str, callback: Callback | None = None) -> dict[str, Api]:
    """Return entries of the same kind for several names."""
    return {name: Api(gives, callback) for name in names}
