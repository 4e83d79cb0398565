"""`KafkaUtils`: Spark's Kafka source."""

from __future__ import annotations

import ast
import json

from dstream_compat.native.expressions import Call, Column, Expression, struct
from dstream_compat.native.expressions import text as literal
from dstream_compat.native.types import Binary, Nullable, String, walk
from migrator.spark.connectors import BROKERS

from ..builder.builder import Builder
from ..builder.helpers import START, helper
from ..dataframes.chains import Aliased
from ..dataframes.frames import Frame, over_columns
from ..program.arguments import is_none
from ..program.graph import Node, Stage
from ..reading.offset_ranges import COLUMNS, SOURCE, reads_records
from ..refusals import NotExpressible
from ..registry import source
from .kafka_settings import Settings, as_option, offsets, options_of, starting, unused
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
    given = builder.arguments(node)
    parameters = _parameters(builder, node, given["kafkaParams"])
    named = next((each for each in BROKERS if each in parameters), None)
    if named is None:
        raise NotExpressible("BROKERS", "kafkaParams names no brokers", node.call)
    servers = as_option(builder.module, named, parameters[named])
    options: dict[str, ast.expr | str] = {"kafka.bootstrap.servers": servers}
    if "fromOffsets" in given and not is_none(given["fromOffsets"]):
        options |= _assigned(builder, given["fromOffsets"], given["topics"], starting(parameters))
    else:
        options["subscribe"] = _topics(builder, given["topics"])
        if starting(parameters) == "earliest":
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
    given = builder.arguments(node)
    if builder.brokers is None:
        raise NotExpressible(
            "BROKERS",
            "receivers find the brokers through ZooKeeper, Spark's source needs their addresses: "
            "give them by --kafka-brokers",
            node.call,
        )
    parameters: dict[str, ast.expr] = {}
    if "kafkaParams" in given and not is_none(given["kafkaParams"]):
        parameters = _parameters(builder, node, given["kafkaParams"])
    topics = _topics_of_threads(builder, given["topics"])
    options: dict[str, ast.expr | str] = {
        "kafka.bootstrap.servers": _quoted(builder.brokers),
        "subscribe": topics,
        "kafka.group.id": given["groupId"],
    }
    if starting(parameters) == "earliest":
        options["startingOffsets"] = '"earliest"'
    return _records(builder, node, options | options_of(builder.module, parameters))


def _topics_of_threads(builder: Builder, topics: ast.expr) -> str:
    """Return the topics of a dict that has the number of threads for each of them."""
    if not isinstance(topics, ast.Dict) or None in topics.keys or not topics.keys:
        return f'",".join({builder.source(topics)})'
    keys = {builder.source(each): each for each in topics.keys if each is not None}
    if len(keys) == 1:
        return next(iter(keys))
    if all(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for each in keys.values()
    ):
        return _quoted(",".join(map(ast.literal_eval, keys)))
    return f'",".join([{", ".join(keys)}])'


def _parameters(builder: Builder, node: Node, given: ast.expr) -> dict[str, ast.expr]:
    settings = Settings(builder.module, node.block)
    found = settings.read(given)
    builder.dropped += settings.statements
    left = unused(found)
    if left:
        names = ", ".join(f"`{each}`" for each in left)
        builder.note(f"{names} of kafkaParams say nothing to Spark, which keeps the offsets itself")
    return found


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
    outputs = [each for each in builder.job.outputs if each.node is node]
    whole = any(reads_records(builder.module, each) for each in outputs)
    whole = whole or builder.batch_code
    used = FIELDS[1:] if _only_values(node) and not whole else FIELDS
    if len(used) == 1:
        builder.note("a key that is not UTF-8 fails no batch, as keys are not used")
    fields = {name: _decoded(builder, node, name) for name in used}
    columns = {name: Column(each.type, name) for name, each in fields.items()}
    columns.setdefault("key", Column(Nullable(String()), "key"))
    element = struct((columns["key"], columns["value"]))
    reads = any(each.offsets is node for each in builder.job.outputs)
    reads = reads or (builder.job.reads_offsets and node.operator == SOURCE)
    extra = COLUMNS if reads else ()
    code = code.call(
        "select",
        *(Aliased(each, name) for name, each in fields.items()),
        *(f'"{each}"' for each in extra),
    )
    return Frame(code, over_columns(element, FIELDS), FIELDS, (*used, *extra))


