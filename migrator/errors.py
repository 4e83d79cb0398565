"""Errors that end a run with a message instead of a traceback."""


class MigrateError(Exception):
    """The run cannot be done as asked; the text says why and what to do."""
