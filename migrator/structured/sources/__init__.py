"""What sources become: sockets, files, Kafka and static data."""

from . import files, kafka, socket

__all__ = ["files", "kafka", "socket"]
