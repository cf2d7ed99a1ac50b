# SPDX-License-Identifier: Apache-2.0
"""`nandscape guest`: boots a Linux on a simulated drive, runs a command in it, and prints what drive and guest saw."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from nandscape import unknown
from nandscape.cli import configuration
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import GAP
from nandscape.files import check_outputs

EXAMPLES = """
nandscape guest default --run 'cat /proc/partitions'
nandscape guest default --run 'mkfs.ext4 -q /dev/nvme0n1; lsblk -f'
nandscape guest bare --json guest.json --run 'cat /sys/class/nvme/nvme0/model'
"""

# Linux, Documentation/block/stat: the columns of the counters.
BLOCK_STATISTICS = "/sys/block/nvme0n1/stat"
COLUMNS = {
    "reads": 0,
    "sectors_read": 2,
    "writes": 4,
    "sectors_written": 6,
    "discards": 11,
    "flushes": 15,
}


def add_commands(commands: Any) -> None:
    """Adds the subcommand `guest` with its arguments to the parser."""
    parser = add_command(commands, "guest", "run a Linux whose NVMe driver uses the drive", EXAMPLES)
    configuration.add_arguments(parser)
    parser.add_argument("--run", metavar="COMMAND", default="cat /proc/partitions", help="shell command for the guest")
    parser.add_argument("--kernel", metavar="FILE", help="the guest's kernel; by default, what `make guest` has built")
    parser.add_argument("--memory", metavar="SIZE", default="256M", help="the guest's memory (default: 256M)")
    parser.add_argument("--root", metavar="FOLDER", default="/", help="the guest's root, which it only reads")
    parser.add_argument("--json", metavar="FILE", help="write output, statistics and configuration to FILE")
    parser.add_argument("--timeline", metavar="FILE", help="write a timeline of the run to FILE, for ui.perfetto.dev")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> None:
    """Runs `nandscape guest` with the parsed arguments. Prints the command's output to stdout, and the summary to
    stderr."""
    from nandscape.guest import Guest

    check_outputs(options.json, None)
    asked: list[tuple[str, Any]] = []
    if options.timeline:
        asked.append(("simulation.timeline.file", options.timeline))
    config = configuration.chosen(options, asked)
    with Guest(config, kernel=options.kernel, memory=options.memory, root=options.root) as guest:
        booted_us = guest.now_us
        output = guest.run(options.run)
        ran_us = guest.now_us - booted_us
        seen = block_statistics(guest.run(f"cat {BLOCK_STATISTICS}", check=False))
        traffic = guest.traffic
    result = guest.simulation.result()
    sys.stdout.write(output)
    sys.stdout.flush()
    if options.json:
        with open(options.json, "w") as file:
            times = {"boot_us": booted_us, "run_us": ran_us}
            json.dump(
                {"output": output, **times, "seen": seen, "traffic": traffic, **json.loads(result.to_json())},
                file,
                indent=1,
            )
    print_summary(result.stats, {"boot": booted_us, "command": ran_us}, seen, traffic)


def block_statistics(text: str) -> dict[str, int]:
    """Returns the guest's counters of the drive; empty if the guest has lost it. A sector has 512 bytes."""
    counters = text.split()
    if not all(map(str.isdigit, counters)):
        return {}
    return {name: int(counters[column]) for name, column in COLUMNS.items()}


def print_summary(
    stats: dict[str, Any], times_us: dict[str, float], seen: dict[str, int], traffic: dict[str, int]
) -> None:
    """Prints what the guest saw, and what the drive did."""
    controller, nand = stats["controller"], stats["nand"]
    rows = {f"guest: time of the {name} (simulated ms)": f"{time / 1000:,.3f}" for name, time in times_us.items()}
    rows |= {f"guest: {name.replace('_', ' ')}": f"{count:,}" for name, count in seen.items()}
    rows |= {
        "link: register writes of the guest": f"{traffic['register_writes']:,}",
        "link: reads of the guest's memory": f"{traffic['dma_reads']:,}",
        "link: writes to the guest's memory": f"{traffic['dma_writes']:,}",
        "link: interrupts": f"{traffic['interrupts']:,}",
        "drive: page reads": f"{nand['page_reads']:,}",
        "drive: page programs": f"{nand['page_programs']:,}",
        "drive: write amplification": unknown.text_of(controller["write_amplification"], ".3f"),
        "drive: simulated time (s)": f"{stats['simulation']['simulated_s']:,.6f}",
    }
    width, value_width = max(map(len, rows)), max(map(len, rows.values()))
    for name, value in rows.items():
        print(name.ljust(width), value.rjust(value_width), sep=GAP, file=sys.stderr)
