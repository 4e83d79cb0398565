"""Shows that a migrated job gives what the original gave, batch by batch."""
