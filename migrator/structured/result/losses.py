"""Notes what the job has asked for and its result does not do: no call stands for it any more."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..builder.builder import Builder
from ..program.arguments import bound
from ..program.graph import Query
from ..program.settings import PARTITIONS
from ..registry import OPERATORS
from .session import CHECKPOINTS

SHUFFLES = frozenset(("numPartitions", "partitionFunc"))
KEPT = frozenset(("repartition", "coalesce"))
NO_HOST = (
    "Spark opens no checkpoint of a query at `{}`, where DStreams took HDFS's own host: write it, "
    "as in `hdfs://namenode:8020/...`"
)


def note_losses(builder: Builder, queries: Sequence[Query]) -> None:
    """Let the report name settings, numbers of partitions and folders that are left out."""
    job = builder.job
    if job.conf.old_settings():
        names = ", ".join(f"`{each}`" for each in dict.fromkeys(job.conf.old_settings()))
        builder.note(f"no setting of Structured Streaming takes the place of {names}")
    for node in job.nodes:
        is_kept = builder.batch_code or node.operator in KEPT
        found = None if is_kept else OPERATORS.get(node.operator)
        given = None if found is None else bound(node.call, found.parameters)
        if given is not None and SHUFFLES & given.keys():
            builder.note(f"line {node.call.lineno}: `{node.operator}` {PARTITIONS}")
    if len(queries) > 1:
        builder.note("the outputs of several queries run side by side, no longer one after another")
    match None if job.checkpoint is None else builder.module.constant(job.checkpoint):
        case ast.Constant(value=str(folder)) if folder.startswith("hdfs:///"):
            builder.note(NO_HOST.format(folder))
    if job.checkpoint is None and any(query.stateful for query in queries):
        builder.note(
            "without a checkpoint folder, executors keep the state on their own disks: on a "
            f"cluster, set `{CHECKPOINTS}` to a folder that all of them reach"
        )
