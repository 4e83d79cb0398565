"""Which ports and Unix sockets processes listen at, by Linux's ``/proc``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

_LISTEN = "0A"
_ACCEPTS = 0x10000


class Listener(NamedTuple):
    """What listens, and where.

    Parameters
    ----------
    process : str
        ``java`` or ``python``
    place : str
        ``loopback``, ``network`` or the path of a Unix socket
    port : int
        0 for a Unix socket
    """

    process: str
    place: str
    port: int


def listeners_of(processes: Iterable[int]) -> set[Listener]:
    """Return at what these processes listen now.

    Parameters
    ----------
    processes : iterable of int
        their numbers; those that have ended are left out
    """
    places = _places()
    found = set()
    for process in processes:
        with suppress(OSError):
            name = Path(f"/proc/{process}/comm").read_text().strip()
            for file in Path(f"/proc/{process}/fd").iterdir():
                with suppress(OSError):
                    socket = re.fullmatch(r"socket:\[(\d+)\]", str(file.readlink()))
                    if socket and socket[1] in places:
                        kind = "java" if name == "java" else "python"
                        found.add(Listener(kind, *places[socket[1]]))
    return found


def _places() -> dict[str, tuple[str, int]]:
    """Return all sockets that listen, by their inodes."""
    found = {}
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTEN:
                address, _, port = fields[1].partition(":")
                words = [
                    bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8)
                ]
                ip = ip_address(b"".join(words))
                mapped = getattr(ip, "ipv4_mapped", None) or ip
                place = "loopback" if mapped.is_loopback else "network"
                found[fields[9]] = place, int(port, 16)
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[3], 16) & _ACCEPTS:
            found[fields[6]] = (fields[7] if len(fields) > 7 else "", 0)
    return found
