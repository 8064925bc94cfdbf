"""What runs the machine: the loop, the threads beside it, and who does each effect.

``launch`` puts the real devices together, ``loop`` everything else, and turns. Which thread may do
what, and all limits of time, are in docs/run.md.
"""
