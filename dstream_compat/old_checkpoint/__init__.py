"""Checkpoints of Spark's own DStreams: what is in them, read without their Spark and its classes."""
