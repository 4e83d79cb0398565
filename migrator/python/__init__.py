"""What Python's standard library has lost since 2.7, and what takes its place."""
