"""Shows what was found."""
