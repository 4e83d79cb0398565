"""DataFrames of the result as source code, with the names of their columns."""
