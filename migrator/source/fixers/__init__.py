"""Fixers for fissix: they replace those of its own whose result differs from the original."""
