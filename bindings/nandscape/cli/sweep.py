# SPDX-License-Identifier: Apache-2.0
"""`nandscape sweep`: runs a study of many configurations, as described by a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import nandscape
from nandscape import Error, unknown
from nandscape.cli.parsers import add_command
from nandscape.cli.plugins import add_permission
from nandscape.cli.tables import print_figures
from nandscape.errors import InputError
from nandscape.exploration.requirements import required
from nandscape.files import check_folders, replacing

if TYPE_CHECKING:
    from nandscape import Sweep

DESCRIPTION = """\
Runs all points that a file describes, on all cores, and prints a line for each
with the mean of its runs; several seeds add half of the 95 % confidence
interval. If a point fails, its error is printed on stderr and the exit status
is 2.

A file describes the sweep:
  base: default                # a preset, a configuration, or a file
  workload: {kind: synthetic, read_percent: 70, requests: 20000}
  grid:                        # all combinations; or points: [{...}, ...]
    nand.timing.t_prog_us: [500, 700, 900]
    host.workload.queue_depth: [8, 64]
  repeat: 3                    # seeds of each point; or seeds: [1, 2, 3]
  metrics: [host.iops, host.read.latency_us.p99]
  out: table.csv               # or .parquet
  store: results               # a sweep that is started again goes on from it
"""
EXAMPLES = """
nandscape sweep study.yaml
nandscape sweep study.yaml --store results --out table.parquet
nandscape sweep study.yaml --report study.html
"""

# Metrics that the table shows if the study does not name any.
SHOWN = ("host.iops", "host.read.latency_us.mean", "host.read.latency_us.p99")
SUFFIXES = (".csv", ".parquet")


def add_commands(commands: Any) -> None:
    """Adds the subcommand `sweep` with its arguments to the parser."""
    parser = add_command(
        commands, "sweep", "run many configurations in parallel, as a file describes", EXAMPLES, description=DESCRIPTION
    )
    parser.add_argument("study", metavar="STUDY", help="a YAML file")
    parser.add_argument("--out", metavar="FILE", help="write the table of all runs to FILE, .csv or .parquet")
    parser.add_argument("--store", metavar="FOLDER", help="keep ended runs in FOLDER, and go on from them")
    parser.add_argument("--report", metavar="FILE", help="write a page that shows the sweep, for any browser, to FILE")
    add_permission(parser)
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=sweep)


def check_table(out: str | None) -> None:
    """Raises `Error` if a table cannot be written to the file `out`. Call it before anything runs."""
    if out is not None and not out.endswith(SUFFIXES):
        raise Error(f"{out}: the file of a table must end in {' or '.join(SUFFIXES)}")
    check_folders(out)


def check_report(file: str | None) -> None:
    """Raises `Error` if Plotly is missing, and FileNotFoundError if the page cannot be written to `file`. Call it
    before anything runs."""
    if file is not None:
        try:
            required("plotly.offline", "report", "a report")
        except ImportError as missing:
            raise Error(str(missing)) from None
        check_folders(file)


def sweep(options: argparse.Namespace) -> None:
    """Runs `nandscape sweep` with the parsed arguments. On Ctrl-C, writes and prints the points that are complete and
    raises KeyboardInterrupt again."""
    try:
        from nandscape.exploration.study import arguments_of, read_study
        from nandscape.exploration.sweeping import SweepInterrupted
    except ImportError as missing:
        raise Error(str(missing)) from None
    study = read_study(options.study)
    study |= {key: value for key in ("out", "store") if (value := getattr(options, key)) is not None}
    out = study.get("out")
    check_table(out)
    check_report(options.report)
    base, grid, named = arguments_of(study)
    interrupted = None
    try:
        base = nandscape.load(base, allow_plugins=options.allow_plugins)
        table = nandscape.sweep(base, grid, progress=not options.no_progress, **named)
    except (Error, TypeError, ValueError) as error:
        raise InputError(f"{options.study}: {str(error).removeprefix('Python: ')}") from None
    except ImportError as missing:
        raise Error(str(missing)) from None
    except SweepInterrupted as interrupt:
        interrupted = interrupt
        table = interrupt.sweep
    if out is not None:
        write(table, out)
    if options.report and len(table):
        nandscape.report(table, options.report)
    print_table(table, sys.stdout)
    if interrupted is not None:
        raise interrupted
    failed = table[table["error"].notna()]
    if len(failed):
        first = failed.iloc[0]
        where = ", ".join(f"{name}={first[name]}" for name in (*table.parameters, "seed"))
        raise Error(f"{len(failed)} of {len(table)} runs failed; the first ({where}): {first['error']}")


def write(table: Sweep, file: str) -> None:
    """Writes all columns of a table to a file. Lists and groups among the parameters are written as JSON."""
    from nandscape.exploration.points import hashable

    plain = table.assign(**{name: table[name].map(hashable) for name in table.parameters})
    with replacing(file) as temporary:
        if Path(file).suffix == ".csv":
            plain.to_csv(temporary, index=False)
        else:
            plain.to_parquet(temporary, index=False)


def print_table(table: Sweep, file: TextIO, metrics: Sequence[str] | None = None) -> None:
    """Prints a line for each point: its parameters, the number of its runs without an error, and the means of the
    metrics; a metric that is text is printed with each value that a run has. By default, `_usual` chooses the
    metrics."""
    from nandscape.exploration.points import hashable

    if metrics is None:
        metrics = _usual(table)
    columns: dict[str, list[str]] = {}
    for metric in metrics:
        points = table.by_point(metric)
        if not columns:
            for number, name in enumerate(table.parameters):
                columns[name] = [str(hashable(values[number])) for values, _ in points]
            columns["runs"] = [str(len(figures)) for _, figures in points]
        if table.is_text(metric):
            columns[metric] = [", ".join(map(str, dict.fromkeys(figures))) for _, figures in points]
            continue
        intervals = table.intervals(metric)
        columns[metric] = [
            unknown.text_of(mean, ",.6g") + ("" if reach != reach else f" ± {float(f'{reach:.2g}'):,g}")
            for mean, reach in zip(intervals["mean"], intervals["high"] - intervals["mean"], strict=True)
        ]
    if columns:
        print_figures(list(columns), list(zip(*columns.values(), strict=True)), file, keys=len(table.parameters))
    for metric in metrics:
        missing = (table[metric].isna() & ~table.failed).sum()
        if missing and (reason := unknown.needs(metric)):
            print(f"{metric} is not known in {missing} of {(~table.failed).sum()} runs: {reason}.", file=file)


def _usual(table: Sweep) -> list[str]:
    if len(table.metrics) <= len(SHOWN):
        return table.metrics
    return [name for name in SHOWN if name in table.metrics] or table.metrics[: len(SHOWN)]
