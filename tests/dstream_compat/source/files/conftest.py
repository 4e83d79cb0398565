"""Fixtures of tests of files."""

from tests.support.streaming.file_runs import elsewhere

__all__ = ["elsewhere"]
