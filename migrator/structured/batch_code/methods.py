"""The methods of streams that code of a batch may have, and what they are on its RDD."""

from __future__ import annotations

from typing import Final

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

WHOLE: Final = SHUFFLES | {"count", "partitionBy", "reduce", "repartition"}
"""Those that read all records."""

NO_CHANGE: Final = frozenset(("cache", "persist"))
"""Those that change no result; the RDD that they are called on takes their place."""

COUNT: Final = "{session}.sparkContext.parallelize([{owner}.count()], 1)"
REDUCE: Final = "{owner}.map(lambda record: (None, record)).reduceByKey({function}, 1).values()"
COUNT_BY_VALUE: Final = (
    "{owner}.map(lambda record: (record, 1)).reduceByKey(lambda left, right: left + right)"
)
