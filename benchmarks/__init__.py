"""Benchmarks: the same jobs on DStreams, on this package and by hand in Structured Streaming."""
