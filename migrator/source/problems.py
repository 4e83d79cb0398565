"""The error of an edit that cannot be done or proven."""


class RewriteProblem(Exception):
    """Edits that could not be done, or whose result is not what was planned; the text says why."""
