"""Where records come from, and the one Spark source that carries them all with the clock."""
