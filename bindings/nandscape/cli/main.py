# SPDX-License-Identifier: Apache-2.0
"""Arguments and exit statuses of the command: 0 done, 1 stdout closed, 2 an error in the input, 130 interrupted."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

from nandscape import ConfigWarning, Error, SaturationWarning, TransientWarning, __version__

EXAMPLES = """\
a first look:
  nandscape presets                      the drives that come with nandscape
  nandscape show default                 the limits of a drive
  nandscape run default                  run its workload: latencies and rates
  nandscape params read_retry            keys, for --set KEY=VALUE and for files
  nandscape run default --set channel.count=4

`nandscape COMMAND --help` shows examples of a command.
"""
# The module of each command, in the order of the help. Only the module of the given command is imported, because
# importing all of them takes longer than a short run.
MODULES = {
    "run": "run",
    "serve": "serve",
    "compare": "compare",
    "report": "report",
    "sweep": "sweep",
    "explore": "explore",
    "guest": "guest",
    "show": "show",
    "config": "show",
    "import": "importing",
    "params": "reference",
    "statistics": "reference",
    "schema": "reference",
    "presets": "reference",
    "cells": "reference",
    "profiles": "reference",
    "retention": "retention",
    "codes": "codes",
    "characterize-ecc": "characterize",
    "profile-rpt": "profile_rpt",
    "content": "content",
    "bench": "bench",
    "completion": "completion",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments and returns its exit status. The default is the arguments of the
    process."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parser(arguments[0] if arguments else None).parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            warnings.simplefilter("always", ConfigWarning)
            warnings.simplefilter("always", SaturationWarning)
            warnings.simplefilter("ignore", TransientWarning)  # `run` prints the verdict
            options.command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of stdout has closed the pipe. Python flushes stdout once more at exit, and this flush must not
        # fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Error, OSError) as error:
        print(f"nandscape: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("nandscape: interrupted", file=sys.stderr)
        return 130
    return 0


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"nandscape: warning: {message}", file=sys.stderr)


def _parser(command: str | None = None) -> argparse.ArgumentParser:
    """Returns the parser of this command, or of all commands if there is none with this name."""
    parser = argparse.ArgumentParser(
        prog="nandscape",
        description="A virtual prototype of a NAND SSD.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"nandscape {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    # A completion script contains the options of all commands.
    only = command in MODULES and command != "completion"
    for name in [MODULES[command]] if only else dict.fromkeys(MODULES.values()):
        import_module(f"nandscape.cli.{name}").add_commands(commands)
    return parser
