"""The jobs of the benchmarks: one module each, whose `JOB` the harness finds by its name."""
