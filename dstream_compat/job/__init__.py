"""A started context: from `start()` to its end."""
