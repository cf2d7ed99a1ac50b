# SPDX-License-Identifier: Apache-2.0
"""`nandscape run`: runs a workload on a device and prints a table of the results."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, TextIO

import nandscape
from nandscape import Error, saved_results, unknown
from nandscape._core import FEWEST_SAMPLES
from nandscape.bottleneck import bottleneck
from nandscape.ceilings import RESOURCES, ceilings_of_run
from nandscape.cli import configuration
from nandscape.cli.breakdown import breakdown_table
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import GAP, print_figures, width_of
from nandscape.files import check_folders, check_outputs
from nandscape.key_figures import uber_text
from nandscape.result import Result
from nandscape.simulation import endless, from_checkpoint

# Columns of the table, and their keys in the statistics.
SHOWN = {"mean": "mean", "p50": "p50", "p99": "p99", "p99.9": "p999", "p99.99": "p9999", "max": "max"}

EXAMPLES = """
nandscape run default
nandscape run bare --set nand.timing.t_prog_us=900 --set simulation.seed=7
nandscape run default --trace web.csv.gz --json result.json --plot latency.png
nandscape run default --save before.npz            # for compare and report
nandscape run result.json                          # the same run again
nandscape run default --until-steady               # by SNIA's rule
nandscape run drive.yaml --checkpoint worn.drive
nandscape run --restore worn.drive --set host.workload.read_percent=100
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `run` with its arguments to the parser."""
    parser = add_command(commands, "run", "run a workload and print latencies and rates", EXAMPLES)
    configuration.add_arguments(parser, optional=True)
    parser.add_argument("--trace", metavar="FILE", help="replay this trace instead of the configured workload")
    parser.add_argument("--restore", metavar="FILE", help="go on from this checkpoint; --set changes its configuration")
    parser.add_argument("--checkpoint", metavar="FILE", help="write the state after the run to FILE")
    parser.add_argument("--json", metavar="FILE", help="write statistics and configuration to FILE, or - for stdout")
    parser.add_argument(
        "--save", metavar="FILE.npz", help="write the same with all requests to FILE.npz, for `nandscape report`"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the distribution of latencies as a picture")
    parser.add_argument("--timeline", metavar="FILE", help="write a timeline of the run to FILE, for ui.perfetto.dev")
    parser.add_argument(
        "--until-steady",
        action="store_true",
        help="run until five rounds are steady (simulation.steady) and measure these; synthetic workloads do not end "
        "before that",
    )
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> None:
    """Runs `nandscape run` with the parsed arguments. With `--json -`, the JSON is written to stdout and the table is
    printed to stderr.

    Ctrl-C ends the run. The results so far are then written and printed, marked as partial, and KeyboardInterrupt is
    raised again."""
    check_outputs(options.json, options.plot)
    check_folders(options.save)
    if options.save and Path(options.save).suffix != saved_results.WITH_REQUESTS:
        suffix = saved_results.WITH_REQUESTS
        raise Error(f"{options.save}: a result with its requests is written as {suffix}; --json writes JSON")
    asked: list[tuple[str, Any]] = []
    if options.trace:
        asked.append(("host.workload", [nandscape.trace(options.trace)]))
    if options.timeline:
        asked.append(("simulation.timeline.file", options.timeline))
    if (options.config is None) == (options.restore is None):
        raise Error("give either CONFIG, a preset or a YAML file, or --restore FILE")
    if options.restore:
        simulation = from_checkpoint(options.restore, [*asked, *options.overrides], options.allow_plugins)
    else:
        config = configuration.chosen(options, asked)
        simulation = nandscape.Simulation(endless(config) if options.until_steady else config)
    interrupted = None
    try:
        simulation.run(progress=not options.no_progress, until_steady=options.until_steady)
    except KeyboardInterrupt as interrupt:
        interrupted = interrupt
    result = simulation.result()
    if options.checkpoint and interrupted is None:
        simulation.checkpoint(options.checkpoint)

    if options.plot:
        from nandscape import pictures

        pictures.save(pictures.latencies(result), options.plot)
    if options.json == "-":
        sys.stdout.write(result.to_json())
    elif options.json:
        saved_results.write(options.json, result.to_json(), None)
    if options.save:
        result.save(options.save)
    print_result(result, sys.stderr if options.json == "-" else sys.stdout)
    if interrupted is not None:
        raise interrupted


def print_result(result: Result, file: TextIO) -> None:
    """Prints the latencies as a table, and the rates and the verdict on the run below the table."""
    host = result.stats["host"]
    rates = rates_of(result)
    if result.partial:
        print("The run was interrupted; so far:", "", sep="\n", file=file)
    print_latencies(result, file)
    if result.config["simulation.breakdown"]:
        table = breakdown_table(host, width_of(file))
        print(table, f"\nbottleneck: {bottleneck(result.stats)}", "", sep="\n", file=file)
    limits = ceilings_of_run(result.config, result.stats)
    if limits is not None:
        bound = limits.bound("workload")
        rates[f"ceiling: {RESOURCES[limits.least('workload')]} (IOPS)"] = f"{bound:,.0f}"
        rates["share of the ceiling"] = f"{host['iops'] / bound:.0%}"
        if limits.planes_at_once > 1 and host["write"]["count"]:
            rates["planes of a program in the ceiling"] = f"{limits.planes_at_once}"
            reached = result.stats["controller"]["scheduler"]["planes_per_operation"]
            rates["planes of a flash operation in the run"] = unknown.text_of(reached, ".2f")
    print_rates(rates, file)
    amplification = result.why_unknown("controller.write_amplification")
    if amplification is not None and host["write"]["count"]:
        print("", f"write amplification is not known: {amplification}", sep="\n", file=file)
    if result.verdict:
        print(file=file)
        print(result.verdict, file=file)


def print_latencies(result: Result, file: TextIO) -> None:
    """Prints the latencies as a table, with an empty line below."""
    latencies = []
    for row in ("read", "write", "all"):
        latency = result.stats["host"][row]["latency_us"]
        figures = (unknown.text_of(latency[key], ",.1f") for key in SHOWN.values())
        latencies.append([row, f"{result.stats['host'][row]['count']:,}", *figures])
    print_figures(["latency (µs)", "count", *SHOWN], latencies, file)
    if any(unknown.DASH in row for row in latencies):
        print(f"{unknown.DASH} is not known: a quantile takes {FEWEST_SAMPLES} requests beyond it.", file=file)
    print(file=file)


def rates_of(result: Result) -> dict[str, str]:
    """Returns the rates of a run, as texts by their names."""
    host, controller = result.stats["host"], result.stats["controller"]
    rates = {
        "IOPS": f"{host['iops']:,.0f}",
        "MiB/s": f"{host['bandwidth_mib_s']:,.1f}",
        "write amplification": unknown.text_of(controller["write_amplification"], ".3f"),
    }
    if result.config["simulation.cells"] != "ideal":
        rates["retry steps of a page read"] = f"{controller['read_retry']['steps']:.2f}"
        rates["pages not corrected"] = f"{controller['read_retry']['failed_reads']:,}"
        rates["UBER (95 % interval)"] = uber_text([result.stats])
    rates["measured window (s)"] = f"{host['window_s']:,.3f}"
    rates |= losses(controller["power_loss"])
    rates["simulated time (s)"] = f"{result.stats['simulation']['simulated_s']:,.3f}"
    rates["wall time (s)"] = f"{result.stats['simulation']['wall_s']:,.3f}"
    return rates


def print_rates(rates: dict[str, str], file: TextIO) -> None:
    """Prints names and texts in two columns."""
    name_width, value_width = max(map(len, rates)), max(map(len, rates.values()))
    for name, value in rates.items():
        print(name.ljust(name_width), value.rjust(value_width), sep=GAP, file=file)


def losses(power_loss: dict[str, Any]) -> dict[str, str]:
    """Returns table rows for acknowledged data that power cuts have lost. The dict is empty if none were lost."""
    lost = power_loss["lost_acknowledged_writes"]
    if not lost:
        return {}
    figures = {"acknowledged writes lost": f"{lost:,}"}
    if promised := power_loss["lost_promised_sectors"]:
        figures["promised sectors lost"] = f"{promised:,}"
    return figures
