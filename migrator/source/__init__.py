"""Files as text: decoding, parsing, notebooks."""
