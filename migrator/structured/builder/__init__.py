"""Makes the DataFrame of each stream, and notes what differs from the old job."""
