"""Simulated tables of the games known by pictures, with their ground truth."""
