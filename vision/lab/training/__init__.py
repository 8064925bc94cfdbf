"""Training of the eye's networks. Needs PyTorch; no part of the installed product.

docs/eye.md says how to run it again on simulated photos and on your own ground-truthed ones.
"""
