"""What runs in Spark's Python workers, and nowhere else."""
