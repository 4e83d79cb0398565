"""An S3 of the tests' own: the server of moto, with failures on demand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKET = "jobs"
_BUSY = (
    b'<?xml version="1.0" encoding="UTF-8"?>'
    b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
)


class S3:
    """A server with one bucket.

    ``fails`` is asked for each request (method, path with its query): true answers it with 503.
    ``seconds`` is how long each answer takes.
    """

    def __init__(self) -> None:
        self.fails: Callable[[str, str], bool] = lambda method, path: False
        self.seconds = 0.0
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self, threaded=True, request_handler=_Quiet)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=self.url,
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="us-east-1",
        )

    def __call__(self, environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        text = f"{path}?{environ.get('QUERY_STRING', '')}"
        time.sleep(self.seconds)
        if self.fails(method, text):
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            respond("503 Slow Down", [("Content-Type", "application/xml")])
            return [_BUSY]
        answer: Iterable[bytes] = self._moto(environ, respond)
        return answer

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.client.create_bucket(Bucket=BUCKET)

    def stop(self) -> None:
        self._server.shutdown()
        s3_backends.reset()  # they are this process's

    def put(self, key: str, content: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=key, Body=content)

    def settings(self) -> dict[str, str]:
        """Return what Hadoop has to know of it."""
        return {
            "fs.s3a.endpoint": self.url,
            "fs.s3a.endpoint.region": "us-east-1",
            "fs.s3a.access.key": "key",
            "fs.s3a.secret.key": "secret",
            "fs.s3a.path.style.access": "true",
        }


class _Quiet(WSGIRequestHandler):
    def log_request(self, *args: object) -> None:
        """Print nothing for each request."""


@contextmanager
def s3_server() -> Iterator[S3]:
    """Run a server on a free port."""
    server = S3()
    server.start()
    try:
        yield server
    finally:
        server.stop()
