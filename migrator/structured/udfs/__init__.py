"""Functions that have no expression stay in Python: as UDFs whose type is known."""
