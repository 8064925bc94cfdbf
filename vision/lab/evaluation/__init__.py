"""How well the eye reads: readings held against the ground truth of photos."""
