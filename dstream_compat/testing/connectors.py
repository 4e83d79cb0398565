"""Gives the streams of Kafka, Kinesis and MQTT recorded batches, on either engine.

Spark 4 has no modules for Kafka and MQTT in DStreams: there the stand-ins take their names, so
that jobs which read them run on Spark's engine, too.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable
from typing import Any

from ..names.bahir import BahirFinder
from ..source.kafka.records import message_handler
from ..source.kafka.texts import check_params
from .calls import Made, remember_call
from .engines import CompatEngine, Engine
from .errors import RecordingError
from .kafka_batches import KafkaPart, parts_of, ranges_of
from .stream_sources import Sources

Decoder = Callable[[bytes | None], Any]


def utf8_decoder(data: bytes | None) -> str | None:
    """Return the text of UTF-8."""
    return None if data is None else data.decode("utf-8")


def as_bytes(value: Any) -> bytes | None:
    """Return the bytes of a recorded value: those of a text are UTF-8."""
    return value.encode("utf-8") if isinstance(value, str) else value


def pair(value: Any) -> tuple[bytes | None, bytes | None]:
    """Return the key and the value of a recorded message, which may have no key."""
    key, message = value if isinstance(value, list | tuple) else (None, value)
    return as_bytes(key), as_bytes(message)


def _decode_pair(keys: Decoder, values: Decoder, message: Any) -> tuple[Any, Any]:
    key, value = pair(message)
    return keys(key), values(value)


def _data(decoder: Decoder, message: Any) -> Any:
    return decoder(as_bytes(message))


def _fields(part: KafkaPart, batches: list[list[list[Any]]], at: int) -> None:
    """Let the records of a partition have what a message handler is given."""
    offset = itertools.count(part.start)
    for batch in batches:
        batch[at] = [
            (part.topic, part.partition, next(offset), *pair(message)) for message in batch[at]
        ]


class Connectors:
    """What stands for the functions that make streams of connectors."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def kafka_direct(
        self,
        ssc: Any,
        topics: Any,
        kafkaParams: Any,
        fromOffsets: Any = None,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
        messageHandler: Any = None,
    ) -> Any:
        """Stand for ``KafkaUtils.createDirectStream``."""
        if not isinstance(topics, list):
            raise TypeError("topics should be list")
        check_params(kafkaParams or {}, "KafkaUtils.createDirectStream")
        parts = parts_of(topics, fromOffsets)
        names = [[f"kafka:{part.topic}"] if part.has_records else [] for part in parts]
        recorded = [self._sources.batches(own, ssc._recorded_interval) for own in names]
        # a partition for each of Kafka's, also where it has nothing: jobs use its number
        batches = [
            [[*itertools.chain(*own)] for own in batch] for batch in zip(*recorded, strict=True)
        ]
        decode: Callable[[Any], Any] = functools.partial(_decode_pair, keyDecoder, valueDecoder)
        if messageHandler is not None:
            decode = message_handler(messageHandler, keyDecoder, valueDecoder)
            for at, part in enumerate(parts):
                _fields(part, batches, at)
        stream = self._sources.of_batches(ssc, batches).map(decode)
        stream._offset_ranges = functools.partial(ranges_of, parts, batches)
        return stream

    def kafka_receiver(
        self,
        ssc: Any,
        zkQuorum: str,
        groupId: str,
        topics: Any,
        kafkaParams: Any = None,
        storageLevel: Any = None,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
    ) -> Any:
        """Stand for ``KafkaUtils.createStream``."""
        if not isinstance(topics, dict):
            raise TypeError("topics should be dict")
        check_params(kafkaParams or {}, "KafkaUtils.createStream")
        names = [f"kafka:{topic}" for topic in topics]
        stream = self._sources.stream(ssc, *names)
        return stream.map(functools.partial(_decode_pair, keyDecoder, valueDecoder))

    def kinesis(
        self, ssc: Any, kinesisAppName: str, streamName: str, *args: Any, **more: Any
    ) -> Any:
        """Stand for ``KinesisUtils.createStream``."""
        decoder = more.get("decoder") or next(filter(callable, args), utf8_decoder)
        stream = self._sources.stream(ssc, f"kinesis:{streamName}")
        return stream.map(functools.partial(_data, decoder))

    def mqtt(self, ssc: Any, brokerUrl: str, topic: str, *args: Any, **more: Any) -> Any:
        """Stand for ``MQTTUtils.createStream``."""
        stream = self._sources.stream(ssc, f"mqtt:{topic}")
        return stream.map(functools.partial(_data, utf8_decoder))


def _refuse(name: str, *args: Any, **options: Any) -> Any:
    raise RecordingError(f"{name} cannot read recorded batches")


def replace_connectors(engine: Engine, sources: Sources, seen: Callable[[Any, Made], None]) -> None:
    """Let the connectors of an engine read recorded batches; tell of each stream."""
    connectors = Connectors(sources)
    if isinstance(engine, CompatEngine):
        from ..kafka import KafkaUtils
        from ..kinesis import KinesisUtils
        from ..mqtt import MQTTUtils
    else:
        from pyspark.streaming.kinesis import KinesisUtils  # type: ignore[assignment]

        from .. import kafka

        KafkaUtils = type("KafkaUtils", (), {})  # type: ignore[misc, assignment]
        MQTTUtils = type("MQTTUtils", (), {})  # type: ignore[misc, assignment]
        module = vars(sys.modules["pyspark.streaming.kafka"])
        module |= {name: getattr(kafka, name) for name in kafka.__all__}
        module |= {"KafkaUtils": KafkaUtils, "utf8_decoder": utf8_decoder}
        vars(sys.modules["pyspark.streaming.mqtt"])["MQTTUtils"] = MQTTUtils
        sys.meta_path.insert(0, BahirFinder("pyspark.streaming.mqtt"))
    refused: tuple[tuple[Any, str], ...] = (
        (KafkaUtils, "createRDD"),
        (MQTTUtils, "createPairedStream"),
        (MQTTUtils, "createPickleStream"),
    )
    for owner, name in refused:
        setattr(owner, name, staticmethod(functools.partial(_refuse, name)))
    replaced: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (KafkaUtils, "createDirectStream", connectors.kafka_direct),
        (KafkaUtils, "createStream", connectors.kafka_receiver),
        (KinesisUtils, "createStream", connectors.kinesis),
        (MQTTUtils, "createStream", connectors.mqtt),
    )
    for owner, name, function in replaced:
        call = remember_call(name, function, (engine.stream,), seen)
        setattr(owner, name, staticmethod(call))
