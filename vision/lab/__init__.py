"""Simulated photos, figures and training, for those who work on the eye."""
