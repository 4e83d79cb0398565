"""Which files of a tree are looked at."""
