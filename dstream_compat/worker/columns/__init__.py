"""Lines of text as blocks of bytes, on which translated functions are computed at once."""
