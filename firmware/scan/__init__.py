"""A photo read, corrected, checked and scored."""