def _decoded(builder: Builder, node: Node, name: str) -> Expression:
    """Return what the decoder makes of the bytes of a field."""
    given = builder.arguments(node).get(f"{name}Decoder")
    raw = Column(Nullable(Binary()), name)
    if given is None or (isinstance(given, ast.Name) and (builder.module.path_of(given) in _UTF8)):
        return Call(Nullable(String()), "decode", (raw, literal("UTF-8")))
    try:
        made = builder.translated(builder.translator(node).map(given, raw), node)
        if len(getattr(made.type, "fields", ())):
            text = f"the {name}Decoder gives tuples or dictionaries"
            raise NotExpressible("DECODER", text, given)
        if builder.batch_code and any(isinstance(each, Binary) for each in walk(made.type)):
            raise NotExpressible("DECODER", f"the {name}Decoder gives bytes", given)
    except NotExpressible:
        if not builder.batch_code:
            raise
        builder.decoders.setdefault(node, {})[name] = given
        return raw
    return made.expression


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
    names = [each.arg for each in function.args.args]
    uses = [e for e in ast.walk(function.body) if isinstance(e, ast.Name) and e.id in names]
    values = [
        each.value
        for each in ast.walk(function.body)
        if isinstance(each, ast.Subscript)
        and isinstance(each.slice, ast.Constant)
        and each.slice.value == 1
    ]
    return len(names) == 1 and bool(uses) and all(each in values for each in uses)


def _assigned(
    builder: Builder, node: ast.expr, topics: ast.expr, start: str
) -> dict[str, ast.expr | str]:
    """Return partitions and their first offsets."""
    found = offsets(node)
    written = ast.literal_eval(topics) if _is_literal(topics) else None
    if found is not None and written is not None and {*written} != {*found}:
        raise NotExpressible("OFFSETS", "the topics are not those of `fromOffsets`", topics)
    if found is None or written is None:
        if any(_is_partition(builder, each) for each in ast.walk(builder.module.tree)):
            text = "a TopicAndPartition is used as more than the key of an offset"
            raise NotExpressible("OFFSETS", text, node)
        name = helper(builder, START)
        given = ", ".join((builder.source(topics), builder.source(node), json.dumps(start)))
        return {"**": f"{name}({given})"}
    partitions = {topic: [int(each) for each in by] for topic, by in found.items()}
    return {
        "assign": f"'{_json(partitions, node)}'",
        "startingOffsets": f"'{_json(found, node)}'",
    }


def _is_partition(builder: Builder, node: ast.AST) -> bool:
    """Return whether a node names the class `TopicAndPartition`."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    return builder.module.is_old(node, "TopicAndPartition")


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple) and all(
        isinstance(each, ast.Constant) for each in node.elts
    )


def _json(value: object, node: ast.expr) -> str:
    found = json.dumps(value)
    if "'" in found or "\\" in found:
        raise NotExpressible("TOPICS", "a topic has a quote or a backslash", node)
    return found


def _topics(builder: Builder, node: ast.expr) -> str:
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if elements and all(
            isinstance(each, ast.Constant) and isinstance(each.value, str) for each in elements
        ):
            return _quoted(",".join(ast.literal_eval(each) for each in elements))
        case ast.List(elts=[one]) if not isinstance(one, ast.Starred):
            return builder.source(one)
        case ast.Call(
            func=ast.Attribute(value=ast.expr() as whole, attr="split"),
            args=[ast.Constant(value=",")],
        ):
            return builder.source(whole)
    return f'",".join({builder.source(node)})'


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
