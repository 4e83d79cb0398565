"""Every step of a job that has no form, not only the first that stops a rewriting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from dstream_compat.native import Code
from dstream_compat.native.json_uses import JsonUses
from dstream_compat.native.types import Type
from migrator.spark.since import Version

from .builder.builder import Builder
from .checks import check_controls
from .program.graph import Node, Query
from .program.job import JobBlock
from .program.modules import Block, SourceModule, blocks
from .reading.reader import Reader
from .refusals import NotExpressible, Reason
from .registry import OUTPUTS


def every_reason(
    module: SourceModule,
    first: Reason,
    accept: Collection[Code],
    brokers: str | None,
    json: Type | JsonUses | None,
    spark: Version,
    make_reader: Callable[[SourceModule, Block], Reader] = Reader,
) -> tuple[Reason, ...]:
    """Return the reasons why the steps of a module's job have no form, by their places.

    Parameters
    ----------
    first : Reason
        the one that stopped its rewriting
    accept : collection of Code
        the differences that are accepted
    brokers : str, optional
        addresses of Kafka's brokers
    json : Type or JsonUses, optional
        the shape of the texts that `json.loads` reads
    spark : (int, int)
        the oldest Spark that the result is to run on
    make_reader : callable
        makes what reads a block; what is no plain `Reader` leaves the steps as they are
    """
    reasons = [first]
    for block in blocks(module.tree):
        reader = make_reader(module, block)
        reader.errors = reasons
        job = reader.read()
        if job is not None and make_reader is not Reader:
            break
        if job is not None:
            builder = Builder(module, job, "spark", "F", accept, spark)
            builder.brokers, builder.json, builder.errors = brokers, json, reasons
            _of_steps(builder, job, reasons)
            break
    unique = {(reason.line, reason.column, reason.text): reason for reason in reasons}
    return tuple(sorted(unique.values(), key=lambda reason: (reason.line, reason.column)))


def _of_steps(builder: Builder, job: JobBlock, reasons: list[Reason]) -> None:
    """Add the reasons of streams, outputs, and the layout of the job."""
    failed: set[Node] = set()
    if builder.brokers is None:
        for node in job.nodes:
            if node.is_source:
                with _note_refusal(reasons):
                    builder.frame(node)
        builder.brokers = "HOST:9092"
    for node in job.nodes:
        if failed.isdisjoint(node.parents):
            count = len(reasons)
            with _note_refusal(reasons):
                builder.frame(node)
            if len(reasons) > count:
                failed.add(node)
        else:
            failed.add(node)
    for output in job.outputs:
        if output.node not in failed:
            builder.query = Query([output], output.node)
            with _note_refusal(reasons):
                OUTPUTS[output.method][1](builder, output)
            builder.query = None
    with _note_refusal(reasons):
        check_controls(job)


@contextmanager
def _note_refusal(reasons: list[Reason]) -> Iterator[None]:
    """Note a refusal, and go on."""
    try:
        yield
    except NotExpressible as error:
        reasons.append(error.reason)
