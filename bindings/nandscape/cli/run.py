# SPDX-License-Identifier: Apache-2.0
"""`nandscape run`: a workload on a device, and the table of what came of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, TextIO

import nandscape
from nandscape import Error
from nandscape.bottleneck import bottleneck
from nandscape.cli import configuration
from nandscape.cli.breakdown import breakdown_table
from nandscape.cli.tables import GAP, figures
from nandscape.files import check_outputs
from nandscape.result import Result
from nandscape.simulation import from_checkpoint

# Columns of the table, and their keys in the statistics.
SHOWN = {"mean": "mean", "p50": "p50", "p99": "p99", "p99.9": "p999", "p99.99": "p9999", "max": "max"}


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
    check_outputs(options.json, options.plot)
    trace = [("host.workload", [nandscape.trace(options.trace)])] if options.trace else []
    if (options.config is None) == (options.restore is None):
        raise Error("give either CONFIG, a preset or a YAML file, or --restore FILE")
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
    print_result(result, sys.stderr if options.json == "-" else sys.stdout)
    if interrupted is not None:
        raise interrupted


def print_result(result: Result, file: TextIO) -> None:
    """Prints latencies as a table and the rates below it."""
    host = result.stats["host"]
    latencies = []
    for row in ("read", "write", "all"):
        latency = host[row]["latency_us"]
        latencies.append([row, f"{host[row]['count']:,}", *(f"{latency[key]:,.1f}" for key in SHOWN.values())])
    controller = result.stats["controller"]
    rates = {
        "IOPS": f"{host['iops']:,.0f}",
        "MiB/s": f"{host['bandwidth_mib_s']:,.1f}",
        "write amplification": f"{controller['write_amplification']:.3f}",
    }
    if result.config["simulation.cells"] != "ideal":
        rates["retry steps of a page read"] = f"{controller['read_retry']['steps']:.2f}"
        rates["pages not corrected"] = f"{controller['read_retry']['failed_reads']:,}"
    rates["simulated time (s)"] = f"{result.stats['simulation']['simulated_s']:,.3f}"
    rates["wall time (s)"] = f"{result.stats['simulation']['wall_s']:,.3f}"
    if result.partial:
        print("The run was interrupted; so far:", "", sep="\n", file=file)
    print(figures(["latency (µs)", "count", *SHOWN], latencies), "", sep="\n", file=file)
    if result.config["simulation.breakdown"]:
        print(breakdown_table(host), f"\nbottleneck: {bottleneck(result.stats)}", "", sep="\n", file=file)
    names, values = zip(*rates.items(), strict=True)
    name_width, value_width = max(map(len, names)), max(map(len, values))
    for name, value in rates.items():
        print(name.ljust(name_width), value.rjust(value_width), sep=GAP, file=file)
