"""Finds DStream code in Python projects and moves it to `dstream_compat`."""

__version__ = "0.2.0"
