# SPDX-License-Identifier: Apache-2.0
"""Drives for PCs over queue depth: reads, random writes to the SLC cache, and the steady state of a full drive.

Makers and reviewers access a small range of a drive that is nearly empty. Their random writes end in the SLC cache, and
their reads find data there that a benchmark has just written. The steady state of a full drive is not published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from matplotlib.figure import Figure

import nandscape as ns
from comparison.pictures import PUBLISHED_COLOUR, panels
from comparison.published import Published
from comparison.rows import Row
from nandscape.ceilings import Capacity
from nandscape.pictures.style import COLOURS
from nandscape.slc_fill import bits_per_cell
from todays_drives.steady import DEEP, DEEPEST, OVER_PROVISIONING, RANDOM, Speed, Task, small

BLOCKS = 192
ONE_DEEP = 1
SHALLOW = (ONE_DEEP, 8, 32)
OCCUPANCY, FREE = "controller.precondition.occupancy", "controller.garbage_collection.start_free_blocks"
STATIC = "controller.slc_cache.static_percent"
NO_CACHE = {STATIC: 0, "controller.slc_cache.dynamic_percent": 0}
# Dies in SLC mode sense a page faster than in their native mode; the presets have one time for both.
SENSE_IN_SLC_US = 25
SENSE_US = "nand.timing.t_read_us"

Point = tuple[int | None, float]  # a queue depth, or None if it is not stated, and thousands of requests per second


class Experiment(NamedTuple):
    """A run with some keys changed, which shows the cause of a difference."""

    name: str
    read_percent: int
    depth: int
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Drive:
    """A preset, the figures that are compared, and published speeds for the picture: of reads and of writes. `load` has
    the range that makers and reviewers access, if its size matters; `warm` is the number of reads that bring the
    mapping of this range into memory."""

    preset: str
    label: str
    load: Mapping[str, Any]
    warm: int
    compared: Sequence[str]
    experiments: Sequence[Experiment]
    reads: Mapping[str, Sequence[Point]]
    writes: Mapping[str, Sequence[Point]]

    @property
    def bits(self) -> int:
        return bits_per_cell(ns.load(self.preset))

    @property
    def has_static_cache(self) -> bool:
        return bool(ns.load(self.preset)[STATIC])

    def whole(self, **changes: Any) -> ns.Config:
        """Returns the drive when it is full. Its free blocks are those that remain when writes outrun collection, as
        they do here."""
        full = {OCCUPANCY: 1.0, "controller.precondition.order": "random", FREE: 2}
        return ns.load(self.preset, full | changes)

    def steady(self, pages: int, **changes: Any) -> ns.Config:
        """Returns a small drive in the steady state of the full one. Its mapping fits into memory."""
        return small(self.whole(**changes), BLOCKS, pages)


WRITES = ["cached_writes_1", "cached_writes_512"]
FAST_TLC, FAST_QLC = ({SENSE_US: [SENSE_IN_SLC_US] * bits} for bits in (3, 4))
DRIVES = [
    Drive(
        "client_tlc",
        "TLC for PCs",
        {},
        0,
        ["reads_1", "reads_8", "reads_32", "reads_512", *WRITES],
        [
            Experiment("fast_reads_1", 100, ONE_DEEP, FAST_TLC),
            Experiment("fast_reads_512", 100, DEEPEST, FAST_TLC),
        ],
        {
            "SK hynix P41, 1 TB": [(1, 23.4), (None, 1400)],
            "Lexar NM790, 4 TB": [(1, 20.2), (8, 133), (32, 479)],
            "Samsung 990 Pro, 1 TB": [(1, 20.0), (512, 1200)],
        },
        {
            "SK hynix P41": [(None, 1300)],
            "Lexar NM790, 4 TB": [(1, 57.1), (4, 253)],
            "Samsung 990 Pro, 1 TB": [(512, 1574)],
        },
    ),
    Drive(
        "client_qlc",
        "QLC for PCs",
        {"footprint_bytes": 8_000_000_000},
        16_000,
        ["reads_1", "reads_512", *WRITES],
        [
            Experiment("fast_reads_1", 100, ONE_DEEP, FAST_QLC),
            Experiment("fast_reads_512", 100, DEEPEST, FAST_QLC),
            Experiment("fast_reads_2_tb", 100, DEEPEST, FAST_QLC | {"nand.geometry.chips_per_channel": 4}),
            Experiment("one_core_writes", 0, DEEPEST, {"controller.firmware.cores": 1}),
        ],
        {
            "Intel 670p, 2 TB": [(1, 20), (256, 310)],
            "Solidigm P41 Plus, 2 TB": [(None, 390)],
            "Solidigm P41 Plus, 1 TB, pynvme": [(None, 9.54)],
        },
        {
            "Intel 670p, 2 TB": [(1, 54), (256, 340)],
            "Solidigm P41 Plus, 2 TB": [(None, 540)],
            "Solidigm P41 Plus, 1 TB, pynvme": [(None, 37.9)],
        },
    ),
]


@dataclass(frozen=True)
class Effort:
    """The extent of a run: queue depths of writes to the cache and in the steady state, the pages of a block and the
    drive writes of warm-up and window each in the steady state, and a factor for the requests of all other runs."""

    cached: Sequence[int]
    steady: Sequence[int]
    pages: int
    writes: float
    mixed: float
    scale: int


QUICK = Effort([ONE_DEEP, DEEPEST], [DEEP], pages=24, writes=0.1, mixed=0.05, scale=1)
FULL = Effort([*SHALLOW, DEEPEST], [ONE_DEEP, 16, DEEP], pages=48, writes=0.15, mixed=0.1, scale=4)


def tasks_of(drive: Drive, effort: Effort) -> list[Task]:
    """Returns the runs of a drive."""
    tasks = []

    def add(name: str, read_percent: int, depth: int, changes: Mapping[str, Any] = {}, **load: Any) -> None:
        warm = drive.warm if read_percent else 6000  # writes fill the buffer first
        given = {"block_bytes": RANDOM, "read_percent": read_percent, "queue_depth": depth} | load
        given["requests"] = warm + effort.scale * (3000 + 50 * depth)
        config = ns.load(drive.preset, {"simulation.warmup.requests": warm} | changes)
        tasks.append(Task(drive.preset, name, config, ns.synthetic(**given)))

    for depth in (*SHALLOW, DEEPEST):
        add(f"reads_{depth}", 100, depth, **drive.load)
    for depth in effort.cached:
        add(f"cached_writes_{depth}", 0, depth, **drive.load)
    for one in drive.experiments:
        add(one.name, one.read_percent, one.depth, one.changes, **drive.load)
    if drive.load:
        add("all_reads", 100, DEEPEST)

    def add_steady(name: str, config: ns.Config, depth: int, reads_percent: int, drive_writes: float) -> None:
        written = 2 * drive_writes * Capacity.of(config).exported_bytes / RANDOM
        requests = round(written / (1 - 0.01 * reads_percent))
        load = {"read_percent": reads_percent, "block_bytes": RANDOM, "queue_depth": depth, "requests": requests}
        warm = config.override({"simulation.warmup.drive_writes": drive_writes})
        tasks.append(Task(drive.preset, name, warm, ns.synthetic(**load)))

    steady = drive.steady(effort.pages)
    for depth in effort.steady:
        add_steady(f"steady_writes_{depth}", steady, depth, 0, effort.writes)
        add_steady(f"steady_mix_{depth}", steady, depth, 70, effort.mixed)
    if drive.has_static_cache:
        add_steady("no_cache_writes", drive.steady(effort.pages, **NO_CACHE), DEEP, 0, effort.writes)
    return tasks


def rows_of(drive: Drive, speeds: Mapping[str, Speed], effort: Effort, table: Published) -> list[Row]:
    """Returns the rows of a drive. `speeds` has the name of the run as key."""
    config = ns.load(drive.preset)
    accesses = {"block_bytes": RANDOM} | drive.load
    reads, mix = (ns.synthetic(read_percent=percent, **accesses) for percent in (100, 70))
    served, cached = (
        ns.ceilings(config, workload=reads).bound("random_read"),
        ns.ceilings(config, workload=mix, cached=True),
    )
    words = {"drive": drive.preset, "label": drive.label, "superblocks": config["nand.geometry.blocks_per_plane"]}
    firmware = config["controller.firmware"]
    command_us = firmware["command_cycles"] / firmware["clock_mhz"] + firmware["command_latency_us"] + 2
    read_us = command_us + firmware["read_cycles"] / firmware["clock_mhz"] + firmware["read_latency_us"]
    read_us += sum(config[SENSE_US]) / drive.bits + _transfer_us(config)
    write_us = command_us + firmware["write_cycles"] / firmware["clock_mhz"]
    servers = config.planes if config["nand.independent_plane_reads"] else config.dies
    # Of what the drive does: by arithmetic, the least and the most.
    arithmetic = {
        "reads_1": (0.95e6 / read_us, 1.05e6 / read_us),
        "reads_512": (served * DEEPEST / (DEEPEST + servers - 1), 1.05 * served),
        "cached_writes_1": (0.9e6 / write_us, 1.1e6 / write_us),
        "cached_writes_512": (0.9 * cached.bound("random_write"), cached.bound("random_write")),
    }

    def row(name: str, ours: float, **more: Any) -> Row:
        return table.row(name, ours, **(words | more))

    def of_drive(names: Iterable[str]) -> list[Row]:
        rows = []
        for name in names:
            least, most = arithmetic.get(name, (0, 0))
            middle = {"expected": (least + most) / 2, "reach": (most - least) / 2}
            rows.append(row(f"{drive.preset}.{name}", speeds[name].iops, **middle))
        return rows

    rows = of_drive([*drive.compared, *(one.name for one in drive.experiments)])
    if drive.load:
        of_all = ns.ceilings(config, workload=ns.synthetic(read_percent=100, block_bytes=RANDOM)).bound("random_read")
        rows.append(row("{drive}.all_reads_over_ceiling", speeds["all_reads"].iops / of_all, depth=DEEPEST))
    return [*rows, *_steady_rows(drive, speeds, effort, table, words)]


def _steady_rows(
    drive: Drive, speeds: Mapping[str, Speed], effort: Effort, table: Published, words: Mapping[str, Any]
) -> list[Row]:
    steady, rows = drive.steady(effort.pages), []
    for name, percent in (("writes", 0), ("mix", 70)):
        found = speeds[f"steady_{name}_{DEEP}"]
        load = ns.synthetic(read_percent=percent, block_bytes=RANDOM)
        bound = ns.ceilings(steady, workload=load, write_amplification=found.amplification).bound("workload")
        rows.append(table.row(f"{{drive}}.steady_{name}_over_ceiling", found.iops / bound, depth=DEEP, **words))

    def theory(config: ns.Config) -> float:
        return ns.ceilings(config, workload=ns.synthetic(read_percent=0, block_bytes=RANDOM)).write_amplification

    # Pages of the static cache hold data, and collection begins a block later.
    whole, gained = drive.whole(), ns.load(drive.preset)[STATIC] / 100 / drive.bits + 1 / BLOCKS
    more = whole.override({OVER_PROVISIONING: whole[OVER_PROVISIONING] + gained})
    expected = {"expected": theory(more), "reach": 0.08 * theory(more)}
    amplification = speeds[f"steady_writes_{DEEP}"].amplification
    rows.append(
        table.row(f"{drive.preset}.steady_amplification", amplification, paper=theory(whole), **expected, **words)
    )
    if drive.has_static_cache:
        alone = speeds["no_cache_writes"].amplification
        paper = theory(drive.whole(**NO_CACHE))
        rows.append(table.row(f"{drive.preset}.no_cache_amplification", alone, paper=paper, **words))
    return rows


def _transfer_us(config: ns.Config) -> float:
    """Returns the time in which the bytes of a read of 4 KiB, with their parity, cross the bus of a channel."""
    return (RANDOM + config["ecc.ldpc_parity_bytes"]) / config["channel.rate_mt_s"]


def draw(speeds: Mapping[str, Mapping[str, Speed]], effort: Effort) -> Figure:
    """Draws requests per second over queue depth, a row of panels for each drive."""
    titles = [f"{drive.label}: {name}" for drive in DRIVES for name in ("random reads of 4 KiB", "writes and mixes")]
    figure, axes = panels(2, 2, (13, 10), titles)
    for number, drive in enumerate(DRIVES):
        found = speeds[drive.preset]
        reads, writes = axes[2 * number : 2 * number + 2]
        nearby = " in 8 GB" if drive.load else ""
        lines = (
            (reads, "reads", (*SHALLOW, DEEPEST), f"simulated{nearby}", 0),
            (reads, "fast_reads", (ONE_DEEP, DEEPEST), f"with tR of {SENSE_IN_SLC_US} µs, as in SLC mode", 1),
            (writes, "cached_writes", effort.cached, "writes to the SLC cache", 0),
            (writes, "steady_writes", effort.steady, "writes, steady state of the full drive", 1),
            (writes, "steady_mix", effort.steady, "70 % reads, steady state of the full drive", 2),
        )
        for panel, name, depths, label, colour in lines:
            rates = [1e-3 * found[f"{name}_{depth}"].iops for depth in depths]
            panel.plot(depths, rates, "o" if name == "fast_reads" else "o-", color=COLOURS[colour], label=label)
        if "all_reads" in found:
            reads.plot(
                [DEEPEST], [1e-3 * found["all_reads"].iops], "s", color=COLOURS[2], label="reads of all its data"
            )
        for panel, published in ((reads, drive.reads), (writes, drive.writes)):
            for mark, (name, points) in zip("Ds^v", published.items(), strict=False):
                places = [3 * DEEPEST if depth is None else depth for depth, _ in points]
                rates = [rate for _, rate in points]
                panel.plot(places, rates, mark, color=PUBLISHED_COLOUR, label=name, fillstyle="none")
            ticks = [*SHALLOW, DEEPEST, 3 * DEEPEST]
            panel.set(xscale="log", yscale="log", xlabel="queue depth", ylabel="thousand requests per second")
            panel.set_xticks(ticks, [*map(str, ticks[:-1]), "not stated"])
            panel.minorticks_off()
            panel.yaxis.set_major_formatter("{x:g}")
            panel.legend(loc="upper left")
    return figure
