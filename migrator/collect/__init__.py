"""Turns files into the events that the rules look at."""
