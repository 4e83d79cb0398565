"""Spark's names: how `pyspark.streaming` becomes this package, and what cannot be honoured."""
