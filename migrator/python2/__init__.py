"""Converts Python 2 programs to Python 3, and finds what a conversion cannot know."""
