# SPDX-License-Identifier: Apache-2.0
"""How long a drive lasts: the data that its host can write before the blocks reach their rated cycles."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from nandscape import _core, unknown
from nandscape._core import FEWEST_SAMPLES
from nandscape.ceilings import Capacity, sizes_of
from nandscape.config import Config, load
from nandscape.errors import Error
from nandscape.result import Result
from nandscape.simulation import ProgressCallback, Simulation, result_of
from nandscape.workload import Workload, as_list

DAYS_PER_YEAR = 365.25
_AMPLIFICATION = "controller.write_amplification"
_RATED_CYCLES = "nand.cells.failures.rated_cycles"


@dataclass(frozen=True)
class Endurance:
    """The data that a host can write in the life of a drive, by its write amplification.

    A life ends when the blocks, on average, have been erased `rated_cycles` times. In the form of JEDEC JESD218, which
    rates drives by the terabytes written (TBW),

        TBW = raw_bytes rated_cycles / write_amplification,   DWPD = TBW / (exported_bytes days of the warranty).

    All flash counts, `raw_bytes`, since the spare blocks wear like the others; makers who put the exported capacity in
    its place get a lower figure by the share of spare flash. Wear is taken as even; the columns `cycles` of
    `Simulation.blocks` show whether it is. JESD219 describes the workloads of a rating: a figure holds for the workload
    of the run only.

    `write_amplification`: bytes programmed over bytes written by the host, in the window. `spread`: its largest less
    its smallest value in the last five rounds of the window, over the mean. The other figures are inversely
    proportional to it and have the same spread. `samples`: flash pages programmed with host data in the window.
    `erases`: blocks of the flash erased in it. `window_s`: its begin and end in simulated seconds, and
    `window_drive_writes`: data written in it, over the capacity. `warranty_years`: years that `drive_writes_per_day`
    refers to. A figure that the run does not give is NaN; `why_unknown` tells the reason.

    `Endurance.of` calculates these figures from a write amplification that is known otherwise.
    """

    rated_cycles: float
    raw_bytes: int
    exported_bytes: int
    warranty_years: float
    write_amplification: float
    spread: float = math.nan
    samples: int = 0
    erases: int = 0
    window_s: tuple[float, float] = (math.nan, math.nan)
    window_drive_writes: float = math.nan
    _reasons: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        config: Config,
        write_amplification: float,
        *,
        rated_cycles: float | None = None,
        warranty_years: float = 5,
    ) -> Endurance:
        """Returns the endurance of the drive that `config` describes at a given write amplification. The figures of a
        window are NaN or 0. The other arguments, and the errors, are those of `endurance`. Raises `Error` unless the
        write amplification is positive."""
        if not write_amplification > 0:
            raise Error(f"write_amplification is {write_amplification}; it must be above 0")
        reasons = {"spread": "the write amplification was given, not measured"}
        drive = _drive(config, rated_cycles, warranty_years)
        return cls(**drive, write_amplification=write_amplification, _reasons=MappingProxyType(reasons))

    @property
    def terabytes_written(self) -> float:
        """The data that the host can write in the life of the drive, in TB (10^12 bytes): TBW."""
        return 1e-12 * self.rated_cycles * self.raw_bytes / self.write_amplification

    @property
    def drive_writes(self) -> float:
        """The same data, over the exported capacity."""
        return 1e12 * self.terabytes_written / self.exported_bytes

    @property
    def drive_writes_per_day(self) -> float:
        """The drive writes per day with which the life lasts `warranty_years`: DWPD."""
        return self.drive_writes / (self.warranty_years * DAYS_PER_YEAR)

    def why_unknown(self, name: str) -> str | None:
        """Returns the reason why the figure of that name is NaN, or None if it is known. Raises KeyError if there is no
        figure of that name."""
        if name.startswith("_") or not isinstance(getattr(self, name, None), (int, float)):
            raise KeyError(f"there is no figure {name!r} of an endurance")
        if not math.isnan(getattr(self, name)):
            return None
        reasons = self._reasons
        return reasons.get(name) or reasons.get("write_amplification") or "the endurance was not measured in a window"

    def __str__(self) -> str:
        if math.isnan(self.write_amplification):
            return f"endurance unknown: {self.why_unknown('write_amplification')}"
        text = (
            f"{self.terabytes_written:,.4g} TB written, {self.drive_writes_per_day:.3g} drive writes per day for "
            f"{self.warranty_years:g} years; {self.rated_cycles:,.6g} cycles at a write amplification of "
            f"{self.write_amplification:.3f}"
        )
        return text if math.isnan(self.spread) else f"{text} (spread {self.spread:.1%}, {self.samples:,} pages)"


def endurance(
    source: Config | Result | Simulation | str | os.PathLike[str] | Mapping[str, Any],
    *,
    workload: Workload | None = None,
    rated_cycles: float | None = None,
    warranty_years: float = 5,
    most_drive_writes: float = 10,
    progress: bool | ProgressCallback = False,
) -> Endurance:
    """Returns how much data a host can write in the life of a drive.

    `source`: a configuration, or the first argument of `load`; the function then runs the workload until the write
    amplification is steady (`steady_state`), and measures the five steady rounds. A synthetic workload writes
    `most_drive_writes` times the capacity at most, regardless of its `requests`. Or the result, or the simulation, of a
    run: its measured window is used as it is. Only the figure `controller.write_amplification` as
    `simulation.steady.figure` gives a `spread`.

    `rated_cycles`: program/erase cycles in the life of a block; default: `nand.cells.failures.rated_cycles`, by which
    the SMART log of the drive counts, too. Drives with a published rating have it in their preset; the default of that
    key, 3000, has no source.

    The figures are NaN if the window is not steady (`Result.verdict`), if fewer than ten blocks were erased in it, and
    if many blocks were erased before they were full. Issues the warnings of `run`. Raises `Error` for cycles, years or
    drive writes that are not positive, for a workload beside a result, and for a synthetic workload without writes.
    """
    if isinstance(source, (Result, Simulation)):
        if workload is not None:
            raise Error("workload is given, but the source has run its own; give the configuration in place of it")
        result = source.result() if isinstance(source, Simulation) else source
        drive = _drive(result.config, rated_cycles, warranty_years)
    else:
        config = source if isinstance(source, Config) else load(source)
        if workload is not None:
            config = config.override({"host.workload": as_list(workload)})
        drive = _drive(config, rated_cycles, warranty_years)
        result = result_of(_bounded(config, most_drive_writes), progress, until_steady=True)
    return _measured(result, drive)


def _drive(config: Config, rated_cycles: float | None, warranty_years: float) -> dict[str, Any]:
    """Returns the fields of an `Endurance` that do not depend on a run."""
    cycles = config[_RATED_CYCLES] if rated_cycles is None else rated_cycles
    for name, value in (("rated_cycles", cycles), ("warranty_years", warranty_years)):
        if not value > 0:
            raise Error(f"{name} is {value}; it must be above 0")
    capacity = Capacity.of(config)
    return {
        "rated_cycles": cycles,
        "raw_bytes": capacity.raw_bytes,
        "exported_bytes": capacity.exported_bytes,
        "warranty_years": warranty_years,
    }


def _bounded(config: Config, most_drive_writes: float) -> Config:
    """Returns the configuration whose steady figure is the write amplification, and whose synthetic workloads end after
    `most_drive_writes` drive writes."""
    if not most_drive_writes > 0:
        raise Error(f"most_drive_writes is {most_drive_writes}; it must be above 0")
    bytes_written = most_drive_writes * Capacity.of(config).exported_bytes
    bounded = []
    for each in as_list(config["host.workload"]):
        if each.get("kind") == "synthetic":
            share = 1 - (each["read_percent"] + each["trim_percent"]) / 100
            if share <= 0:
                raise Error(
                    "host.workload has no writes: read_percent and trim_percent add up to 100; only writes wear a "
                    "drive, so the sum must be below 100"
                )
            mean_bytes = sum(size * part for size, part in sizes_of(each).items())
            each = each | {"requests": math.ceil(bytes_written / mean_bytes / share)}
        bounded.append(each)
    changes = {"host.workload": bounded, "simulation.steady.figure": _AMPLIFICATION}
    return config.override({**changes, "simulation.request_log": False})  # a log of all requests would take much memory


def _measured(result: Result, drive: dict[str, Any]) -> Endurance:
    stats, config = result.stats, result.config
    if "controller" not in stats:
        kind = config["simulation.blocks.drive"]["kind"]
        raise Error(
            f"the drive is of kind {kind} (simulation.blocks.drive), which does not report {_AMPLIFICATION}; that of "
            "built_in does"
        )
    window = stats["window"]
    reasons = {}
    if (reason := _why_unknown(result)) is not None:
        reasons["write_amplification"] = reasons["spread"] = reason
    elif config["simulation.steady.figure"] != _AMPLIFICATION:
        reasons["spread"] = (
            f"simulation.steady.figure is {config['simulation.steady.figure']}, whose spread over the rounds is "
            f"measured; {_AMPLIFICATION} gives that of the endurance"
        )
    return Endurance(
        **drive,
        write_amplification=stats["controller"]["write_amplification"] if reason is None else math.nan,
        spread=math.nan if "spread" in reasons else window["range"],
        samples=stats["controller"]["host_pages"],
        erases=stats["nand"]["block_erases"],
        window_s=(window["begin_s"], window["end_s"]),
        window_drive_writes=window["drive_writes"],
        _reasons=MappingProxyType(reasons),
    )


def _why_unknown(result: Result) -> str | None:
    """Returns the reason why the measured window does not give the write amplification of the drive's life, or None if
    it does."""
    stats = result.stats
    controller, erases = stats["controller"], stats["nand"]["block_erases"]
    if (reason := unknown.why(stats, _AMPLIFICATION)) is not None:
        return reason
    if not stats["window"]["steady"]:
        return result.verdict or "the window is not steady"
    if erases < FEWEST_SAMPLES:
        return f"{erases} blocks were erased in the window; the wear by its writes takes {FEWEST_SAMPLES}"
    # In a steady window, the free space changes by a tenth of the host writes at most, beside its fluctuation of a
    # superblock times the root of the number of superblocks that are open side by side.
    pages = result.config["nand.geometry.pages_per_block"]
    side_by_side, planes = _core.superblocks(result.config._core)
    fluctuation = planes * pages * math.sqrt(side_by_side)
    most = controller["programmed_pages"] + 0.1 * controller["host_pages"] + fluctuation
    if erases * pages > most:
        share = controller["programmed_pages"] / (erases * pages)
        return f"the blocks erased in the window had {share:.0%} of their pages programmed, so they wear faster"
    return None
