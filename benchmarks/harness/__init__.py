"""The harness of the benchmarks: starts engines in turn, measures them, compares their outputs."""
