"""Ports for components that are given one before they listen on it, and for none."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

_FIRST, _EACH, _SHARES = 20_000, 1_500, 8


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on, and that the system gives to nobody who has no wish.

    Processes of one test run draw from ports of their own: what is given one may take seconds
    before it listens.
    """
    share = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _SHARES
    first = _FIRST + share * _EACH
    ports: list[int] = []
    with ExitStack() as held:
        while len(ports) < count:
            port = random.SystemRandom().randrange(first, first + _EACH)
            with suppress(OSError):
                held.enter_context(socket.create_server(("127.0.0.1", port)))
                ports.append(port)
    return ports


@contextmanager
def closed_port(port: int = 0) -> Iterator[int]:
    """Keep a port, or any one, on which nobody listens, and nobody can begin to."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", port))
        yield int(held.getsockname()[1])
