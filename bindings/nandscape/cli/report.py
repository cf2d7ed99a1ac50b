# SPDX-License-Identifier: Apache-2.0
"""`nandscape report`: writes a page that shows saved runs side by side."""

from __future__ import annotations

import argparse
from typing import Any

import nandscape
from nandscape import Error
from nandscape.cli.parsers import add_command
from nandscape.cli.saved import loaded
from nandscape.files import check_folders

DESCRIPTION = """\
Writes a page that shows saved runs side by side: the keys that differ, key
figures, latency distributions, latencies over time, and how busy resources
were. The page is one file for any browser and fetches nothing. Runs that were
saved with --save have their single requests; runs of --json have only
statistics.
"""
EXAMPLES = """
nandscape run bare --save fast.npz
nandscape run bare --set nand.timing.t_prog_us=900 --save slow.npz
nandscape report fast.npz slow.npz -o report.html
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `report` with its arguments to the parser."""
    parser = add_command(
        commands, "report", "write a page that shows saved runs side by side", EXAMPLES, description=DESCRIPTION
    )
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a result saved by `nandscape run`, .npz or .json")
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="report.html", help="write the page to FILE (default: report.html)"
    )
    parser.add_argument("--title", metavar="TEXT", help="title of the page (default: the names of the runs)")
    parser.set_defaults(command=report)


def report(options: argparse.Namespace) -> None:
    """Runs `nandscape report` with the parsed arguments."""
    check_folders(options.output)
    try:
        nandscape.report(loaded(options.runs), options.output, title=options.title)
    except ImportError as missing:
        raise Error(str(missing)) from None
    print(f"{options.output} written.")
