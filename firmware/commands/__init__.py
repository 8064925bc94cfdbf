"""Commands of the command line, one module each: ``run(options) -> ExitCode``.

What they refuse is raised as an error, shown by ``firmware.cli``; docs/errors.md lists them all.
"""
