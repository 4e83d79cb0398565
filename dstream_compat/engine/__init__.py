"""What runs inside Spark's Python workers: frames, fused stages and slot operators."""
