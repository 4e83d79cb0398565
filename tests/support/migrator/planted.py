"""Migrated jobs with planted faults, and with changes that are harmless."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

PORT = "socket:9999"
MORE = "socket:9998"


def line(user: str | None, n: float) -> str:
    return json.dumps({"user": user, "n": n}, ensure_ascii=False)


INPUTS: dict[str, list[dict[str, list[str]]]] = {
    "records": [
        {PORT: [line("ann", 1), line("bob", 2), line("ann", 2)]},
        {},
        {PORT: [line(None, 5), line("", 7), line("käse", 1), line("Ann", 0.5), line("ann", 0.1)]},
    ],
    "windows": [{PORT: ["a", "b"]}, {PORT: ["a"]}, {PORT: ["c"]}, {PORT: ["c"]}, {}],
    "state": [
        {PORT: ["ann in", "bob in"]},
        {PORT: ["bob quit", "cy in"]},
        {PORT: ["cy in", "bob in"]},
    ],
    "joins": [{PORT: ["1 /a", "2 /b", "1 /c"], MORE: ["1 ann"]}, {}, {PORT: ["2 /d"]}],
    "sending": [{PORT: ["a", "b", "b"]}, {}, {PORT: ["a", "b", "c", "c"]}],
}
"""What each job reads, batch by batch."""


class Change(NamedTuple):
    """A change of a job, and where it shows; nowhere if it is harmless."""

    name: str
    job: str
    old: str
    new: str
    batch: int = 0
    operator: str = ""
    output: str = "pprint"


WRONG = [
    Change(
        "window that is one shorter", "windows", "b, 3, 1", "b, 2, 1", 3, "reduceByKeyAndWindow"
    ),
    Change("wrong slide", "windows", "window(2, 2)", "window(2, 1)", 1, "window"),
    Change("lost key", "records", "is not None)", 'not in (None, "bob"))', 1, "filter"),
    Change(
        "double count",
        "records",
        'map(lambda row: (row["user"], row["n"]))',
        'flatMap(lambda row: [(row["user"], row["n"])] * 2)',
        1,
        "map",
    ),
    Change("key equality", "records", '(row["user"], ', '(row["user"].lower(), ', 3, "map"),
    Change("order", "records", "(-pair[1], pair[0])", "(pair[1], pair[0])", 1, "transform"),
    Change("float", "records", "sum(values) / len", "sum(values) // len", 1, "mapValues"),
    Change(
        "sort removed",
        "records",
        "rdd.sortBy(lambda pair: (-pair[1], pair[0]))",
        "rdd",
        3,
        "transform",
    ),
    Change("wrong records sent", "sending", "> 1", ">= 1", 1, "foreachRDD", "foreachPartition"),
    Change("wrong number printed", "sending", "pprint(2)", "pprint(20)", 3, "reduceByKey"),
    Change(
        "late batch",
        "joins",
        "joined.pprint()",
        "held = []\n\n\ndef late(rdd):\n    held.append(rdd)\n    return held[-2] if len(held) > 1 "
        "else sc.emptyRDD()\n\n\njoined = joined.transform(late)\njoined.pprint()",
        1,
        "transform",
    ),
    Change(
        "dropped empty batch",
        "joins",
        "    print(",
        "    if rdd.isEmpty():\n        return\n    print(",
        2,
        "foreachRDD",
        "lines printed",
    ),
    Change("state not removed", "state", "return None", "return total", 2, "updateStateByKey"),
    Change(
        "wrong decoder",
        "records",
        "map(json.loads)",
        'map(lambda text: json.loads(text.encode("utf-8").decode("latin-1")))',
        3,
        "map",
    ),
    Change("missed None", "records", 'row.get("user") is not None', '"user" in row', 3, "filter"),
    Change(
        "broken filter", "records", 'row.get("user") is not None', 'row.get("user")', 3, "filter"
    ),
    Change("swapped join sides", "joins", "clicks.join(names)", "names.join(clicks)", 1, "join"),
    Change("wrong initial state", "state", "100", "10", 1, "updateStateByKey"),
    Change(
        "output that runs twice",
        "joins",
        "(show)\n",
        "(show)\nusers.foreachRDD(show)\n",
        1,
        "transform",
        "foreachRDD",
    ),
]
HARMLESS = [
    Change("nothing but the import", "state", "ssc", "ssc"),
    Change("renamed variable", "records", "sums", "sums_by_user"),
    Change("more partitions", "records", "a + b)", "a + b, 5)"),
    Change("other order in a batch", "records", "rows = lines", "rows = lines.repartition(3)"),
    Change("sum the other way round", "records", "a + b", "b + a"),
    Change(
        "named function",
        "records",
        'map(lambda row: (row["user"], row["n"]))',
        "map(pair_of)",
    ),
    Change(
        "groups instead of a reduction",
        "records",
        "reduceByKey(lambda a, b: a + b)",
        "groupByKey().mapValues(sum)",
    ),
    Change("cached stream", "records", "sums.pprint()", "sums.cache()\nsums.pprint()"),
    Change(
        "by partition",
        "windows",
        "map(lambda word: (word, 1))",
        "mapPartitions(lambda words: ((word, 1) for word in words))",
    ),
    Change(
        "window before the reduction",
        "windows",
        "reduceByKeyAndWindow(\n    lambda a, b: a + b, lambda a, b: a - b, 3, 1, "
        "filterFunc=lambda pair: pair[1] > 0\n)",
        "window(3, 1).reduceByKey(lambda a, b: a + b)",
    ),
    Change("window twice the interval", "windows", "window(2, 2)", "window(1 + 1, 1 * 2)"),
    Change(
        "other words for a state",
        "state",
        "return (total or 0) + len(new)",
        "return len(new) if total is None else total + len(new)",
    ),
    Change("state in more partitions", "state", "update, initialRDD", "update, 4, initialRDD"),
    Change(
        "lookup instead of a tuple",
        "state",
        'tuple(line.split(" "))',
        '(line.split(" ")[0], line.split(" ")[1])',
    ),
    Change("join in more partitions", "joins", "join(names)", "join(names, 4)"),
    Change(
        "distinct before", "joins", "lambda pair: pair[0])", "lambda pair: pair[0]).repartition(2)"
    ),
]
# what a change calls; it is harmless itself
HELPERS = """
def pair_of(row):
    return row["user"], row["n"]

"""


def migrated(program: str, change: Change) -> str:
    """Return a program with a change."""
    assert change.old in program
    moved = program.replace("from pyspark.streaming import", "from dstream_compat import")
    moved = moved.replace("\nlines = ", f"\n{HELPERS}\nlines = ", 1)
    return moved.replace(change.old, change.new)


def recording(job: str) -> dict[str, Any]:
    """Return the sources and the batches of a job."""
    batches = INPUTS[job]
    sources = sorted({source for given in batches for source in given})
    return {"sources": {source: {} for source in sources}, "batches": batches}
