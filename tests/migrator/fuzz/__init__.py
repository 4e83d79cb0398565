"""Inputs at random: nothing may crash it, hang it, or make it write or run anything."""
