#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much energy does a gigabyte take, and how much power does the drive draw, by load?

The requests are reads of 4 and 16 KiB, and random writes of 16 KiB to a fresh drive and to one that collects garbage.
The load is 10 % to 90 % of the rate of busy dies (`ns.ceilings`). With collection a drive does not reach that rate:
most moved pages find no partner on the other plane for a multi-plane program.

Expectation. Energy is counted by event, so a gigabyte takes the same energy at every load, and power is proportional to
the load. The senses of a read take 4.1 µJ (45 mW for 91 µs), whatever its size. Decoding takes 0.2 µJ per KiB. For 4
KiB the link and the bus take 0.2 µJ each (5 pJ per bit). The sum is 5.3 µJ for 4 KiB, 1.3 J/GB, and 8.8 µJ for 16 KiB,
0.5 J/GB: small reads cost 2.4 times as much. A write takes 33 µJ, 2.0 J/GB: 31.5 µJ to program (45 mW for 700 µs) and
1.8 µJ for the rest. A write amplification of A takes A times as much, plus A - 1 reads and A/48 erases of 225 µJ. The
preset has no static power, but a controller has: the dashed lines add 2 W (`controller.power_loss.hold_up_w`), which
exceeds all other power at a tenth of the load.

To fork: change KINDS, or the keys under `nand.energy`, `ecc.energy`, `channel.energy` and `host.link`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from study import Study, leave

import nandscape as ns

RATE = "host.workload.rate_iops"
LOADS = [0.1, 0.3, 0.5, 0.7, 0.9]
SMALL = {
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 0.4,
    "controller.mapping.plane": "least_busy",
    "controller.cache.policy": "none",
}
USED = {"controller.precondition.distribution": "steady_state"}
KINDS = {
    "reads of 4 KiB": (100, 4096, {}),
    "reads of 16 KiB": (100, 16384, {}),
    "writes of 16 KiB, fresh": (0, 16384, {"controller.precondition.occupancy": 0.0}),
    "writes of 16 KiB, steady": (0, 16384, USED),
}


def expected_j(drive: ns.Config, reads: bool, block: int, amplification: float) -> float:
    """Returns the expected energy of a request of at most one page, in joules."""
    timing, energy, shape = drive["nand.timing"], drive["nand.energy"], drive["nand.geometry"]
    cells = ns.Cells(drive)
    array_us = sum(cells.senses()) / cells.pages * (timing["t_pre_us"] + timing["t_eval_us"] + timing["t_disch_us"])

    def moved_uj(size: float, coding_nj: float) -> float:
        bus_bits = 8 * size * (1 + shape["spare_bytes"] / shape["page_bytes"])
        codewords = size / drive["ecc.codeword_bytes"]
        return 1e-6 * drive["channel.energy.interface_pj_per_bit"] * bus_bits + 1e-3 * coding_nj * codewords

    link_uj = 1e-6 * 1.12 * 8 * block * drive["host.link.energy_pj_per_bit"]  # packet headers add an eighth to the data
    sense_uj = 1e-3 * energy["read_mw"] * array_us
    if reads:
        return 1e-6 * (link_uj + sense_uj + moved_uj(block, drive["ecc.energy.decode_nj"]))
    page = shape["page_bytes"]
    program_uj = 1e-3 * energy["program_mw"] * timing["t_prog_us"] + moved_uj(page, drive["ecc.energy.encode_nj"])
    move_uj = sense_uj + moved_uj(page, drive["ecc.energy.decode_nj"])
    erase_uj = 1e-3 * energy["erase_mw"] * timing["t_bers_us"] / shape["pages_per_block"] if amplification > 1 else 0
    return 1e-6 * (link_uj + amplification * (program_uj + erase_uj) + (amplification - 1) * move_uj)


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "bare", arguments)
    loads = LOADS[::2] if study.quick else LOADS
    metrics = {"energy_j": "energy.total_j", "seconds": "host.window_s", "requests": "host.all.count"}
    metrics |= {"iops": "host.iops", "amplification": "controller.write_amplification"}
    tables = []
    for kind, (percent, block, changes) in KINDS.items():
        load = ns.synthetic(read_percent=percent, block_bytes=block, pacing="open", rate_iops=1.0, queue_depth=4096)
        drive = study.load(SMALL | changes, load)
        amplification = ns.ceilings(drive).write_amplification if changes == USED else 1.0
        rate = ns.ceilings(drive, write_amplification=amplification).bound("workload")
        count = 4000 if study.quick else 10_000
        warm = 2 * count if changes == USED else 0
        length = {"host.workload.requests": count + warm, "simulation.warmup.requests": warm}
        grid = {RATE: [share * rate for share in loads]}
        rows = study.sweep(drive.override(length), grid, metrics, runs=1 if study.quick else 3)
        gigabytes = 1e-9 * block * rows["requests"]
        rows["kind"], rows["load"], rows["reached"] = kind, loads, rows["iops"] / rate
        rows["j_per_gb"], rows["power_w"] = rows["energy_j"] / gigabytes, rows["energy_j"] / rows["seconds"]
        rows["expected_j_per_gb"] = 1e9 * expected_j(drive, percent == 100, block, amplification) / block
        rows["expected_w"] = rows["expected_j_per_gb"] * 1e-9 * block * rows["iops"]
        rows["with_static_j_per_gb"] = (
            rows["j_per_gb"] + drive["controller.power_loss.hold_up_w"] * rows["seconds"] / gigabytes
        )
        tables.append(rows)
    table = pd.concat(tables, ignore_index=True)

    axis = "rate reached [% of the ceiling]"
    energy, power = study.axes((axis, "energy of a gigabyte [J]"), (axis, "mean power without static power [W]"))
    for number, (kind, of) in enumerate(table.groupby("kind", sort=False)):
        colour, percent = f"C{number}", 100 * of["reached"]
        energy.plot(percent, of["j_per_gb"], "o", color=colour, label=kind)
        energy.plot(percent, of["expected_j_per_gb"], "-", color=colour, linewidth=1)
        energy.plot(percent, of["with_static_j_per_gb"], "--", color=colour, linewidth=1)
        power.plot(percent, of["power_w"], "o", color=colour, label=kind)
        power.plot(percent, of["expected_w"], "-", color=colour, linewidth=1)
    energy.plot([], [], "k-", linewidth=1, label="expected")
    energy.plot([], [], "k--", linewidth=1, label="measured, with 2 W of static power")
    energy.set(yscale="log", ylim=(None, 400))
    columns = {
        "kind": ("requests", ""),
        "load": ("load", ".0%"),
        "reached": ("reached", ".0%"),
        "iops": ("requests/s", ",.0f"),
    }
    columns |= {"amplification": ("write amplification", ".2f"), "j_per_gb": ("J/GB", ".3f")}
    columns |= {"expected_j_per_gb": ("expected", ".3f"), "with_static_j_per_gb": ("with 2 W", ".2f")}
    study.write(table, columns | {"power_w": ("W", ".3f"), "expected_w": ("expected", ".3f")}, energy)


if __name__ == "__main__":
    leave(main)
