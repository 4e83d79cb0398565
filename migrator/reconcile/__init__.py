"""Compares what two running jobs have written; Spark does the work."""
