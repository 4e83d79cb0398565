"""Renders the report in its forms."""
