"""A module beside a job, which keeps what the job knows."""

KNOWN: dict[str, int] = {}


def update() -> None:
    """Learn something."""
    KNOWN["a"] = 1
