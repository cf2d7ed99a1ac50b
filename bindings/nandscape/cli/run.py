# SPDX-License-Identifier: Apache-2.0
"""`nandscape run`: a workload on a device, and the table of what came of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import nandscape
from nandscape.cli import configuration
from nandscape.result import Result
from nandscape.simulation import from_checkpoint


def add_commands(commands: Any) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("run", help="run a workload and print latencies and rates")
    configuration.add_arguments(parser, optional=True)
    parser.add_argument("--trace", metavar="FILE", help="replay this trace instead of the configured workload")
    parser.add_argument("--restore", metavar="FILE", help="go on from this checkpoint; --set changes its configuration")
    parser.add_argument("--checkpoint", metavar="FILE", help="write the state after the run to FILE")
    parser.add_argument("--json", metavar="FILE", help="write statistics and configuration to FILE, or - for stdout")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write the distribution of latencies as a picture")
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> None:
    """Runs the command. With --json - the JSON takes stdout and the table goes to stderr.

    Ctrl-C ends the run: what there is by then is written and printed, marked as partial, before KeyboardInterrupt goes
    on."""
    _check_outputs(options)
    trace = [("host.workload", [nandscape.trace(options.trace)])] if options.trace else []
    if (options.config is None) == (options.restore is None):
        raise SystemExit("nandscape run: give either CONFIG or --restore FILE")
    if options.restore:
        simulation = from_checkpoint(options.restore, [*trace, *options.overrides])
    else:
        simulation = nandscape.Simulation(configuration.chosen(options, trace))
    interrupted = None
    try:
        simulation.run(progress=not options.no_progress)
    except KeyboardInterrupt as interrupt:
        interrupted = interrupt
    result = simulation.result()
    if options.checkpoint and interrupted is None:
        simulation.checkpoint(options.checkpoint)

    if options.plot:
        from nandscape.plot import save_latencies

        save_latencies(result, options.plot)
    if options.json == "-":
        sys.stdout.write(result.to_json())
    elif options.json:
        result.save(options.json)
    print_result(result, Console(stderr=options.json == "-"))
    if interrupted is not None:
        raise interrupted


def print_result(result: Result, console: Console) -> None:
    """Prints latencies as a table and the rates below it."""
    title = "latency (µs), so far: the run was interrupted" if result.partial else "latency (µs)"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    for name in ("count", "mean", "p50", "p99", "p99.9", "max"):
        table.add_column(name, justify="right")
    host = result.stats["host"]
    for row in ("read", "write", "all"):
        latency = host[row]["latency_us"]
        figures = [f"{latency[figure]:,.1f}" for figure in ("mean", "p50", "p99", "p999", "max")]
        table.add_row(row, f"{host[row]['count']:,}", *figures)

    rates = Table.grid(padding=(0, 3, 0, 0))
    rates.add_column()
    rates.add_column(justify="right")
    rates.add_row("IOPS", f"{host['iops']:,.0f}")
    rates.add_row("MiB/s", f"{host['bandwidth_mib_s']:,.1f}")
    rates.add_row("write amplification", f"{result.stats['controller']['write_amplification']:.3f}")
    if result.config["simulation.cells"] != "ideal":
        retry = result.stats["controller"]["read_retry"]
        rates.add_row("retry steps of a page read", f"{retry['steps']:.2f}")
        rates.add_row("pages not corrected", f"{retry['failed_reads']:,}")
    rates.add_row("simulated time (s)", f"{result.stats['simulation']['simulated_s']:,.3f}")
    rates.add_row("wall time (s)", f"{result.stats['simulation']['wall_s']:,.3f}")

    console.print(table, "", rates, sep="\n")


def _check_outputs(options: argparse.Namespace) -> None:
    """Fails before a long run rather than after it."""
    for path in (options.json, options.plot):
        if path and path != "-" and not Path(path).parent.is_dir():
            raise FileNotFoundError(f"{path}: there is no folder '{Path(path).parent}' to write to")
    if options.plot:
        from nandscape.plot import check_format

        check_format(options.plot)
