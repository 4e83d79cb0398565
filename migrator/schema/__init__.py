"""The JSON schema of the report."""
