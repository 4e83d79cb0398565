"""One micro-batch in the driver: how it is computed, its RDDs, its outputs and its commit."""
