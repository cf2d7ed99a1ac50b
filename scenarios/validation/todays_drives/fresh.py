# SPDX-License-Identifier: Apache-2.0
"""Random writes to a drive as it comes out of its box, until their rate is steady."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import nandscape as ns
from comparison.pictures import panel
from comparison.published import Published
from comparison.rows import Row
from nandscape.ceilings import Capacity
from nandscape.errors import ConfigWarning
from nandscape.pictures.style import COLOURS
from todays_drives import steady
from todays_drives.course import course_of

STEPS = 120
DRIVE_WRITES = 6
COUNTERS = ("controller.host_pages", "controller.gc.moved_units")
PRECONDITION = "controller.precondition"


class Task(NamedTuple):
    """A drive, and the pages in each block of the simulated one."""

    drive: steady.Drive
    pages: int


class Course(NamedTuple):
    """The run: drive writes and moved units per unit of the capacity, by seconds."""

    seconds: NDArray[np.float64]
    drive_writes: NDArray[np.float64]
    moved: NDArray[np.float64]


def tasks(effort: steady.Effort) -> list[Task]:
    return [Task(drive, effort.pages) for drive in steady.DRIVES]


def small(task: Task) -> ns.Config:
    """Returns the drive of the steady state with the same spare flash, but erased."""
    drive = task.drive.steady(task.pages).override(
        {
            f"{PRECONDITION}.distribution": "scattered",
            f"{PRECONDITION}.occupancy": 0.0,
            f"{PRECONDITION}.invalid_page_ratio": 0.0,
            "simulation.request_log": False,
        }
    )
    requests = round(DRIVE_WRITES * Capacity.of(drive).exported_bytes / steady.RANDOM)
    writes = ns.synthetic(read_percent=0, block_bytes=steady.RANDOM, queue_depth=steady.DEEP, requests=requests)
    return drive.override({"host.workload": [writes]})


def fresh_bound(drive: ns.Config) -> float:
    """Returns the bound of random writes per second before any block is collected."""
    return ns.ceilings(drive, write_amplification=1).bound("random_write")


def simulate(task: Task) -> Course:
    drive = small(task)
    bytes_written = DRIVE_WRITES * Capacity.of(drive).exported_bytes
    slowest = ns.ceilings(drive).bound("random_write")
    step_ms = 1e3 * bytes_written / steady.RANDOM / slowest / STEPS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfigWarning)
        seconds, pages, moved = course_of(drive, COUNTERS, step_ms)
    capacity = Capacity.of(drive).exported_bytes
    unit = drive["controller.mapping.unit_bytes"]
    return Course(seconds, pages * drive["nand.geometry.page_bytes"] / capacity, moved * unit / capacity)


def rate(course: Course, begin: float, end: float) -> float:
    """Returns drive writes per second between two amounts of drive writes."""
    at = np.interp([begin, end], course.drive_writes, course.seconds)
    return (end - begin) / float(at[1] - at[0])


def rows_of(task: Task, course: Course, table: Published, steady_iops: float) -> list[Row]:
    """Returns the rows of a drive. `steady_iops` is the rate of a run that begins in the steady state."""
    drive = small(task)
    capacity = Capacity.of(drive)
    units = capacity.exported_bytes / steady.RANDOM
    words = {"drive": task.drive.preset, "label": task.drive.label}
    first_move = int(np.argmax(course.moved > 0)) - 1
    kept = drive["controller.garbage_collection.start_free_blocks"] + 1  # and the block that the host fills
    begin = capacity.raw_bytes / capacity.exported_bytes * (1 - kept / steady.BLOCKS)
    return [
        table.row("{drive}.fresh_over_ceiling", units * rate(course, 0.1, 1) / fresh_bound(drive), **words),
        table.row("{drive}.fresh_until", float(course.drive_writes[first_move]), paper=begin, **words),
        table.row(
            "{drive}.fresh_to_steady", units * rate(course, DRIVE_WRITES - 1, DRIVE_WRITES - 0.1) / steady_iops, **words
        ),
    ]


def draw(runs: list[tuple[Task, Course]]) -> Figure:
    figure, axes = panel("random writes of 4 KiB, from an erased drive on", ylabel="thousand writes per second")
    for number, (task, course) in enumerate(runs):
        drive = small(task)
        units = 1e-3 * Capacity.of(drive).exported_bytes / steady.RANDOM
        rates = units * np.diff(course.drive_writes) / np.diff(course.seconds)
        axes.plot(course.drive_writes[1:-1], rates[:-1], color=COLOURS[number], label=task.drive.label)
        bounds = {
            "ceiling without collection": fresh_bound(drive),
            "ceiling in the steady state": ns.ceilings(drive).bound("random_write"),
        }
        for style, (label, bound) in zip(("--", ":"), bounds.items(), strict=True):
            axes.axhline(1e-3 * bound, color=COLOURS[number], linestyle=style, label=label)
    axes.set(xlabel="data written, in capacities of the drive", xlim=(0, None), ylim=(0, None))
    axes.legend(loc="center right")
    return figure
