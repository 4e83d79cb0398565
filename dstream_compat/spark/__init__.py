"""Access to Spark: its JVM, sessions, settings and workers."""
