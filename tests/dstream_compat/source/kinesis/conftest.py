"""Fixtures of tests of Kinesis."""

from tests.support.streaming.kinesis_streams import stream

__all__ = ["stream"]
