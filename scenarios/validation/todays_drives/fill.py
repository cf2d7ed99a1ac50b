# SPDX-License-Identifier: Apache-2.0
"""A fill of drives with an SLC cache, once and in order, from erased flash."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import nandscape as ns
from comparison.pictures import PUBLISHED_COLOUR, panels
from comparison.published import Published
from comparison.rows import Row
from nandscape.ceilings import Capacity
from nandscape.errors import ConfigWarning
from nandscape.pictures.style import COLOURS
from nandscape.slc_fill import bits_per_cell, regimes_of
from todays_drives.course import course_of

BLOCKS = 192
STEPS = 300
GEOMETRY, CACHE = "nand.geometry", "controller.slc_cache"
COUNTERS = (
    "controller.host_pages",
    "controller.slc_cache.cached_units",
    "controller.gc.moved_units",
)


@dataclass(frozen=True)
class Drive:
    """A preset, the figures that are compared, and for the picture the published courses of drives like it: the rate in
    MB/s up to each amount of data in GB."""

    preset: str
    label: str
    compared: Sequence[str]
    shown: dict[str, list[tuple[float, float]]]


DRIVES = [
    Drive(
        "client_tlc",
        "TLC for PCs",
        ["cached_gb", "cached_rate", "direct_gb", "direct_rate", "folding_rate", "fill_rate"],
        {
            "HP FX900": [(280, 4500), (500, 2000), (1000, 500)],
            "Samsung 980 Pro": [(113, 4000), (1000, 1500)],
        },
    ),
    Drive(
        "client_qlc",
        "QLC for PCs",
        ["cached_gb", "cached_rate", "rest_rate"],
        {"Solidigm P41 Plus": [(120, 3000), (1000, 262)]},
    ),
]


class Task(NamedTuple):
    """A drive, and the number of pages in each block of the simulated one."""

    drive: Drive
    pages: int


class Course(NamedTuple):
    """A fill: data written and units moved, both in GB of the whole drive, by seconds of the whole drive. `cached_gb`:
    data that went to the cache."""

    seconds: NDArray[np.float64]
    written_gb: NDArray[np.float64]
    moved_gb: NDArray[np.float64]
    cached_gb: float


def tasks(quick: bool) -> list[Task]:
    return [Task(drive, 24 if quick else 96) for drive in DRIVES]


def small(task: Task) -> ns.Config:
    """Returns the drive with BLOCKS blocks on each plane and erases that are shorter as the blocks are."""
    whole = ns.load(task.drive.preset)
    pages = f"{GEOMETRY}.pages_per_block"
    bits = bits_per_cell(whole)
    per_block = task.pages // bits * bits
    writes = ns.synthetic(read_percent=0, block_bytes=131072, pattern="sequential", queue_depth=64)
    drive = whole.override(
        {
            pages: per_block,
            f"{GEOMETRY}.blocks_per_plane": BLOCKS,
            "nand.timing.t_bers_us": whole["nand.timing.t_bers_us"] * per_block / whole[pages],
            "controller.precondition.occupancy": 0.0,
            f"{CACHE}.fold_idle_ms": 0,
            "simulation.request_log": False,
            "host.workload": [writes],
        }
    )
    return drive.override({"host.workload.requests": Capacity.of(drive).exported_bytes // 131072})


class Expected(NamedTuple):
    """The course by arithmetic, for the whole drive: the ends of the regimes in GB and their rates in MB/s."""

    cached_gb: float
    direct_gb: float
    full_gb: float
    cached: float
    direct: float
    folding: float

    def mean(self, begin_gb: float = 0) -> float:
        """Returns the rate in MB/s from this amount of data on, which is 0 or the end of the first regime."""
        parts = [self.cached_gb - begin_gb, self.direct_gb - self.cached_gb, self.full_gb - self.direct_gb]
        return (self.full_gb - begin_gb) / sum(gb / rate for gb, rate in zip(parts, self[3:], strict=True))


def expected(drive: ns.Config) -> Expected:
    parts, page = regimes_of(drive), drive[f"{GEOMETRY}.page_bytes"]
    ends = (1e-9 * page * part.end for part in parts[:-1])
    return Expected(*ends, 1e-9 * Capacity.of(drive).exported_bytes, *(1e-6 * page / part.page_s for part in parts))


def simulate(task: Task) -> Course:
    drive = small(task)
    means = expected(drive)
    step_ms = 1e3 * means.full_gb / means.mean() * 1e3 / STEPS

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfigWarning)  # a small drive has less spare flash, which a fill does not need
        seconds, written, cached, moved = course_of(drive, COUNTERS, step_ms)
    whole = ns.load(task.drive.preset)
    scale = Capacity.of(whole).exported_bytes / Capacity.of(drive).exported_bytes
    page_gb = 1e-9 * drive[f"{GEOMETRY}.page_bytes"] * scale
    unit_gb = 1e-9 * drive["controller.mapping.unit_bytes"] * scale
    return Course(seconds * scale, written * page_gb, moved * unit_gb, float(cached[-1] * unit_gb))


def rows_of(task: Task, course: Course, table: Published) -> list[Row]:
    plan = expected(ns.load(task.drive.preset))
    first_move = int(np.argmax(course.moved_gb > 0))
    direct_gb = float(course.written_gb[first_move])
    edges = [0.0, course.cached_gb, direct_gb, float(course.written_gb[-1])]

    def rate(begin: float, end: float) -> float:
        """Returns the rate in MB/s between 10 and 90 % of a part of the fill."""
        inside = [begin + 0.1 * (end - begin), begin + 0.9 * (end - begin)]
        at = np.interp(inside, course.written_gb, course.seconds)
        return 1e3 * (inside[1] - inside[0]) / float(at[1] - at[0])

    full_at = float(np.interp(course.cached_gb, course.written_gb, course.seconds))
    rest = 1e3 * (edges[-1] - course.cached_gb) / (float(course.seconds[-1]) - full_at)
    rates = [rate(begin, end) for begin, end in pairwise(edges)]
    figures = {
        "cached_gb": (course.cached_gb, plan.cached_gb),
        "cached_rate": (rates[0], plan.cached),
        "direct_rate": (rates[1], plan.direct),
        "direct_gb": (direct_gb, plan.direct_gb),
        "folding_rate": (rates[2], plan.folding),
        "fill_rate": (1e3 * edges[-1] / float(course.seconds[-1]), plan.mean()),
        "rest_rate": (rest, plan.mean(plan.cached_gb)),
    }
    return [
        table.row(f"{task.drive.preset}.{name}", ours, expected=by_hand, reach=0.05 * by_hand, label=task.drive.label)
        for name, (ours, by_hand) in figures.items()
        if name in task.drive.compared
    ]


def draw(fills: Sequence[tuple[Task, Course]]) -> Figure:
    figure, axes = panels(1, len(fills), (13, 5), [f"fill of {task.drive.preset}, in order" for task, _ in fills])
    for panel, (task, course) in zip(axes, fills, strict=True):
        rates = 1e3 * np.diff(course.written_gb) / np.diff(course.seconds)
        panel.plot(course.written_gb[1:-1], rates[:-1], color=COLOURS[0], label="simulated")
        for number, (name, parts) in enumerate(task.drive.shown.items()):
            ends = [0.0, *(gb for gb, _ in parts)]
            style = ["-", "--", ":"][number % 3]
            panel.stairs([mb_s for _, mb_s in parts], ends, color=PUBLISHED_COLOUR, linestyle=style, label=name)
        panel.set(xlabel="data written [GB]", ylabel="MB/s", xlim=(0, None), ylim=(0, None))
        panel.legend(loc="upper right")
    return figure
