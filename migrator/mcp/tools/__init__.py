"""The tools of the server."""
