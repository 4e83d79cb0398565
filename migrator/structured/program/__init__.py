"""What is known of the user's program: its names, its job, and the graph of its streams."""
