"""What tasks read: entries of a plan, and rows of tables, become frames."""
