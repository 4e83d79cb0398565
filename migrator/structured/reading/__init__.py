"""Reads the user's program: finds its job and streams, and refuses what is not known."""
