"""Which files of a tree are modules of one program, and the reports on them together."""
