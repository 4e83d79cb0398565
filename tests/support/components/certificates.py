"""Certificates of a made-up authority for servers on loopback."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import trustme
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)


class Certificates(NamedTuple):
    """Files: the authority's certificate, and a server's key with its certificates."""

    authority: Path
    server: Path


def certificates(folder: Path) -> Certificates:
    """Make them in a folder."""
    authority = trustme.CA()
    own = authority.issue_cert("localhost", "127.0.0.1")
    # the JVM reads no other form
    key = load_pem_private_key(own.private_key_pem.bytes(), None).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    chain = b"".join(each.bytes() for each in own.cert_chain_pems)
    found = Certificates(folder / "ca.pem", folder / "server.pem")
    found.authority.write_bytes(authority.cert_pem.bytes())
    found.server.write_bytes(key + chain)
    return found
