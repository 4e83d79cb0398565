"""A run on disk: what a recovered context continues from."""
