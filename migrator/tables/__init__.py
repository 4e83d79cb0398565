"""Facts about Spark that rules and inference share."""
