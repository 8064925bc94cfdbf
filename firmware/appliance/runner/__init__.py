"""Run the machine: the loop, the threads beside it, and the services that carry out its effects.

``launch`` composes the real devices, ``loop`` everything else. docs/run.md says which thread may do
what, and lists the limits of work on devices and of reading; docs/appliance.md lists those of jobs.
"""
