"""What drives a started context: the query, its batches, errors and recovery."""
