"""What sources become: sockets, files, queues, Kafka and static data."""

from . import files, kafka, socket, ticks

__all__ = ["files", "kafka", "socket", "ticks"]
