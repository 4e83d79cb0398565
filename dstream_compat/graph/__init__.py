"""The graph that user calls build, and what follows from it."""
