"""Certificates of a made-up authority for servers on loopback."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import trustme
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from cryptography.x509 import load_pem_x509_certificate


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


def key_store(file: Path, password: str) -> Path:
    """Write a key of ``localhost`` with its certificate, in the form that Java calls PKCS12."""
    own = trustme.CA().issue_cert("localhost")
    key = load_pem_private_key(own.private_key_pem.bytes(), None)
    assert isinstance(key, EllipticCurvePrivateKey)
    certificate = load_pem_x509_certificate(own.cert_chain_pems[0].bytes())
    hidden = BestAvailableEncryption(password.encode())
    file.write_bytes(serialize_key_and_certificates(b"server", key, certificate, None, hidden))
    return file
