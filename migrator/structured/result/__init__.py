"""Writes the new program: what takes the place of each statement, in the old layout."""
