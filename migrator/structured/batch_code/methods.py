"""The methods of streams that code of a batch may have, and what they are on its RDD."""

from __future__ import annotations

import ast
from typing import Final

from ..program.arguments import arguments_of, is_none
from ..program.graph import Node
from ..program.modules import SourceModule
from ..refusals import NotExpressible

SAME: Final = frozenset(
    (
        "cogroup",
        "combineByKey",
        "filter",
        "flatMap",
        "flatMapValues",
        "fullOuterJoin",
        "glom",
        "groupByKey",
        "join",
        "leftOuterJoin",
        "map",
        "mapPartitions",
        "mapPartitionsWithIndex",
        "mapValues",
        "partitionBy",
        "reduceByKey",
        "repartition",
        "rightOuterJoin",
        "union",
    )
)
"""Those that RDDs have under the same name, with the same arguments and result."""

WINDOWS: Final = {
    "countByValueAndWindow": ("windowDuration", "slideDuration", "numPartitions="),
    "countByWindow": ("windowDuration", "slideDuration"),
    "groupByKeyAndWindow": ("windowDuration", "slideDuration", "numPartitions="),
    "reduceByKeyAndWindow": (
        *("func", "invFunc", "windowDuration", "slideDuration="),
        *("numPartitions=", "filterFunc="),
    ),
    "reduceByWindow": ("reduceFunc", "invReduceFunc", "windowDuration", "slideDuration"),
    "window": ("windowDuration", "slideDuration="),
}
"""The parameters of those that make windows."""

STATES: Final = {
    "mapWithState": ("spec",),
    "updateStateByKey": ("updateFunc", "numPartitions=", "initialRDD="),
}
"""The parameters of those that keep a state."""

KEEPING: Final = WINDOWS | STATES
"""The parameters of those that leave something to later batches."""

SHUFFLES: Final = frozenset(
    (
        "cogroup",
        "combineByKey",
        "countByValue",
        "fullOuterJoin",
        "groupByKey",
        "join",
        "leftOuterJoin",
        "reduceByKey",
        "rightOuterJoin",
    )
)
"""Those whose result has a number of partitions of its own."""

WHOLE: Final = SHUFFLES | {"count", "partitionBy", "reduce", "repartition", *KEEPING}
"""Those that read all records."""

NO_CHANGE: Final = frozenset(("cache", "persist"))
"""Those that change no result; the RDD that they are called on takes their place."""

_OF_TWO = ("cogroup", "fullOuterJoin", "join", "leftOuterJoin", "rightOuterJoin", "union")
FAILING: Final = (SAME - {*_OF_TWO}) | {"count", "countByValue", "reduce", "transform"}
"""Those that fail on DStreams and here if a function of `transform` before has given no RDD."""

COUNT: Final = "{session}.sparkContext.parallelize([{owner}.count()]{only}, 1)"
REDUCE: Final = "{owner}.map(lambda record: (None, record)).reduceByKey({function}, 1).values()"
COUNT_BY_VALUE: Final = (
    "{owner}.map(lambda record: (record, 1)).reduceByKey(lambda left, right: left + right)"
)


def arguments(node: Node) -> dict[str, ast.expr]:
    """Return the arguments of a method that leaves something to later batches, but for None."""
    arguments = arguments_of(node.call, *KEEPING[node.operator])
    return {name: value for name, value in arguments.items() if not is_none(value)}


def spec_arguments(module: SourceModule, node: Node) -> dict[str, ast.expr]:
    """Return what the StateSpec of a `mapWithState` is given, by the names of its methods.

    Raises
    ------
    NotExpressible
        if it is not written in the call
    """
    call = arguments(node)["spec"]
    arguments_found: dict[str, ast.expr] = {}
    while (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("function", "timeout", "initialState", "numPartitions")
        and len(call.args) == 1
        and not call.keywords
    ):
        arguments_found.setdefault(call.func.attr, call.args[0])
        if call.func.attr == "function" and module.is_old(call.func.value, "StateSpec"):
            return arguments_found
        call = call.func.value
    raise NotExpressible("STATE_SPEC", "the StateSpec is not written in the call", node.call)
