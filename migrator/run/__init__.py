"""Carries out a run: reads a tree, analyses each file, keeps results, writes and reports."""
