"""The second form of a job: what it does in a batch stays RDD code, in the function of a batch."""
