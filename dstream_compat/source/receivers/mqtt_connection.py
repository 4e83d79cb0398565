"""Connections to brokers of MQTT."""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from ...exceptions import of_extra

_LOG = logging.getLogger("dstream_compat")
_PORTS: Final = {"tcp": 1883, "ssl": 8883}
_QOS: Final = 1


class Connection:
    """One connection to a broker, from connecting until it ends.

    Parameters
    ----------
    url : str
        of the broker
    topics : sequence of str
        to subscribe to
    client_id : str, optional
        None asks for a clean session under a random one
    manual : bool
        messages are acknowledged by hand
    login : tuple of (str, str or None), optional
        user name and password
    on_message : callable
        takes a message, and what acknowledges it
    """

    def __init__(
        self,
        url: str,
        topics: Sequence[str],
        client_id: str | None,
        manual: bool,
        login: tuple[str, str | None] | None,
        on_message: Callable[[Any, Callable[[], None]], None],
    ) -> None:
        scheme, self._host, self._port = address_of(url)
        self._topics = topics
        self._ended = threading.Event()
        self._error: Exception | None = None
        self.subscribed = False
        self._on_message = on_message
        library = client_library()
        # Each connection is a client of its own, so that listeners are told of each.
        self._client = client = library.Client(
            library.CallbackAPIVersion.VERSION2,
            client_id=client_id or "",
            clean_session=client_id is None,
            reconnect_on_failure=False,
            manual_ack=manual,
        )
        if login is not None:
            client.username_pw_set(*login)
        if scheme == "ssl":
            client.tls_set_context(ssl.create_default_context())
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_arrival
        client.on_disconnect = self._on_disconnect

    def open(self) -> None:
        """Connect; raises OSError."""
        self._client.connect(self._host, self._port)
        self._client.loop_start()

    def wait(self) -> Exception | None:
        """Wait until the connection has ended; returns the error that ended it."""
        self._ended.wait()
        return self._error

    def hang_up(self) -> None:
        """End the connection."""
        self._client.disconnect()
        self._ended.set()

    def close(self) -> None:
        """Let its thread end."""
        self._client.loop_stop()

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self._client.disconnect()
        self._ended.set()

    def _on_connect(self, client: Any, _data: Any, _flags: Any, reason: Any, _props: Any) -> None:
        if reason.is_failure:
            self._fail(ConnectionError(f"the broker refuses the connection: {reason}"))
        else:
            client.subscribe([(topic, _QOS) for topic in self._topics])

    def _on_subscribe(self, _client: Any, _data: Any, _mid: int, reasons: Any, _props: Any) -> None:
        refused = [
            topic for topic, reason in zip(self._topics, reasons, strict=True) if reason.is_failure
        ]
        if refused:
            names = ", ".join(refused)
            self._fail(ConnectionError(f"the broker refuses the subscription to {names}"))
        else:
            self.subscribed = True

    def _on_arrival(self, client: Any, _data: Any, message: Any) -> None:
        try:
            # Without manual acknowledgements this call has no effect.
            self._on_message(message, lambda: client.ack(message.mid, message.qos))
        except Exception as error:  # in the client's own thread, where it would end silently
            _LOG.exception(
                "a message of topic %s could not be taken; the receiver connects again",
                message.topic,
            )
            self._fail(error)

    def _on_disconnect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _p: Any) -> None:
        if reason.is_failure:
            self._error = self._error or ConnectionError(f"the connection ended: {reason}")
        self._ended.set()


def client_library() -> Any:
    """Return paho's client module; see ``of_extra``."""
    return of_extra("paho.mqtt.client", "MQTTUtils", "paho-mqtt", "mqtt")


def address_of(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a broker's URL.

    Raises
    ------
    ValueError
        if it is not one
    """
    parts = urlsplit(url)
    shown = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()  # no password
    try:
        port = parts.port
    except ValueError as error:
        raise ValueError(f"the broker URL {shown!r} has no usable port: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/"):
        raise ValueError(
            f"{shown!r} is not the URL of an MQTT broker, such as tcp://broker.example:1883 or "
            "ssl://broker.example:8883"
        )
    return parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port
