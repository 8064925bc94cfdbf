"""Training of the eye's networks. Needs PyTorch; no part of the installed product.

Each ``train_*`` module trains one network, and states its command; docs/eye.md describes the
networks.
"""
