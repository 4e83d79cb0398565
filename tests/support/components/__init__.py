"""Servers that tests need: each starts on a free loopback port and is stopped by its fixture."""
