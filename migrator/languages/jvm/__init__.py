"""Scala and Java sources: what of Spark Streaming they use. They are reported, never rewritten."""
