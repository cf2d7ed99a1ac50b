# SPDX-License-Identifier: Apache-2.0
"""Arguments and exit statuses of the command: 0 done, 1 stdout closed, 2 an error in the input, 130 interrupted."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

from nandscape import ConfigWarning, Error, SaturationWarning, TransientWarning, __version__
from nandscape.cli import (
    bench,
    characterize,
    codes,
    compare,
    completion,
    content,
    explore,
    importing,
    profile_rpt,
    reference,
    report,
    retention,
    run,
    show,
    sweep,
)

EXAMPLES = """\
a first look:
  nandscape presets                      the drives that come with nandscape
  nandscape show default                 the parts of a drive
  nandscape run default                  run its workload: latencies and rates
  nandscape params read_retry            keys, for --set KEY=VALUE and for files
  nandscape run default --set controller.read_retry.pipelined=true

`nandscape COMMAND --help` shows examples of a command.
"""
MODULES = (
    run, compare, report, sweep, explore, show, importing, reference, retention, codes, characterize, profile_rpt,
    content, bench, completion,
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments and returns its exit status. The default is the arguments of the
    process."""
    options = _parser().parse_args(arguments)
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nandscape",
        description="A virtual prototype of a NAND SSD.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"nandscape {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in MODULES:
        module.add_commands(commands)
    return parser
