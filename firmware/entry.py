"""Entry point of the command, which Ctrl-C can end while the command line is still loading."""

import sys

INTERRUPTED = 130
"""Same as ``firmware.base.errors.ExitCode.INTERRUPTED``, which is not loaded yet."""


def run() -> int:
    """Run the command line of this process; return the exit code."""
    try:
        from firmware.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
