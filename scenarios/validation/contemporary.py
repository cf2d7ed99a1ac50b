#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do presets of contemporary drives reach the speeds of their data sheets and reviews?

Measures reads and writes of an enterprise drive over queue depth, a mix, sequential access, and single requests. Writes
are measured in the steady state of garbage collection, and from an erased drive on until they are steady. Measures
reads and writes of drives for PCs over queue depth, too: as makers do, whose random writes end in the SLC cache, and in
the steady state of a full drive. Fills these drives once, in order: their rate falls when the SLC cache is full, and
again when its blocks must be folded. Prints each speed beside a published one, or beside the arithmetic where the model
is known to differ. Plots requests per second and latencies over depth, and rates over the data written, with published
speeds.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from comparison.published import Published
from todays_drives import client, fill, fresh, steady

PUBLISHED = Published(__file__)


def compare(run: Run) -> Comparison:
    table = PUBLISHED.for_run(run.quick)
    effort = steady.QUICK if run.quick else steady.FULL
    tasks = [task for drive in steady.DRIVES for task in steady.tasks_of(drive, effort)]
    done = run.outcomes(steady.simulate, tasks, lambda task: f"{task.drive}, {task.name}")
    speeds = {drive.preset: {t.name: speed for t, speed in done if t.drive == drive.preset} for drive in steady.DRIVES}
    rows = [row for drive in steady.DRIVES for row in steady.rows_of(drive, speeds[drive.preset], effort, table)]
    pictures = {
        f"contemporary_{drive.preset}.png": steady.draw(drive, speeds[drive.preset], effort.depths)
        for drive in steady.DRIVES
    }
    aged = run.outcomes(fresh.simulate, fresh.tasks(effort), lambda task: f"{task.drive.preset}, fresh to steady")
    for task, course in aged:
        rows += fresh.rows_of(task, course, table, speeds[task.drive.preset][f"writes_{steady.DEEP}"].iops)
    pictures["contemporary_fresh.png"] = fresh.draw(aged)
    client_effort = client.QUICK if run.quick else client.FULL
    tasks = [task for drive in client.DRIVES for task in client.tasks_of(drive, client_effort)]
    done = run.outcomes(steady.simulate, tasks, lambda task: f"{task.drive}, {task.name}")
    of_clients = {drive.preset: {t.name: s for t, s in done if t.drive == drive.preset} for drive in client.DRIVES}
    for drive in client.DRIVES:
        rows += client.rows_of(drive, of_clients[drive.preset], client_effort, table)
    pictures["contemporary_client.png"] = client.draw(of_clients, client_effort)
    fills = run.outcomes(fill.simulate, fill.tasks(run.quick), lambda task: f"{task.drive.preset}, fill")
    rows += [row for task, course in fills for row in fill.rows_of(task, course, table)]
    pictures["contemporary_fills.png"] = fill.draw(fills)
    presets = [drive.preset for drive in (*steady.DRIVES, *fill.DRIVES)]
    words = {"blocks": steady.BLOCKS, "pages": effort.pages, "filled": fill.BLOCKS}
    return Comparison([table.study(rows, presets, {}, **words)], pictures=pictures)


if __name__ == "__main__":
    command(__doc__, "smaller drives and three queue depths", compare)
