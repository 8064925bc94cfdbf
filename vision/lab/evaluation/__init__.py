"""Evaluation of readings against the ground truth of photos."""
