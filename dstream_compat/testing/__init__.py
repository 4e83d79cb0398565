"""Tools for tests of jobs: recorded batches in, what each output gives out, compared by batch."""
