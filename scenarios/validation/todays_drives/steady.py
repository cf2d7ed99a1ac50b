# SPDX-License-Identifier: Apache-2.0
"""Reads and writes of an enterprise drive: over queue depth, in the steady state of collection, and in order."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from matplotlib.figure import Figure

import nandscape as ns
from comparison.pictures import PUBLISHED_COLOUR, panels
from comparison.published import Published
from comparison.rows import Row
from nandscape.ceilings import Capacity
from nandscape.errors import ConfigWarning
from nandscape.pictures.style import COLOURS

RANDOM, SEQUENTIAL = 4096, 131072
DEEP, DEEPEST = 256, 512
OVER_PROVISIONING = "controller.mapping.over_provisioning"
PAGES_PER_BLOCK, BLOCKS_PER_PLANE = "nand.geometry.pages_per_block", "nand.geometry.blocks_per_plane"
BLOCKS = 96
ERASE_US = "nand.timing.t_bers_us"
LINK = "host.link.generation"
QUANTILES = {"p50": "median", "p99": "p99", "p9999": "p99.99"}


def small(whole: ns.Config, blocks: int, pages: int) -> ns.Config:
    """Returns a drive in the steady state of random writes, small enough to be overwritten in a run. It has `blocks`
    superblocks with `pages` pages in each block, the effective spare flash of the whole drive, and the same share of
    time for erases."""
    erase_us = whole[ERASE_US] * pages / whole[PAGES_PER_BLOCK]
    fewer = whole.override({BLOCKS_PER_PLANE: blocks, PAGES_PER_BLOCK: pages, ERASE_US: erase_us})
    target = Capacity.of(whole).effective_spare
    low, high = whole[OVER_PROVISIONING], 10.0
    while high - low > 1e-5:
        middle = (low + high) / 2
        enough = Capacity.of(fewer.override({OVER_PROVISIONING: middle})).effective_spare >= target
        low, high = (low, middle) if enough else (middle, high)
    return fewer.override({OVER_PROVISIONING: high, "controller.precondition.distribution": "steady_state"})


@dataclass(frozen=True)
class Drive:
    """A preset and the spare flash of the published drives that it is compared with, by the suffix of their row.

    `shown` holds published speeds for the picture, in thousands of requests per second: reads, and the least and the
    most writes of the family."""

    preset: str
    label: str
    spares: Mapping[str, float]
    shown: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    @cached_property
    def config(self) -> ns.Config:
        return ns.load(self.preset)

    def steady(self, pages: int, spare: float | None = None) -> ns.Config:
        """Returns the small drive of the steady state. `spare` replaces the over-provisioning of the preset."""
        whole = self.config if spare is None else self.config.override({OVER_PROVISIONING: spare})
        return small(whole, BLOCKS, pages)


# The spare flash is that of 3.84 TB and of 3.2 TB exported from 4 TiB.
DRIVES = [
    Drive(
        "enterprise_tlc",
        "enterprise TLC",
        {"1_dwpd": 0.145, "3_dwpd": 0.374},
        {
            "Kioxia CM6": (1400, 170, 350),
            "Kioxia CD6": (1000, 85, 250),
            "Micron 9200": (840, 285, 285),
            "Intel P4500, 4 TB": (645, 62.5, 62.5),
            "Samsung PM983, 3.84 TB": (540, 50, 50),
        },
    )
]


@dataclass(frozen=True)
class Effort:
    """The extent of a run of the study. `pages` is the number of pages of a block where the steady state is measured;
    `writes` and `mixed` are the drive writes of warm-up and window each, without and with reads; `scale` multiplies
    the requests of all other runs."""

    depths: Sequence[int]
    pages: int
    writes: float
    mixed: float
    scale: int


QUICK = Effort([1, 16, DEEP], pages=24, writes=0.25, mixed=0.12, scale=1)
FULL = Effort([1, 4, 16, 64, DEEP], pages=96, writes=0.25, mixed=0.25, scale=5)


class Task(NamedTuple):
    """A run: the name of its drive and its own name, configuration and workload."""

    drive: str
    name: str
    config: ns.Config
    workload: ns.Workload


class Speed(NamedTuple):
    """The speed of a run: requests and 1e6 bytes per second, quantiles of the latency of its reads, or of its writes if
    it has no reads, by name, the write amplification, and the mean power."""

    iops: float
    mb_s: float
    latency_us: Mapping[str, float]
    amplification: float
    watts: float


def tasks_of(drive: Drive, effort: Effort) -> list[Task]:
    """Returns the runs of a drive."""
    sequential = {"block_bytes": SEQUENTIAL, "pattern": "sequential", "queue_depth": 32}
    tasks = []

    def add(name: str, config: ns.Config, **load: Any) -> None:
        tasks.append(Task(drive.preset, name, config, ns.synthetic(**({"block_bytes": RANDOM} | load))))

    def add_steady(name: str, config: ns.Config, drive_writes: float, **load: Any) -> None:
        """Adds a run that writes `drive_writes` times the capacity before its window, and as much within."""
        written = 2 * drive_writes * Capacity.of(config).exported_bytes / load.get("block_bytes", RANDOM)
        warm = config.override({"simulation.warmup.drive_writes": drive_writes})
        add(name, warm, requests=round(written / (1 - 0.01 * load["read_percent"])), **load)

    whole, steady = drive.config, drive.steady(effort.pages)
    for depth in effort.depths:
        add_steady(f"writes_{depth}", steady, effort.writes, read_percent=0, queue_depth=depth)
        add_steady(f"mix_{depth}", steady, effort.mixed, read_percent=70, queue_depth=depth)
    for name, spare in drive.spares.items():
        few = drive.steady(effort.pages, spare)
        add_steady(f"writes_{name}", few, effort.writes, read_percent=0, queue_depth=DEEP)
    in_order = {"controller.precondition.distribution": "scattered", "controller.precondition.invalid_page_ratio": 0}
    add_steady("sequential_writes", drive.steady(FULL.pages).override(in_order), 0.3, read_percent=0, **sequential)
    for depth in effort.depths:
        add(f"reads_{depth}", whole, read_percent=100, queue_depth=depth, requests=effort.scale * (5_000 + 200 * depth))
    for suffix, config in (("", whole), ("_generation_3", whole.override({LINK: 3}))):
        deep = {"read_percent": 100, "queue_depth": DEEPEST, "requests": effort.scale * 100_000}
        add(f"reads{suffix or f'_{DEEPEST}'}", config, **deep)
        add(f"sequential_reads{suffix}", config, read_percent=100, requests=effort.scale * 6_000, **sequential)
    return tasks


def simulate(task: Task) -> Speed:
    with warnings.catch_warnings():
        # Small drives need more over-provisioning for the same effective spare flash. The rate of their writes swings
        # with each superblock that is collected, but means over windows of the same length differ by 1 %.
        warnings.simplefilter("ignore", ConfigWarning)
        warnings.filterwarnings("ignore", "not steady", ns.TransientWarning)
        stats = ns.run(task.config.override({"simulation.request_log": False}), workload=task.workload).stats
    host = stats["host"]
    kind = host["read"] if host["read"]["count"] else host["write"]
    mb_s = host["bandwidth_mib_s"] * 1.048576
    latency_us = {name: kind["latency_us"][name] for name in QUANTILES}
    amplification, watts = stats["controller"]["write_amplification"], stats["power"]["mean_w"]
    return Speed(host["iops"], mb_s, latency_us, amplification, watts)


def rows_of(drive: Drive, speeds: Mapping[str, Speed], effort: Effort, table: Published) -> list[Row]:
    """Returns the rows of a drive. `speeds` has the name of the run as key."""
    whole = ns.ceilings(drive.config, workload=ns.synthetic(read_percent=70, block_bytes=RANDOM))
    large = ns.ceilings(drive.config, workload=ns.synthetic(block_bytes=SEQUENTIAL))
    steady = ns.ceilings(drive.steady(effort.pages), workload=ns.synthetic(read_percent=70, block_bytes=RANDOM))
    firmware, dies = drive.config["controller.firmware"], drive.config.dies
    words = {"drive": drive.preset, "label": drive.label}

    def row(name: str, ours: Any, **more: Any) -> Row:
        return table.row(f"{{drive}}.{name}", ours, **(words | more))

    def between(name: str, ours: float, least: float, most: float, **more: Any) -> Row:
        return row(name, ours, expected=(least + most) / 2, reach=(most - least) / 2, **more)

    def mb_s(access: str) -> float:
        return 1e-6 * SEQUENTIAL * large.bound(access)

    cores_us = (firmware["command_cycles"] + firmware["write_cycles"]) / firmware["clock_mhz"]
    write_us = cores_us + firmware["command_latency_us"] + 2
    reads = whole.bound("random_read")
    spare = drive.config[OVER_PROVISIONING]
    return [
        row("read_latency", speeds["reads_1"].latency_us["p50"]),
        row("write_latency", speeds["writes_1"].latency_us["p50"], expected=write_us),
        between("reads", speeds[f"reads_{DEEPEST}"].iops, reads * DEEPEST / (DEEPEST + dies - 1), reads, depth=DEEPEST),
        row("reads_generation_3", speeds["reads_generation_3"].iops, depth=DEEPEST),
        row("sequential_reads_generation_3", speeds["sequential_reads_generation_3"].mb_s),
        row("sequential_reads", speeds["sequential_reads"].mb_s),
        between(
            "sequential_writes",
            speeds["sequential_writes"].mb_s,
            0.9 * mb_s("sequential_write"),
            mb_s("sequential_write"),
        ),
        *(row(f"writes_{name}", speeds[f"writes_{name}"].iops, spare=of) for name, of in drive.spares.items()),
        row("writes", speeds[f"writes_{DEEP}"].iops, spare=spare),
        row("write_amplification", speeds[f"writes_{DEEP}"].amplification, paper=whole.write_amplification),
        row("writes_over_ceiling", speeds[f"writes_{DEEP}"].iops / steady.bound("random_write"), depth=DEEP),
        row("write_watts", speeds[f"writes_{DEEP}"].watts, depth=DEEP),
        row("read_watts", speeds["sequential_reads"].watts),
        row("mix_over_ceiling", speeds[f"mix_{DEEP}"].iops / steady.bound("workload"), depth=DEEP),
    ]


def draw(drive: Drive, speeds: Mapping[str, Speed], depths: Sequence[int]) -> Figure:
    """Draws requests per second and latencies of reads over depth. Published speeds stand at the right, since few name
    their depth."""
    titles = ("random reads of 4 KiB", "random writes of 4 KiB, and 70 % reads, steady state", "latencies of reads")
    figure, (reads, writes, latencies) = panels(1, 3, (18, 5), titles)
    for number, (quantile, label) in enumerate(QUANTILES.items()):
        for name, line, beside in (("reads", "-", "reads only"), ("mix", "--", "in the mix")):
            drawn = [1e-3 * speeds[f"{name}_{depth}"].latency_us[quantile] for depth in depths]
            latencies.plot(depths, drawn, f"o{line}", color=COLOURS[number], label=f"{label}, {beside}")
    latencies.set(xscale="log", yscale="log", xlabel="queue depth", ylabel="ms")
    latencies.set_xticks(depths, depths)
    latencies.minorticks_off()
    latencies.legend(loc="upper left")
    for axes, name, colour in ((reads, "reads", 0), (writes, "writes", 0), (writes, "mix", 1)):
        rates = [1e-3 * speeds[f"{name}_{depth}"].iops for depth in depths]
        axes.plot(depths, rates, "o-", color=COLOURS[colour], label=f"{drive.label}: {name}")
    place = 3 * depths[-1]
    for number, (name, (read, least, most)) in enumerate(drive.shown.items()):
        marker = {"marker": "Ds^vP"[number % 5], "linestyle": "-", "color": PUBLISHED_COLOUR, "label": name}
        reads.plot([place], [read], **marker)
        writes.plot([place] * 2, [least, most], **marker)
    for axes in (reads, writes):
        axes.set(xscale="log", xlabel="queue depth (red: published, depth not stated)", ylim=(0, None))
        axes.set_xticks(depths, depths)
        axes.minorticks_off()
        axes.set_ylabel("thousand requests per second")
        axes.legend(loc="upper left")
    return figure
