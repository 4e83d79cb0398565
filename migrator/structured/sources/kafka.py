"""`KafkaUtils`: Spark's Kafka source."""

from __future__ import annotations

import ast
import json

from dstream_compat.native.expressions import Call, Column, Expression, struct
from dstream_compat.native.expressions import text as literal
from dstream_compat.native.types import Binary, Nullable, String, walk
from migrator.spark.connectors import BROKERS

from ..builder.builder import Builder
from ..builder.helpers import START, helper, stream_key
from ..dataframes.chains import Aliased
from ..dataframes.frames import Frame, over_columns
from ..program.arguments import is_none
from ..program.graph import Node, Stage
from ..reading.offset_ranges import COLUMNS, SOURCE, reads_records
from ..refusals import NotExpressible
from ..registry import source
from .kafka_settings import (
    Settings,
    as_option,
    offsets,
    options_of,
    starting_offsets,
    unused_settings,
)
from .socket import reader

RATES = ("spark.streaming.kafka.maxRatePerPartition", "spark.streaming.receiver.maxRate")
FIELDS = ("key", "value")
_UTF8 = ("pyspark.streaming.kafka.utf8_decoder", "dstream_compat.kafka.utf8_decoder")


@source(
    "createDirectStream",
    Stage.ROWS,
    "ssc",
    "topics",
    "kafkaParams",
    "fromOffsets=",
    "keyDecoder=",
    "valueDecoder=",
    reason="the same records; Spark's checkpoint has the offsets, and keys and values that are "
    "not used are not decoded",
)
def create_direct_stream(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    parameters = _parameters(builder, node, arguments["kafkaParams"])
    named = next((key for key in BROKERS if key in parameters), None)
    if named is None:
        raise NotExpressible("BROKERS", "kafkaParams names no brokers", node.call)
    servers = as_option(builder.module, named, parameters[named])
    options: dict[str, ast.expr | str] = {"kafka.bootstrap.servers": servers}
    if "fromOffsets" in arguments and not is_none(arguments["fromOffsets"]):
        options |= _assigned_partitions(builder, node, starting_offsets(parameters))
    else:
        options["subscribe"] = _topics(builder, arguments["topics"])
        if starting_offsets(parameters) == "earliest":
            options["startingOffsets"] = '"earliest"'
    return _records(builder, node, options | options_of(builder.module, parameters))


@source(
    "createStream",
    Stage.ROWS,
    "ssc",
    "zkQuorum",
    "groupId",
    "topics",
    "kafkaParams=",
    "storageLevel=",
    "keyDecoder=",
    "valueDecoder=",
    reason="the same records from the brokers; offsets that the group has stored in ZooKeeper are "
    "not read",
)
def create_stream(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    if builder.brokers is None:
        raise NotExpressible(
            "BROKERS",
            "receivers find the brokers through ZooKeeper, Spark's source needs their addresses: "
            "give them by --kafka-brokers",
            node.call,
        )
    parameters: dict[str, ast.expr] = {}
    if "kafkaParams" in arguments and not is_none(arguments["kafkaParams"]):
        parameters = _parameters(builder, node, arguments["kafkaParams"])
    topics = _topics_of_threads(builder, arguments["topics"])
    options: dict[str, ast.expr | str] = {
        "kafka.bootstrap.servers": _quote(builder.brokers),
        "subscribe": topics,
        "kafka.group.id": arguments["groupId"],
    }
    if starting_offsets(parameters) == "earliest":
        options["startingOffsets"] = '"earliest"'
    return _records(builder, node, options | options_of(builder.module, parameters))


def _topics_of_threads(builder: Builder, topics: ast.expr) -> str:
    """Return the topics of a dict that has the number of threads for each of them."""
    if not isinstance(topics, ast.Dict) or None in topics.keys or not topics.keys:
        return f'",".join({builder.source(topics)})'
    keys = {builder.source(key): key for key in topics.keys if key is not None}
    if len(keys) == 1:
        return next(iter(keys))
    if all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys.values()):
        return _quote(",".join(map(ast.literal_eval, keys)))
    return f'",".join([{", ".join(keys)}])'


def _parameters(builder: Builder, node: Node, expression: ast.expr) -> dict[str, ast.expr]:
    settings = Settings(builder.module, node.block)
    parameters = settings.read(expression)
    builder.dropped += settings.statements
    left = unused_settings(parameters)
    if left:
        names = ", ".join(f"`{name}`" for name in left)
        builder.note(f"{names} of kafkaParams say nothing to Spark, which keeps the offsets itself")
    return parameters


def _records(builder: Builder, node: Node, options: dict[str, ast.expr | str]) -> Frame:
    """Return the records, with the texts of those fields that are used."""
    for each in RATES:
        if each in builder.job.conf.old_settings():
            builder.note(
                f"`{each}` limits partitions by the second; the option `maxOffsetsPerTrigger` "
                "limits all of a batch"
            )
    if node in builder.positions:
        options["startingOffsets"] = builder.positions[node]
    code = reader(builder, "kafka", options).call("load")
    outputs = [output for output in builder.job.outputs if output.node is node]
    whole = any(reads_records(builder.module, output) for output in outputs)
    whole = whole or builder.batch_code
    used = FIELDS[1:] if _only_values(node) and not whole else FIELDS
    if len(used) == 1:
        builder.note("a key that is not UTF-8 fails no batch, as keys are not used")
    fields = {name: _decode_field(builder, node, name) for name in used}
    columns = {name: Column(field.type, name) for name, field in fields.items()}
    columns.setdefault("key", Column(Nullable(String()), "key"))
    element = struct((columns["key"], columns["value"]))
    reads = any(output.offsets is node for output in builder.job.outputs)
    reads = reads or (builder.job.reads_offsets and node.operator == SOURCE)
    extra = COLUMNS if reads else ()
    code = code.call(
        "select",
        *(Aliased(field, name) for name, field in fields.items()),
        *(f'"{each}"' for each in extra),
    )
    return Frame(code, over_columns(element, FIELDS), FIELDS, (*used, *extra))


def _decode_field(builder: Builder, node: Node, name: str) -> Expression:
    """Return what the decoder makes of the bytes of a field."""
    decoder = builder.arguments(node).get(f"{name}Decoder")
    raw = Column(Nullable(Binary()), name)
    if decoder is None or (
        isinstance(decoder, ast.Name) and (builder.module.path_of(decoder) in _UTF8)
    ):
        return Call(Nullable(String()), "decode", (raw, literal("UTF-8")))
    try:
        translation = builder.checked_translation(builder.translator(node).map(decoder, raw), node)
        if len(getattr(translation.type, "fields", ())):
            text = f"the {name}Decoder gives tuples or dictionaries"
            raise NotExpressible("DECODER", text, decoder)
        if builder.batch_code and any(isinstance(each, Binary) for each in walk(translation.type)):
            raise NotExpressible("DECODER", f"the {name}Decoder gives bytes", decoder)
    except NotExpressible:
        if not builder.batch_code:
            raise
        builder.decoders.setdefault(node, {})[name] = decoder
        return raw
    return translation.expression


def _only_values(node: Node) -> bool:
    """Return whether all that is made of the records are values: ``lambda record: record[1]``."""
    return bool(node.children) and all(
        (
            child.operator in ("map", "flatMap")
            and len(child.call.args) == 1
            and isinstance(child.call.args[0], ast.Lambda)
            and _takes_value(child.call.args[0])
        )
        or (child.operator == "transform" and _only_values(child))
        for child in node.children
    )


def _takes_value(function: ast.Lambda) -> bool:
    names = [argument.arg for argument in function.args.args]
    uses = [e for e in ast.walk(function.body) if isinstance(e, ast.Name) and e.id in names]
    values = [
        node.value
        for node in ast.walk(function.body)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == 1
    ]
    return len(names) == 1 and bool(uses) and all(use in values for use in uses)


def _assigned_partitions(builder: Builder, node: Node, start: str) -> dict[str, ast.expr | str]:
    """Return partitions and their first offsets."""
    arguments, reads = builder.arguments(node), builder.job.reads_offsets
    given, topics = arguments["fromOffsets"], arguments["topics"]
    offsets_found = offsets(given)
    written = ast.literal_eval(topics) if _is_literal(topics) else None
    if offsets_found is not None and written is not None and {*written} != {*offsets_found}:
        raise NotExpressible("OFFSETS", "the topics are not those of `fromOffsets`", topics)
    if offsets_found is None or written is None or reads:
        if any(_is_partition(builder, each) for each in ast.walk(builder.module.tree)):
            text = "a TopicAndPartition is used as more than the key of an offset"
            raise NotExpressible("OFFSETS", text, given)
        values = [builder.source(topics), builder.source(given), json.dumps(start)]
        values += [stream_key(builder, node)] if reads else []
        return {"**": f"{helper(builder, START)}({', '.join(values)})"}
    partitions = {topic: [int(each) for each in by] for topic, by in offsets_found.items()}
    return {
        "assign": f"'{_json(partitions, given)}'",
        "startingOffsets": f"'{_json(offsets_found, given)}'",
    }


def _is_partition(builder: Builder, node: ast.AST) -> bool:
    """Return whether a node names the class `TopicAndPartition`."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    return builder.module.is_old(node, "TopicAndPartition")


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple) and all(
        isinstance(element, ast.Constant) for element in node.elts
    )


def _json(value: object, node: ast.expr) -> str:
    text = json.dumps(value)
    if "'" in text or "\\" in text:
        raise NotExpressible("TOPICS", "a topic has a quote or a backslash", node)
    return text


def _topics(builder: Builder, node: ast.expr) -> str:
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if elements and all(
            isinstance(element, ast.Constant) and isinstance(element.value, str)
            for element in elements
        ):
            return _quote(",".join(ast.literal_eval(element) for element in elements))
        case ast.List(elts=[one]) if not isinstance(one, ast.Starred):
            return builder.source(one)
        case ast.Call(
            func=ast.Attribute(value=ast.expr() as whole, attr="split"),
            args=[ast.Constant(value=",")],
        ):
            return builder.source(whole)
    return f'",".join({builder.source(node)})'


def _quote(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
