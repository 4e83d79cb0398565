"""What sources become: sockets, files, queues, Kafka and static data."""

from . import kafka, plain

__all__ = ["kafka", "plain"]
