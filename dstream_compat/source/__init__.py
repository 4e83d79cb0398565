"""Sources of records, for the driver; tasks read them in ``worker.reading``."""
