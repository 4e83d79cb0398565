"""Which intervals a micro-batch takes, and what they read."""
