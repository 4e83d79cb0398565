"""Puts what builds a job into one block: functions in the place of their calls, loops in rounds."""
