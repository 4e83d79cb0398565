"""The operators that need a shuffle: one family per file, map side and slot side together."""
