"""Queues of RDDs and lists."""
