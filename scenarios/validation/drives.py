#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What do more bits in a cell cost a whole drive in speed, cycles, and years of retention?

Compares five whole drives, from 3D SLC to 3D QLC, each with cells, times, code, read recovery and spare flash that
belong together: speed of fresh and worn drives, endurance, retention, and total host writes. Shows published ratings
and speeds beside them. Plots the error rates of all drives with the limits of their codes. Writes a CSV table beside
the JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compared.drives import DRIVES, ENTERPRISE, LONG
from compared.keeping import MOST_CYCLES, UBER, Borne, Keeping
from compared.life import Life
from compared.rows import PUBLISHED, claims
from compared.speed import speed_of
from comparison.command import Comparison, Run, command
from comparison.report import show_table


def compare(run: Run) -> Comparison:
    requests = 50_000 if run.quick else 200_000
    lives = [Life(drive, Keeping(drive), speed_of(drive, requests)) for drive in DRIVES]
    pd.DataFrame([life.to_dict() for life in lives]).to_csv(run.json.with_suffix(".csv"), index=False)
    _print_lives(lives, run)
    rows = claims({life.drive.name: life for life in lives})
    study = PUBLISHED.study(rows, [drive.preset for drive in DRIVES], {}, requests=requests, uber=UBER)
    from compared.pictures import draw_all  # slow to import

    return Comparison([study], pictures=draw_all(lives))


def _print_lives(lives: Sequence[Life], run: Run) -> None:
    entries = {
        "capacity [GB]": lambda life: f"{1e-9 * life.drive.capacity_bytes:,.0f}",
        "random read, one at a time [µs]": lambda life: f"{life.speed.read_us:,.0f}",
        "... worn, three months old [µs]": lambda life: f"{life.speed.aged_read_us:,.0f}",
        "... retries": lambda life: f"{life.speed.aged_steps:.1f}",
        "random reads at depth 128 [1/s]": lambda life: f"{life.speed.read_iops:,.0f}",
        "sequential reads [MiB/s]": lambda life: f"{life.speed.read_mib_s:,.0f}",
        "sequential writes [MiB/s]": lambda life: f"{life.speed.write_mib_s:,.0f}",
        "random writes in the long run [1/s]": lambda life: f"{life.speed.steady_write_iops:,.0f}",
        "write amplification": lambda life: f"{life.speed.write_amplification:.1f}",
        "rated cycles": lambda life: f"{life.drive.rated_cycles:,}",
        "must keep data for": lambda life: life.drive.storage.name,
        "cycles, with all recovery": lambda life: _cycles(life.cycles),
        "cycles, with hard reads": lambda life: _cycles(life.cycles_of_hard_reads),
        f"RBER at an UBER of {UBER:g}": lambda life: f"{life.keeping.limit:.2e}",
        "... 95 % bounds": lambda life: _bounds(life.keeping.most_borne),
        "... UBER extrapolated over decades": lambda life: f"{life.keeping.most_borne.decades:.1f}",
        "... cycles at these bounds": lambda life: " to ".join(map(_cycles, life.bounds_of_cycles)),
        f"cycles, {ENTERPRISE.name}": lambda life: _cycles(life.keeping.cycles(ENTERPRISE)),
        f"cycles, {LONG.name}": lambda life: _cycles(life.keeping.cycles(LONG)),
        "years at 30 °C when worn": lambda life: f"{life.keeping.longest_months(life.drive.worn_cycles) / 12:.1f}",
        "random writes of a life [TB]": lambda life: _of_life(life, f"{life.endurance.terabytes_written:,.0f}"),
        "drive writes per day, five years": lambda life: _of_life(life, f"{life.endurance.drive_writes_per_day:.1f}"),
    }
    title = "[bold]Five drives[/bold]. Cycles until data cannot be kept; random writes of 4 KiB"
    lines = ([name, *map(of, lives)] for name, of in entries.items())
    show_table(run.console, title, ["", *(life.drive.label for life in lives)], lines)


def _of_life(life: Life, text: str) -> str:
    return _cycles(life.cycles) if life.cycles >= MOST_CYCLES else text


def _bounds(borne: Borne) -> str:
    return "exact" if borne.low == borne.high else f"{borne.low:.2e} to {borne.high:.2e}"


def _cycles(cycles: float) -> str:
    return "any" if cycles >= MOST_CYCLES else f"{cycles:,.0f}"


if __name__ == "__main__":
    command(__doc__, "a quarter of the requests", compare)
