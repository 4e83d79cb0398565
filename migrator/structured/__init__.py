"""Rewrites DStream jobs as Structured Streaming, where the result is shown to be equal."""
