"""What the names and expressions of a program are: contexts, DStreams, RDDs."""
