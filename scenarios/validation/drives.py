#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What do more bits in a cell cost a whole drive: in speed, in cycles, in years of data?

Compares five whole drives, from 3D SLC to 3D QLC, each with cells, times, code, read recovery and spare flash that
belong together. Prints how fast they are fresh and worn, for how many cycles and for how long their codes keep what
their cells hold, and how much a host can write in a life; sets published ratings and speeds beside them; draws the
error rates of all drives with the limits of their codes. Writes the figures to a JSON file and the table beside it.
Exit status: 0 when every claim is within its limits, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from compared.drives import DRIVES, ENTERPRISE, LONG
from compared.keeping import MOST_CYCLES, UBER, Borne, Keeping
from compared.life import Life
from compared.rows import claims
from compared.speed import speed_of
from physics.report import show
from physics.rows import Study
from rich.console import Console
from rich.table import Table
from shared.command import Report, leave, parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a quarter of the requests").parse_args(arguments)
    report = Report(options)
    requests = 50_000 if options.quick else 200_000
    lives = [Life(drive, Keeping(drive), speed_of(drive, requests, progress=True)) for drive in DRIVES]
    pd.DataFrame([life.to_dict() for life in lives]).to_csv(options.json.with_suffix(".csv"), index=False)
    _print_lives(lives, report.console)
    rows = claims({life.drive.name: life for life in lives})
    study = Study(
        "Five drives",
        "What do more bits in a cell cost a whole drive?",
        f"presets as they are; {requests} random requests of 4 KiB; an UBER of {UBER:g}, the worst page of a median "
        "wordline in the worst layer",
        "each bit costs cycles, retention and speed; a stronger code and its soft reads give some of that back",
        lambda _quick: rows,
    )
    show(study, rows, report.console)
    # Slow to import.
    from compared.pictures import draw_all

    return report.finish(rows, draw_all(report.folder, lives))


def _print_lives(lives: Sequence[Life], console: Console) -> None:
    console.print("[bold]Five drives[/bold]. Cycles are those after which data can be kept; random writes of 4 KiB")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column("")
    for life in lives:
        table.add_column(life.drive.label, justify="right")
    entries = {
        "capacity [GB]": lambda life: f"{1e-9 * life.drive.capacity_bytes:,.0f}",
        "random read, one at a time [µs]": lambda life: f"{life.speed.read_us:,.0f}",
        "... worn, three months old [µs]": lambda life: f"{life.speed.aged_read_us:,.0f}",
        "... with so many retries": lambda life: f"{life.speed.aged_steps:.1f}",
        "random reads at depth 128 [1/s]": lambda life: f"{life.speed.read_iops:,.0f}",
        "sequential reads [MiB/s]": lambda life: f"{life.speed.read_mib_s:,.0f}",
        "sequential writes [MiB/s]": lambda life: f"{life.speed.write_mib_s:,.0f}",
        "random writes in the long run [1/s]": lambda life: f"{life.speed.steady_write_iops:,.0f}",
        "write amplification": lambda life: f"{life.speed.write_amplification:.1f}",
        "rated cycles": lambda life: f"{life.drive.rated_cycles:,}",
        "must keep data for": lambda life: life.drive.storage.name,
        "cycles, with all recovery": lambda life: _cycles(life.cycles),
        "cycles, with hard reads": lambda life: _cycles(life.cycles_of_hard_reads),
        f"RBER borne at an UBER of {UBER:g}": lambda life: f"{life.keeping.limit:.2e}",
        "... 95 % bounds": lambda life: _bounds(life.keeping.most_borne),
        "... UBER extrapolated over decades": lambda life: f"{life.keeping.most_borne.decades:.1f}",
        "... cycles at these bounds": lambda life: " to ".join(map(_cycles, life.bounds_of_cycles)),
        f"cycles, {ENTERPRISE.name}": lambda life: _cycles(life.keeping.cycles(ENTERPRISE)),
        f"cycles, {LONG.name}": lambda life: _cycles(life.keeping.cycles(LONG)),
        "years at 30 °C when worn": lambda life: f"{life.keeping.longest_months(life.drive.worn_cycles) / 12:.1f}",
        "random writes of a life [TB]": lambda life: _of_life(life, f"{life.host_tb:,.0f}"),
        "drive writes per day, five years": lambda life: _of_life(life, f"{life.drive_writes_per_day:.1f}"),
    }
    for name, of in entries.items():
        table.add_row(name, *(of(life) for life in lives))
    console.print(table)
    console.print()


def _of_life(life: Life, text: str) -> str:
    return _cycles(life.cycles) if life.cycles >= MOST_CYCLES else text


def _bounds(borne: Borne) -> str:
    return "exact" if borne.low == borne.high else f"{borne.low:.2e} to {borne.high:.2e}"


def _cycles(cycles: float) -> str:
    return "any" if cycles >= MOST_CYCLES else f"{cycles:,.0f}"


if __name__ == "__main__":
    leave(main)
