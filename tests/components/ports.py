"""Ports for components that are given one before they listen on it."""

from __future__ import annotations

import random
import socket
from contextlib import suppress


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on, and that the system gives to nobody who has no wish."""
    ports: list[int] = []
    while len(ports) < count:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            ports.append(port)
    return ports
