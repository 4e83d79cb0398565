"""Decides which findings count: chosen rules, comments, a baseline, changed lines."""
