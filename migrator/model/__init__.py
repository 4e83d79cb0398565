"""What the steps hand to each other: events, findings, reports."""
