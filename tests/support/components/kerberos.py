"""A key distribution center of Kerberos, Apache's Kerby, on a loopback port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from tests.support.components import jars
from tests.support.components.certificates import key_store
from tests.support.components.java_server import JavaServer
from tests.support.components.ports import free_ports
from tests.support.programs import give_up

REALM: Final = "EXAMPLE.COM"
USER: Final = "alice"
TOKEN_SECONDS: Final = 60
"""How long a token of HDFS is good, renewed or not."""
_SERVERS: Final = ("server", "HTTP")
_SITES: Final = {"core": ("hadoop.", "ipc."), "hdfs": "dfs.", "yarn": "yarn."}
"""What the settings begin with that a file has: those of another one do not count everywhere."""
_PASSWORD: Final = "secret"


class KeyCenter:
    """A center that runs, and the files of the user and the servers that it knows.

    Parameters
    ----------
    class_path : list of Path
        the jars of Kerby
    folder : Path
        for all files; servers have it in their class path
    """

    def __init__(self, class_path: list[Path], folder: Path) -> None:
        self.folder = folder
        # of a secure HDFS and YARN, for servers and clients
        settings = self._hadoop()
        for site, beginnings in _SITES.items():
            part = {name: settings[name] for name in settings if name.startswith(beginnings)}
            (folder / f"{site}-site.xml").write_text(_site(part))
        (folder / "ssl-server.xml").write_text(_site(_https(folder)))
        principals = (USER, *(f"{name}/localhost" for name in _SERVERS))
        (port,) = free_ports(1)
        program = ("KeyCenter", str(folder), str(port), REALM, *principals)
        self._server = JavaServer(program, class_path, folder, megabytes=64)

    @property
    def jvm_options(self) -> str:
        """What tells a JVM of the center."""
        return f"-Djava.security.krb5.conf={self.folder / 'krb5.conf'}"

    def keytab(self, name: str) -> str:
        """Return the file with the keys of a user or server."""
        return str(self.folder / f"{name}.keytab")

    def tickets(self, name: str) -> str:
        """Return the file that ``kinit`` would have made: a ticket, and no keys."""
        return str(self.folder / f"{name}.tickets")

    def _hadoop(self) -> dict[str, str]:
        server, web = (f"{name}/localhost@{REALM}" for name in _SERVERS)
        keytab = self.keytab(_SERVERS[0])
        settings = {
            "hadoop.security.authentication": "kerberos",
            # each call shows its token or ticket: none goes on with those of the first one
            "ipc.client.connection.maxidletime": "100",
            "dfs.http.policy": "HTTPS_ONLY",
            "dfs.namenode.https-address": "localhost:0",
            "dfs.datanode.https.address": "localhost:0",
            "dfs.data.transfer.protection": "privacy",
            "dfs.namenode.delegation.token.renew-interval": f"{TOKEN_SECONDS}000",
            "dfs.namenode.delegation.token.max-lifetime": f"{TOKEN_SECONDS}000",
            "dfs.block.access.token.enable": "true",
            "dfs.web.authentication.kerberos.principal": web,
            "dfs.web.authentication.kerberos.keytab": self.keytab(_SERVERS[1]),
        }
        for name in ("namenode", "datanode"):
            settings[f"dfs.{name}.kerberos.principal"] = server
            settings[f"dfs.{name}.keytab.file"] = keytab
        for name in ("resourcemanager", "nodemanager"):
            settings[f"yarn.{name}.principal"] = server
            settings[f"yarn.{name}.keytab"] = keytab
        return settings

    def stop(self) -> None:
        """End it; its files stay."""
        self._server.stop()


def _https(folder: Path) -> dict[str, str]:
    return {
        "ssl.server.keystore.location": str(key_store(folder / "server.p12", _PASSWORD)),
        "ssl.server.keystore.type": "PKCS12",
        "ssl.server.keystore.password": _PASSWORD,
        "ssl.server.keystore.keypassword": _PASSWORD,
    }


def _site(settings: Mapping[str, str]) -> str:
    properties = "".join(
        f"<property><name>{name}</name><value>{escape(value)}</value></property>\n"
        for name, value in settings.items()
    )
    return f"<configuration>\n{properties}</configuration>\n"


@contextmanager
def started_key_center(cache: Path, folder: Path) -> Iterator[KeyCenter]:
    """Run a center for a while; the test is given up where its jars cannot be had.

    Parameters
    ----------
    cache : Path
        where the jars are kept
    folder : Path
        for all other files
    """
    try:
        class_path = jars.key_center(cache)
    except RuntimeError as error:
        give_up(f"no jars of Kerby without a way to Maven Central: {error}")
    center = KeyCenter(class_path, folder)
    try:
        yield center
    finally:
        center.stop()
