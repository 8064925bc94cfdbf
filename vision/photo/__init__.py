"""Photos from files: limits, decoding, orientation."""
