"""Changes of names and calls that Python 3 parses as well, but that mean something else there."""
