"""What streaming queries read instead of their sources."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import paho.mqtt.client as paho
import pytest

from dstream_compat.testing.errors import RecordingError
from dstream_compat.testing.query_inputs import TICKS, QueryInput
from dstream_compat.testing.query_sources import Replaced
from dstream_compat.testing.recordings import Recording


def test_each_interval_has_one_tick(tmp_path: Path) -> None:
    ticks = QueryInput(tmp_path / "ticks", {}, TICKS)
    for number in (1, 2):
        ticks.add(number, number * 500, {"socket:9": ["a", "b"]})
    lines = [
        line
        for file in sorted((tmp_path / "ticks").iterdir())
        for line in file.read_text().splitlines()
    ]
    assert [json.loads(line) for line in lines] == [
        {"timestamp": "1970-01-01T00:00:00.500000+00:00", "value": 1},
        {"timestamp": "1970-01-01T00:00:01+00:00", "value": 2},
    ]


def test_a_recorded_queue_is_refused(tmp_path: Path) -> None:
    replaced = Replaced()
    recording = Recording(1.0, {"socket:9": {}, "queue:0": {}})
    replaced.begin({"folder": str(tmp_path)}, 1000, recording=recording)
    ticks, records = object(), object()
    replaced.ticks.append(ticks)
    with pytest.raises(RecordingError, match="have queue:0, and a query takes the queue"):
        replaced.of_ticks(ticks)
    assert replaced.of_ticks(records) is records


def test_clients_of_mqtt_get_what_is_recorded(tmp_path: Path) -> None:
    library = SimpleNamespace(**vars(paho))
    replaced = Replaced()
    replaced.begin({"folder": str(tmp_path)}, 1000, recording=Recording(1.0, {"mqtt:a": {}}))
    replaced.clients(library)
    client = library.Client(paho.CallbackAPIVersion.VERSION2)
    came: list[tuple[str, bytes]] = []
    client.on_connect = lambda client, *_: client.subscribe("a", 1)
    client.on_message = lambda client, data, message: came.append((message.topic, message.payload))
    client.connect_async("nowhere.example", 1883)
    assert not replaced.inputs
    client.loop_start()
    (source,) = replaced.inputs
    source.add(1, 1000, {"mqtt:a": ["é", "b"], "mqtt:b": ["no"], "socket:9": ["c"]})
    source.add(2, 2000, {})
    assert came == [("a", "é".encode()), ("a", b"b")]
    with pytest.raises(RecordingError, match="mqtt:b"):
        client.subscribe("b")
