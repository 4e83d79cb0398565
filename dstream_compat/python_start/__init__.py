"""What Python runs first in processes that Spark starts, before they know this package."""
