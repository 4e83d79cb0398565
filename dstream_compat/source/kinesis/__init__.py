"""Kinesis."""
