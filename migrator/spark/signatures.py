"""Parameters of the methods of streams and contexts, and of what makes these.

A test compares them with pyspark.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """Names of parameters, the first `required` of them without default; `rest` for *args."""

    names: tuple[str, ...]
    required: int
    rest: bool = False


def _sign(owner: str, **methods: str) -> dict[str, Signature]:
    """Return signatures from texts such as "f other numPartitions=", "=" marking a default."""
    signs = {}
    for name, text in methods.items():
        parts = text.split()
        required = sum(not p.endswith("=") and not p.startswith("*") for p in parts)
        rest = any(p.startswith("*") for p in parts)
        names = tuple(p.rstrip("=") for p in parts if not p.startswith("*"))
        signs[f"{owner}.{name}"] = Signature(names, required, rest)
    return signs


SIGNATURES: dict[str, Signature] = {
    **_sign(
        "DStream",
        cache="",
        checkpoint="interval",
        cogroup="other numPartitions=",
        combineByKey="createCombiner mergeValue mergeCombiners numPartitions=",
        context="",
        count="",
        countByValue="",
        countByValueAndWindow="windowDuration slideDuration numPartitions=",
        countByWindow="windowDuration slideDuration",
        filter="f",
        flatMap="f preservesPartitioning=",
        flatMapValues="f",
        foreachRDD="func",
        fullOuterJoin="other numPartitions=",
        glom="",
        groupByKey="numPartitions=",
        groupByKeyAndWindow="windowDuration slideDuration numPartitions=",
        join="other numPartitions=",
        leftOuterJoin="other numPartitions=",
        map="f preservesPartitioning=",
        mapPartitions="f preservesPartitioning=",
        mapPartitionsWithIndex="f preservesPartitioning=",
        mapValues="f",
        partitionBy="numPartitions partitionFunc=",
        persist="storageLevel",
        pprint="num=",
        reduce="func",
        reduceByKey="func numPartitions=",
        reduceByKeyAndWindow=(
            "func invFunc windowDuration slideDuration= numPartitions= filterFunc="
        ),
        reduceByWindow="reduceFunc invReduceFunc windowDuration slideDuration",
        repartition="numPartitions",
        rightOuterJoin="other numPartitions=",
        saveAsTextFiles="prefix suffix=",
        slice="begin end",
        transform="func",
        transformWith="func other keepSerializer=",
        union="other",
        updateStateByKey="updateFunc numPartitions= initialRDD=",
        window="windowDuration slideDuration=",
    ),
    **_sign(
        "StreamingContext",
        addStreamingListener="streamingListener",
        awaitTermination="timeout=",
        awaitTerminationOrTimeout="timeout",
        binaryRecordsStream="directory recordLength",
        checkpoint="directory",
        getActive="",
        getActiveOrCreate="checkpointPath setupFunc",
        getOrCreate="checkpointPath setupFunc",
        queueStream="rdds oneAtATime= default=",
        remember="duration",
        socketTextStream="hostname port storageLevel=",
        start="",
        stop="stopSparkContext= stopGraceFully=",
        textFileStream="directory",
        transform="dstreams transformFunc",
        union="*dstreams",
    ),
}


# what no call is checked against: the other parameters are those of one version of Spark
KAFKA: dict[str, Signature] = _sign(
    "KafkaUtils",
    createDirectStream="ssc topics kafkaParams",
    createRDD="sc kafkaParams offsetRanges",
    createStream="ssc zkQuorum groupId topics kafkaParams=",
)
_ALL = SIGNATURES | KAFKA | {"StreamingContext": Signature(("sparkContext", "batchDuration"), 1)}


def argument(key: str, call: ast.Call, name: str) -> ast.expr | None:
    """Return the argument for a parameter, given by position or name, if the call shows it."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    position = _ALL[key].names.index(name)
    before = call.args[: position + 1]
    if len(before) <= position or any(isinstance(a, ast.Starred) for a in before):
        return None
    return before[position]


def problem(key: str, call: ast.Call) -> str | None:
    """Return what is wrong with the arguments of a call, or None if nothing is known to be."""
    signature = SIGNATURES[key]
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    by_name = [k.arg for k in call.keywords]
    if None in by_name:
        return None
    if len(call.args) > len(signature.names) and not signature.rest:
        return f"takes at most {len(signature.names)} arguments, not {len(call.args)}"
    for name in by_name:
        if name not in signature.names:
            return f"has no parameter `{name}`"
        if name in signature.names[: len(call.args)]:
            return f"is given `{name}` twice"
    missing_names = signature.names[len(call.args) : signature.required]
    lacking = [name for name in missing_names if name not in by_name]
    return f"lacks its argument `{lacking[0]}`" if lacking else None
