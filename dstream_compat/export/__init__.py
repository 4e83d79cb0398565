"""States and positions of checkpoints as files, for jobs that are rewritten."""
