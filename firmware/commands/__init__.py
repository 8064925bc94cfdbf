"""Commands of the command line, one module each: ``add_to(parser)`` and ``run(options)``.

``COMMANDS`` in ``firmware.cli`` names their modules; the others are shared or parts of one command.
Input that cannot be used raises an error, which ``firmware.cli`` prints; docs/errors.md lists all.
"""
