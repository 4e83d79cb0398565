"""Finds uses of names that Python and PySpark have lost, and what replaces them."""
