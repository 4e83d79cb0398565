"""Collects the events of Python sources, and what any text says of settings and packages."""
