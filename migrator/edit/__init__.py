"""Plans, applies and proves edits of Python sources."""
