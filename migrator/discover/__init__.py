"""Finds the files of a tree that may have to do with DStreams."""
