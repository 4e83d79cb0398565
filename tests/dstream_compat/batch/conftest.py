"""Fixtures of tests of batches."""

from tests.support.streaming.lives import ssc

__all__ = ["ssc"]
