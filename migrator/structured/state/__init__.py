"""Functions that keep a state for each key: what they compute, as symbols or as classes."""
