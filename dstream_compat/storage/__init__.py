"""Durable files, local or of any Hadoop file system."""
