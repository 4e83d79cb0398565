"""Writes migrated files."""
