"""Where the command begins: it can be interrupted while the command line is still being loaded."""

INTERRUPTED = 130
"""``firmware.base.errors.ExitCode.INTERRUPTED``, which is not loaded yet."""


def run() -> int:
    """Run the command line of this process; its exit code."""
    try:
        from firmware.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
