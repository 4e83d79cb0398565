"""What sources become: sockets, files, queues, Kafka and static data."""

from . import files, kafka, queues, socket

__all__ = ["files", "kafka", "queues", "socket"]
