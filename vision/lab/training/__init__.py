"""How the networks of the eye are made. Needs PyTorch; no part of the installed product.

docs/eye.md says how to run it again on simulated photos and on your own ground-truthed ones.
"""
