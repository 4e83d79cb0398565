"""Windows: their lengths, and the classes that keep their slices."""
