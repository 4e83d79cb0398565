"""Finds places of a converted program whose meaning in Python 3 is not proven to be the same."""
