#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast does each read-retry policy read old data, in the mean and at p99?

The host reads whole pages of worn flash (1,000 cycles), one at a time, at several ages of the data at 30 °C.

Expectation, after Park et al. (ASPLOS 2021), for a page that is correct at retry step n; the closed form of the cells
gives n (`Cells.population`). A read takes 91 µs of tR on average, 16 µs to move and 20 µs to decode; the link adds
5 µs. Retries add to these 132 µs:
  regular: n (91 + 16 + 20) µs, which is 1,360 µs for n = 10.7 after a quarter of a year
  pipelined: n 91 + 36 µs, since each step is sensed while the data of the previous step move and are decoded
  adaptive: as regular, but each step takes 26 µs less, since each of its 2.33 senses has a precharge that is shorter by
  47 % of 24 µs (`ns.read_timing_table`)
  both: n 65 + 36 µs
The p99 moves away from the mean with age. It comes from pages with three senses, 117 µs, in the layers that drift most.

To fork: change AGES or the wear (`--set nand.condition.pe_cycles=2000`), or start at the last good step
(`--set controller.read_retry.start=last_of_block_and_layer`).
"""

from __future__ import annotations

from collections.abc import Sequence

from study import Study, leave

import nandscape as ns

PIPELINED, ADAPTIVE = "controller.read_retry.pipelined", "controller.read_retry.adaptive"
AGE = "nand.condition.retention_days"
NAMES = {(False, False): "regular", (True, False): "pipelined", (False, True): "adaptive", (True, True): "both"}
AGES = [0, 7, 30, 90, 180, 365]
CHANGES = {"nand.condition.pe_cycles": 1000, "simulation.request_log": False}


def expected_us(drive: ns.Config, pipelined: bool, steps: float, alone_us: float, shorter: float) -> float:
    """Returns the expected mean latency of a page read that takes `steps` retry steps on average. Each step shortens
    tPRE by the fraction `shorter`. `alone_us` is the latency of a read without retries.
    """
    cells, timing = ns.Cells(drive), drive["nand.timing"]
    senses = sum(cells.senses()) / cells.pages
    array_us = senses * (timing["t_pre_us"] + timing["t_eval_us"] + timing["t_disch_us"])
    step_us = array_us - senses * timing["t_pre_us"] * shorter
    shape = drive["nand.geometry"]
    moved = shape["page_bytes"] + (shape["spare_bytes"] if drive["channel.transfer_spare"] else 0)
    after_us = moved / drive["channel.rate_mt_s"] + drive["ecc.t_decode_us"]
    if pipelined:
        return alone_us + steps * step_us + min(steps, 1) * after_us
    return alone_us + steps * (step_us + after_us)


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, "retry_tlc_512g", arguments)
    reads = ns.synthetic(read_percent=100, block_bytes=16384, queue_depth=1, requests=1000 if study.quick else 4000)
    drive = study.load(CHANGES, reads)
    ages = AGES[::3] if study.quick else AGES
    metrics = {"mean_us": "host.read.latency_us.mean", "p99_us": "host.read.latency_us.p99"}
    metrics |= {"steps": "controller.read_retry.steps", "shortened": "controller.read_retry.shortened"}
    rows = study.sweep(
        drive, {AGE: ages, PIPELINED: [False, True], ADAPTIVE: [False, True]}, metrics, runs=1 if study.quick else 3
    )
    rows["retry"] = [NAMES[key] for key in zip(rows[PIPELINED], rows[ADAPTIVE], strict=True)]
    cells = ns.Cells(drive)
    cycles = drive["nand.condition.pe_cycles"]
    table = ns.read_timing_table(drive["controller.read_retry.timing_table"] or drive["nand.cells.set"])
    steps_at = {age: cells.population(cycles, 12 * age / 365).mean_retry_steps for age in ages}
    rows["expected_steps"] = [steps_at[age] for age in rows[AGE]]
    fresh = float(rows["mean_us"].iloc[0])
    rows["expected_us"] = [
        expected_us(
            drive,
            row[PIPELINED],
            row["expected_steps"],
            fresh,
            table.precharge_reduction(cycles, 12 * row[AGE] / 365) / 255 if row[ADAPTIVE] else 0,
        )
        for _, row in rows.iterrows()
    ]

    mean, tail = study.axes(
        ("age of the data [days]", "mean of a read [µs]"), ("age of the data [days]", "p99 of a read [µs]")
    )
    for number, name in enumerate(NAMES.values()):
        of = rows[rows["retry"] == name]
        colour = f"C{number}"
        mean.plot(of[AGE], of["expected_us"], "--", color=colour, linewidth=1, label=None if number else "expected")
        mean.errorbar(of[AGE], of["mean_us"], of["mean_us_pm"], fmt="o", color=colour, label=name)
        tail.errorbar(of[AGE], of["p99_us"], of["p99_us_pm"], fmt="o-", color=colour, label=name)
    for panel in (mean, tail):
        panel.set(ylim=(0, None))
    columns = {AGE: ("age [days]", "d"), "retry": ("retry", ""), "steps": ("steps", ".2f")}
    columns |= {"expected_steps": ("expected", ".2f"), "mean_us": ("mean [µs]", ",.0f")}
    study.write(rows, columns | {"expected_us": ("expected", ",.0f"), "p99_us": ("p99 [µs]", ",.0f")}, mean)


if __name__ == "__main__":
    leave(main)
