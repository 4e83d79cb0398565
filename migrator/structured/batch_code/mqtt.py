"""The messages of `MQTTUtils.createStream`: a client in the driver keeps them until a batch comes.

No source of Spark reads MQTT. Receivers of DStreams keep what they are sent in memory, too, unless
the job has a write-ahead log, and lose it with the driver.

Decision 0119: Topics of MQTT are kept in the driver until a batch comes.
"""

from __future__ import annotations

from typing import Final

from ..builder.builder import Builder
from ..builder.helpers import MQTT_MESSAGES, MQTT_RECORDS, helper
from ..program.arguments import bind_arguments
from ..program.graph import MQTT, Node
from ..reading.unsupported import CONNECTORS
from ..refusals import NotExpressible
from .code import Code
from .queues import Queue

PARAMETERS: Final = ("ssc", "brokerUrl", "topic", "storageLevel=")
DIFFERS: Final = (
    "a client of `paho-mqtt` 2 in the driver takes the place of the receiver, and subscribes where "
    "the stream was made: install it there; messages of a batch that fails are not read again"
)
_LOG: Final = "spark.streaming.receiver.writeAheadLog.enable"


def write_topic(builder: Builder, code: Code, node: Node) -> Queue:
    """Return what takes the place of a topic.

    Parameters
    ----------
    builder : Builder
        of the job
    code : Code
        writes expressions of the job
    node : Node
        the stream of the topic

    Raises
    ------
    NotExpressible
        if differences are not accepted, or messages must not be lost
    """
    builder.differs("MQTT", f"`{MQTT}`: {DIFFERS}", node.call)
    if _LOG in builder.job.conf.old_settings():
        text = f"`{MQTT}`: its messages survive the driver by a write-ahead log; {CONNECTORS[MQTT]}"
        raise NotExpressible("SOURCE", text, node.call)
    arguments_by_name = bind_arguments(node.call, PARAMETERS)
    assert arguments_by_name is not None
    arguments = (arguments_by_name["brokerUrl"], arguments_by_name["topic"])
    name = builder.module.free_name("messages", "mqtt_queue")
    texts = ", ".join(map(code.argument, arguments))
    return Queue(
        (f"{name} = {helper(builder, MQTT_MESSAGES)}({texts})",),
        (name,),
        f"{helper(builder, MQTT_RECORDS)}({builder.session}.sparkContext, {name})",
    )
