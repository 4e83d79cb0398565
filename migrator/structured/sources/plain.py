"""Sources that need no connector: sockets, files, static data, and ticks.

A tick is a row at each trigger, so that a query has a batch in intervals without input, too.
"""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from typing import Final

from dstream_compat.native.expressions import Column, Expression, Literal, Struct, constant
from dstream_compat.native.types import Long, String, Tuple, Type, join

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..dataframes.frames import Chain, Frame, Printer, leaves_of, over_columns
from ..dataframes.naming import default_names
from ..program.graph import TICK_SOURCE, Node, Stage
from ..reading.arrival import needs_order
from ..refusals import NotExpressible
from ..registry import source


def reader(builder: Builder, kind: str, options: dict[str, ast.expr | str]) -> Chain:
    """Return ``spark.readStream`` with a format and options, which are source or literal texts; the
    option ``**`` is a dict of options.
    """
    code = Chain(f"{builder.session}.readStream").call("format", f'"{kind}"')
    for name, value in options.items():
        text = value if isinstance(value, str) else builder.source(value)
        if name == "**":
            code = code.call("options", f"**{text}")
            continue
        code = code.call("option", json.dumps(name, ensure_ascii=False), text)
    return code


@source(
    "socketTextStream",
    Stage.ROWS,
    "hostname",
    "port",
    "storageLevel=",
    reason="the same lines; the source is for tests, as it cannot read a line again",
)
def socket_text_stream(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    options: dict[str, ast.expr | str] = {"host": arguments["hostname"], "port": arguments["port"]}
    if builder.batch_code or needs_order(builder.module, node, builder.job.outputs):
        # else Spark deals the lines out to several partitions
        options["numPartitions"] = "1"
    code = reader(builder, "socket", options).call("load")
    return Frame(code, Column(String(), "value"), ("value",), ("value",))


COLUMN: Final = "tick"
"""The column of ticks that records do not have."""
RECORDS: Final = f"{COLUMN} IS NULL"
"""The condition for the records of a batch that has a tick, too."""


def tick_source(builder: Builder) -> Chain:
    """Return a streaming DataFrame that has one row at each trigger."""
    return reader(builder, "rate-micro-batch", {"rowsPerBatch": "1", "numPartitions": "1"}).call(
        "load"
    )


@source(TICK_SOURCE, Stage.ROWS, reason="a batch at each trigger")
def ticks_of_queues(builder: Builder, node: Node) -> Frame:
    # the RDDs of `queueStream` are in the driver
    return Frame(tick_source(builder), Column(Long(), "value"), ("value",), ("timestamp", "value"))


def marks(ticks: Chain, printer: Printer) -> Chain:
    """Return ticks as rows of their only column, to be united with records."""
    return ticks.call("select", f'{printer.functions}.lit(True).alias("{COLUMN}")')


def with_ticks(records: Chain, ticks: str) -> Chain:
    """Return records and the ticks of a variable; records have no value in the column of ticks."""
    return records.call("unionByName", ticks, "allowMissingColumns=True")


UTF8 = "files hold UTF-8, as texts of DStreams do"


@source(
    "textFileStream",
    Stage.ROWS,
    "directory",
    reason=f"the same lines, of files that are newer than the start; {UTF8}",
)
def text_file_stream(builder: Builder, node: Node) -> Frame:
    folder = builder.source(builder.arguments(node)["directory"])
    code = Chain(f"{builder.session}.readStream").call("text", folder)
    if node in builder.positions:
        builder.reasons[node] = f"the same lines, of files that were not read before; {UTF8}"
        code = code.call("where", builder.positions[node])
    elif builder.job.is_recovered:
        # a start goes on with what came while the job was down
        builder.reasons[node] = f"the same lines; the first batch has more of them; {UTF8}"
        builder.note(
            f"line {node.call.lineno}: the first batch of the first start also has the files that "
            "are in the folder already"
        )
    else:
        functions, now = builder.printer.functions, f"{datetime_class(builder)}.now()"
        newer = f'{functions}.col("_metadata.file_modification_time") > {functions}.lit({now})'
        code = code.call("where", newer)
    return Frame(code, Column(String(), "value"), ("value",), ("value",))


@source(
    "textFile",
    Stage.STATIC,
    "name",
    "minPartitions=",
    "use_unicode=",
    reason=f"the same lines; {UTF8}",
)
def text_file(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    unicode = arguments.get("use_unicode", ast.Constant(True))
    if not (isinstance(unicode, ast.Constant) and unicode.value is True):
        raise NotExpressible("ARGUMENTS", "with `use_unicode` lines are bytes", unicode)
    path = builder.source(arguments["name"])
    code = Chain(f"{builder.session}.read").call("text", path)
    return Frame(code, Column(String(), "value"), ("value",), ("value",))


@source("parallelize", Stage.STATIC, "c", "numSlices=", reason="the same records, as rows")
def parallelize(builder: Builder, node: Node) -> Frame:
    values = builder.arguments(node)["c"]
    try:
        literal_values = ast.literal_eval(builder.module.constant(values))
        records = [constant(record) for record in literal_values]
    except (ValueError, TypeError):
        raise NotExpressible("STATIC_DATA", "the data is not written here", values) from None
    if not records or None in records:
        raise NotExpressible("STATIC_DATA", "the data has no type", values)
    first = records[0]
    assert first is not None
    kind = first.type
    for record in records[1:]:
        assert record is not None
        joined = join(kind, record.type)
        if joined is None:
            raise NotExpressible("MIXED_TYPES", "the records have several types", values)
        kind = joined
    # what is known of one record need not be true of the others
    first = _of_kind(first, kind)
    names = default_names(len(leaves_of(first)))
    columns = ", ".join(f'"{name}"' for name in names)
    rows = builder.source(values)
    if not isinstance(first, Struct):
        assert isinstance(first, Literal)
        rows = f"[(each,) for each in {rows}]"
    code = Chain(builder.session).call("createDataFrame", rows, f"[{columns}]")
    return Frame(code, over_columns(first, names), names, names)


def _of_kind(record: Expression, kind: Type) -> Expression:
    """Return a record of the same shape whose values have the types of all records."""
    if isinstance(record, Struct) and isinstance(kind, Tuple):
        fields = tuple(_of_kind(*pair) for pair in zip(record.fields, kind.fields, strict=True))
        return Struct(kind, fields)
    return replace(record, type=kind)
