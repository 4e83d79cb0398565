"""Files, and data of the driver."""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native.expressions import Column, Expression, Literal, Struct, constant
from dstream_compat.native.types import String, Tuple, Type, join

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..dataframes.frames import Chain, Frame, leaves_of, over_columns
from ..dataframes.naming import default_names
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import source

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
