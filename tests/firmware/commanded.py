"""A command as it is called with arguments, without the rest of the command line around it."""

import argparse


def command(module, *arguments, eye=None):
    """Run the command of a module; ``eye`` reads photos in the place of the real one."""
    parser = argparse.ArgumentParser()
    module.add_to(parser)
    options = parser.parse_args([str(word) for word in arguments])
    options.eye, options.lang = eye, None
    return module.run(options)
