"""What streams and static data are read from."""

from . import files, kafka, socket

__all__ = ["files", "kafka", "socket"]
