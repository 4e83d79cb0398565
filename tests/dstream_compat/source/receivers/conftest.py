"""Fixtures of tests of receivers."""

from tests.support.streaming.sockets import server

__all__ = ["server"]
