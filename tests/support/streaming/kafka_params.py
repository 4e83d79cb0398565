"""Parameters of direct Kafka streams."""

from __future__ import annotations

from typing import Any

from tests.support.components.kafka import Broker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403

START = {"auto.offset.reset": "smallest"}


def params(broker: Broker, **more: Any) -> dict[str, Any]:
    return {"metadata.broker.list": broker.address, **START, **more}
