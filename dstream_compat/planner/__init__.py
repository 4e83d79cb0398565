"""What runs in Spark's planner process of a Python data source, and its line to the driver."""
