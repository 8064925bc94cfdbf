"""What each command of the command line does, one module each: ``run(options) -> ExitCode``."""
