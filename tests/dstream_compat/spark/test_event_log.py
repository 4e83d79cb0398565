"""What Spark's event log has of a job: neither records nor values of secrets, nor variables."""

from __future__ import annotations

import base64
import json
import re
import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.streaming.processes import run_job

MARKS = re.compile(rb"CAPTURED-\d+|SETTING-\d|RECORD-\d+")


@pytest.fixture
def records() -> Iterator[int]:
    """Serve marked records until the job ends; yields the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        peer, _ = listener.accept()
        with peer, suppress(OSError):  # the job has what it needs
            number = 0
            while not over.wait(0.05):
                number += 1
                peer.sendall(f"RECORD-{number}\n".encode())

    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1]
    over.set()
    listener.close()


def texts(value: Any) -> Iterator[bytes]:
    """Yield all texts of an event, and what those are that are encoded."""
    match value:
        case dict():
            for one in value.values():
                yield from texts(one)
        case list():
            for one in value:
                yield from texts(one)
        case str():
            yield value.encode()
            with suppress(ValueError):
                yield from texts(json.loads(value))
            with suppress(ValueError):
                data = base64.b64decode(value, validate=True)
                yield data
                with suppress(zlib.error):
                    yield zlib.decompress(data)


PROTECTED = (
    "spark.authenticate=true",
    "spark.authenticate.secret=SETTING-3",
    "spark.network.crypto.enabled=true",
    "spark.io.encryption.enabled=true",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("master", "settings"),
    [
        ("local[2]", ()),
        pytest.param("local-cluster[1,2,1024]", PROTECTED, marks=pytest.mark.full),
    ],
    ids=["local", "cluster"],
)
def test_it_has_neither_records_nor_variables_nor_secrets(
    records: int, tmp_path: Path, master: str, settings: tuple[str, ...]
) -> None:
    """On a cluster, of a job that Spark protects by all that this package has a part in."""
    log = tmp_path / "log"
    log.mkdir()
    done = run_job("logged", master, str(log), str(records), *settings)
    assert done.code == 0, done.out + done.err[-3000:]
    assert re.search(r"seen RECORD-\d+ CAPTURED-[1-9]", done.out)
    (path,) = log.iterdir()
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert MARKS.findall(b"\n".join(texts(events))) == []
    hidden = [
        name
        for event in events
        for name, value in (event.get("Properties") or {}).items()
        if "redacted" in value
    ]
    # the changed functions were sent that way
    assert "dstream_compat.secret.stage.source-1" in hidden
