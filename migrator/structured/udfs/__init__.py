"""Functions without an expression of Spark: they stay in Python, as UDFs whose type is known."""
