"""What Spark has (API, settings, connectors, versions), and which of it dstream_compat has."""
