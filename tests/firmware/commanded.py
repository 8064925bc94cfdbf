"""A command as it is called with arguments, without the rest of the command line around it."""

import argparse

from firmware.commands import bench as bench_command
from firmware.commands import simulate as simulate_command


def command(module, *arguments, eye=None):
    """Run the command of a module; ``eye`` reads photos in the place of the real one."""
    parser = argparse.ArgumentParser()
    module.add_to(parser)
    options = parser.parse_args([str(word) for word in arguments])
    options.eye, options.lang = eye, None
    return module.run(options)


def bench(folder, game=None, *, eye, as_json=False, limit=None):
    """``stadtblick bench``; ``eye`` is called with a photo alone."""
    words = [folder, *(["--json"] if as_json else [])]
    words += [] if game is None else ["--game", game]
    words += [] if limit is None else ["--limit", limit]
    return command(bench_command, *words, eye=lambda photo, _edition: eye(photo))


def simulate(out, *, count=None, seed=1, conditions=(), size_wh=None, game=None, edition=None):
    """``stadtblick simulate``."""
    words = ["--out", out, "--seed", seed]
    words += [] if count is None else ["--count", count]
    words += ["--condition", *conditions] if conditions else []
    words += [] if size_wh is None else ["--size", f"{size_wh[0]}x{size_wh[1]}"]
    words += [] if game is None else ["--game", game]
    words += [] if edition is None else ["--edition", edition]
    return command(simulate_command, *words)
