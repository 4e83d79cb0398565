"""Streaming DataFrames as sources."""
