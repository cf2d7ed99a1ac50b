# SPDX-License-Identifier: Apache-2.0
"""`nandscape explore`: searches for the best configurations, as described by a file."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import nandscape
from nandscape import Error
from nandscape.cli.number_types import whole
from nandscape.cli.parsers import add_command
from nandscape.cli.plugins import add_permission
from nandscape.cli.sweep import check_report, check_table, print_table, write
from nandscape.errors import InputError
from nandscape.files import check_outputs

DESCRIPTION = """\
Searches a space of configurations for the best in one objective, or for the
Pareto front of several, and prints it. Optuna proposes points from the results
of earlier ones; runs are parallel, on all cores.

A file describes the search:
  base: bare                   # a preset, a configuration, or a file
  workload: {kind: synthetic, read_percent: 70, requests: 20000}
  space:
    controller.scheduler.suspend: [none, program_erase]        # choices
    host.workload.queue_depth: {from: 1, to: 64, log: true}    # or step: 8
  objectives: {host.read.latency_us.p99: minimize, host.iops: maximize}
  constraint: host.write.latency_us.p99 <= 20000
  trials: 200                  # in all, including those in the storage
  storage: search.journal      # a search that is started again goes on from it
  out: trials.csv              # or .parquet
"""
EXAMPLES = """
nandscape explore search.yaml
nandscape explore search.yaml --trials 50 --plot front.png
nandscape explore search.yaml --report search.html
nandscape explore search.yaml --storage search.journal --out trials.parquet
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `explore` with its arguments to the parser."""
    parser = add_command(
        commands,
        "explore",
        "search for the best configurations, as a file describes",
        EXAMPLES,
        description=DESCRIPTION,
    )
    parser.add_argument("study", metavar="STUDY", help="a YAML file")
    parser.add_argument("--trials", metavar="N", type=whole(1), help="runs in all, including those in the storage")
    parser.add_argument("--storage", metavar="FILE", help="keep ended trials in FILE, and go on from them")
    parser.add_argument("--workers", metavar="N", type=whole(1), help="parallel runs (default: one per core)")
    parser.add_argument("--out", metavar="FILE", help="write the table of all trials to FILE, .csv or .parquet")
    parser.add_argument("--plot", metavar="FILE", help="draw the trials and the front as a picture")
    parser.add_argument("--report", metavar="FILE", help="write a page that shows the search, for any browser, to FILE")
    add_permission(parser)
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=explore)


def explore(options: argparse.Namespace) -> None:
    """Runs `nandscape explore` with the parsed arguments. On Ctrl-C, writes the trials that have ended so far and
    raises KeyboardInterrupt again."""
    try:
        from nandscape.exploration.points import hashable
        from nandscape.exploration.study import read_search
        from nandscape.exploration.sweeping import SweepInterrupted
    except ImportError as missing:
        raise Error(str(missing)) from None
    search = read_search(options.study)
    given = {key: getattr(options, key) for key in ("trials", "storage", "workers", "out")}
    search |= {key: value for key, value in given.items() if value is not None}
    out = search.pop("out", None)
    check_table(out)
    check_report(options.report)
    check_outputs(None, options.plot)
    try:
        found = nandscape.explore(
            nandscape.load(search.pop("base"), allow_plugins=options.allow_plugins),
            search.pop("space"),
            search.pop("objectives"),
            search.pop("trials"),
            progress=not options.no_progress,
            **search,
        )
    except (Error, TypeError, ValueError) as error:
        raise InputError(f"{options.study}: {str(error).removeprefix('Python: ')}") from None
    except ImportError as missing:
        raise Error(str(missing)) from None
    except SweepInterrupted as interrupt:
        if out is not None:
            write(interrupt.sweep, out)
        raise
    if out is not None:
        write(found.trials, out)
    if options.plot:
        from nandscape import pictures

        pictures.save(found.draw.front(), options.plot)
    if options.report:
        nandscape.report(found, options.report)
    failed = found.trials[found.trials["error"].notna()]
    if not len(found.front):
        reason = f"; the first error: {failed.iloc[0]['error']}" if len(failed) else ": none meets the constraint"
        raise Error(f"{options.study}: found no point in {len(found.trials)} trials{reason}")
    parameters = found.front[found.front.parameters].apply(lambda column: column.map(hashable))
    points = found.front[~parameters.duplicated()]
    print(f"Best points of {len(found.trials)} trials, which no other point beats:")
    print_table(points, sys.stdout, list(found.directions))
    if len(failed):
        print(f"nandscape: {len(failed)} trials failed; the first: {failed.iloc[0]['error']}", file=sys.stderr)
