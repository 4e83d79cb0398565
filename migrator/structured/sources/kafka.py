"""`KafkaUtils`: Spark's Kafka source."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Call, Column, struct, text
from dstream_compat.native.types import Binary, Nullable, String

from ..build import Builder
from ..frames import Frame
from ..graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import source
from .socket import reader

BROKERS = ("bootstrap.servers", "metadata.broker.list")
RESET = {"smallest": "earliest", "earliest": "earliest", "largest": "latest", "latest": "latest"}
DROPPED = frozenset(
    ("group.id", "auto.offset.reset", "enable.auto.commit", "auto.commit.enable", *BROKERS)
)


@source(
    "createDirectStream",
    Stage.ROWS,
    "ssc",
    "topics",
    "kafkaParams",
    "fromOffsets=",
    reason="the same records; Spark's checkpoint has the offsets",
)
def create_direct_stream(builder: Builder, node: Node) -> Frame:
    given = builder.arguments(node)
    if "fromOffsets" in given:
        raise NotExpressible("OFFSETS", "`fromOffsets` is not a literal", given["fromOffsets"])
    parameters = _parameters(given["kafkaParams"])
    servers = next((parameters[each] for each in BROKERS if each in parameters), None)
    if servers is None:
        raise NotExpressible("BROKERS", "kafkaParams names no brokers", node.call)
    options: dict[str, ast.expr | str] = {"kafka.bootstrap.servers": servers}
    options["subscribe"] = _topics(builder, given["topics"])
    reset = parameters.get("auto.offset.reset")
    if reset is not None:
        if not (isinstance(reset, ast.Constant) and reset.value in RESET):
            raise NotExpressible("OFFSETS", "`auto.offset.reset` is not a literal", reset)
        if RESET[reset.value] == "earliest":
            options["startingOffsets"] = '"earliest"'
    for name, value in parameters.items():
        if name not in DROPPED:
            options[f"kafka.{name}"] = value
    code = reader(builder, "kafka", options).call("load")
    key_text, value_text = (
        Call(Nullable(String()), "decode", (Column(Nullable(Binary()), name), text("UTF-8")))
        for name in ("key", "value")
    )
    return Frame(code, struct((key_text, value_text)), ("key", "value"))


def _parameters(node: ast.expr) -> dict[str, ast.expr]:
    if not isinstance(node, ast.Dict):
        raise NotExpressible("KAFKA_PARAMS", "kafkaParams is not a dict that is written here", node)
    found: dict[str, ast.expr] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            raise NotExpressible("KAFKA_PARAMS", "a key of kafkaParams is not a literal", node)
        found[key.value] = value
    return found


def _topics(builder: Builder, node: ast.expr) -> str:
    match node:
        case ast.List(elts=[one]):
            return builder.source(one)
        case ast.Call(
            func=ast.Attribute(value=ast.expr() as whole, attr="split"),
            args=[ast.Constant(value=",")],
        ):
            return builder.source(whole)
    return f'",".join({builder.source(node)})'
