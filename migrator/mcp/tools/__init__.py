"""The tools of the server, one a file."""
