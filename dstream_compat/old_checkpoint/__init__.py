"""Checkpoints of Spark's own DStreams, read without their Spark and its classes."""
