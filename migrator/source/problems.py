"""Why an edit is given up."""


class RewriteProblem(Exception):
    """Edits that could not be done, or whose result is not what was planned; the text says why."""
