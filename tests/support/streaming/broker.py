"""A real MQTT broker for tests: `python -m tests.support.streaming.broker` says where it is."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho

from tests.support.components.ports import free_ports
from tests.support.programs import give_up
from tests.support.waiting import wait_for

HOW = "install one with `apt-get install mosquitto`"
DEADLINE = 120.0
ANYBODY = "allow_anonymous true"


def find_broker() -> str | None:
    """The path of mosquitto, which Debian installs where not every PATH looks, or None."""
    return shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


class Broker:
    """A mosquitto of its own on the loopback interface, whatever others run on this machine."""

    def __init__(self, folder: Path, settings: Sequence[str] = ()) -> None:
        self._program = find_broker() or give_up(f"no MQTT broker found; {HOW}")
        self._folder = folder
        self.port = free_ports(1)[0]
        self.url = f"tcp://127.0.0.1:{self.port}"
        self._settings = folder / "mosquitto.conf"
        # As root it would become another user, who cannot read the test's files.
        lines = [f"user {getpass.getuser()}", f"listener {self.port} 127.0.0.1"]
        lines += settings if any("anonymous" in s for s in settings) else [ANYBODY, *settings]
        self._settings.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with (self._folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, "-c", str(self._settings), "-v"], stdout=log, stderr=log
            )
        wait_for(self._answers, f"mosquitto listens; see {self._folder}/mosquitto.log")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(DEADLINE)
            self._process = None

    def log(self) -> str:
        return (self._folder / "mosquitto.log").read_text(errors="replace")

    def await_subscriber(self, count: int = 1) -> None:
        """Wait until so many subscriptions were granted since the broker was made."""
        wait_for(lambda: self.log().count("Sending SUBACK") >= count, f"{count} subscriptions")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log()
        with socket.socket() as peer:
            return peer.connect_ex(("127.0.0.1", self.port)) == 0


class Publisher:
    """Publishes and knows when the broker has it."""

    def __init__(self, broker: Broker) -> None:
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self._client.max_inflight_messages_set(1000)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def publish(self, topic: str, payload: Any, qos: int = 1) -> None:
        self._client.publish(topic, payload, qos).wait_for_publish(DEADLINE)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


if __name__ == "__main__":
    path = find_broker()
    if path is None:
        sys.exit(f"no MQTT broker found; {HOW}")
    print(path)
