# SPDX-License-Identifier: Apache-2.0
"""Upper bounds on the rates of a drive, computed from its configuration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from nandscape import _core
from nandscape.config import Config
from nandscape.errors import Error
from nandscape.workload import Workload, as_list

ACCESSES = ("random_read", "random_write", "sequential_read", "sequential_write")

# Resources in the order in which a request meets them, and their names in tables.
RESOURCES = {
    "link upstream": "PCIe link, reads",
    "link downstream": "PCIe link, writes",
    "firmware": "firmware",
    "dram": "DRAM",
    "channels": "channels",
    "dies": "dies",
    "decoders": "decoders",
    "encoders": "encoders",
}

_MIB = 1 << 20


@dataclass(frozen=True)
class Capacity:
    """Capacity of a drive. `raw_bytes`: bytes of all flash pages. `exported_bytes`: capacity that the host sees.
    `effective_spare`: spare flash that is available to garbage collection (`Config.effective_over_provisioning`)."""

    raw_bytes: int
    exported_bytes: int
    effective_spare: float

    @staticmethod
    def of(config: Config) -> Capacity:
        """Returns the capacity of the drive that `config` describes, without building it."""
        return Capacity(*_core.capacity(config._core))

    def __str__(self) -> str:
        return (
            f"{self.exported_bytes / 1e9:,.4g} GB exported from {self.raw_bytes / 1e9:,.4g} GB of flash; "
            f"effective spare {self.effective_spare:.1%}"
        )


@dataclass(frozen=True)
class Ceilings:
    """Requests per second at which each resource would be in use all the time, for each kind of access.

    `block_bytes`: mean size of a request in bytes. `write_amplification`: write amplification of random writes.
    `planes_at_once`: planes of a die that every program fills, all of them if `controller.scheduler.multi_plane` is
    set. Random writes approach the ceiling of the dies only if pages for all these planes are pending at the same time;
    otherwise each program writes fewer pages. `iops`: the ceilings by resource (`RESOURCES`) and kind of access
    (`ACCESSES`, and "workload" for the mix of the workload); infinite where the access does not need the resource.
    `print(ceilings)` shows a table that marks the lowest ceiling of each column."""

    block_bytes: float
    write_amplification: float
    planes_at_once: int
    iops: Mapping[str, Mapping[str, float]]

    @property
    def accesses(self) -> tuple[str, ...]:
        """The kinds of access, which are the columns of the table."""
        return tuple(next(iter(self.iops.values())))

    def least(self, access: str) -> str:
        """Returns the resource with the lowest ceiling for a kind of access. Raises `Error` for a kind not in
        `accesses`."""
        self._check(access)
        return min(self.iops, key=lambda resource: self.iops[resource][access])

    def bound(self, access: str) -> float:
        """Returns the lowest ceiling for a kind of access, in requests per second. No run exceeds this rate. Raises
        `Error` if `access` is not in `accesses`."""
        return self.iops[self.least(access)][access]

    def mib_s(self, resource: str, access: str) -> float:
        """Returns the ceiling of a resource for a kind of access, in MiB per second. Raises `Error` for a kind of
        access not in `accesses`."""
        self._check(access)
        return self.iops[resource][access] * self.block_bytes / _MIB

    def _check(self, access: str) -> None:
        if access not in self.accesses:
            raise Error(f"unknown access '{access}'; expected one of {', '.join(self.accesses)}")

    def __str__(self) -> str:
        from nandscape.cli.tables import figures

        columns = [f"{self.block_bytes:,.0f} bytes: IOPS, MiB/s"]
        columns += [access.replace("_", " ") for access in self.accesses]
        rows = []
        for resource in self.iops:
            row = [RESOURCES[resource]]
            for access in self.accesses:
                iops = self.iops[resource][access]
                mark = "*" if resource == self.least(access) and math.isfinite(iops) else " "
                row.append("- " if math.isinf(iops) else f"{iops:,.0f}, {self.mib_s(resource, access):,.0f}{mark}")
            if any(math.isfinite(iops) for iops in self.iops[resource].values()):
                rows.append(row)
        note = f"* the lowest ceiling; random writes at a write amplification of {self.write_amplification:.2f}"
        if self.planes_at_once > 1:
            note += (
                f"\n  each program fills {self.planes_at_once} planes of its die; random writes that fill fewer stay "
                "below the ceiling of the dies"
            )
        return f"{figures(columns, rows)}\n{note}"


def ceilings(
    config: Config,
    *,
    workload: Workload | None = None,
    write_amplification: float | None = None,
    cached: bool = False,
) -> Ceilings:
    """Computes the request rates to which the link, firmware, DRAM, channels, dies, decoders and encoders limit a
    drive.

    `workload`: a workload or a list of them; default: that of the configuration. A single synthetic workload sets the
    size of requests, and the result has a column for its mix ("workload"). For any other workload, requests of 4 KiB
    are assumed. `write_amplification`: the ratio of bytes programmed to bytes written, for random and for sequential
    writes. The default is 1 for sequential writes; for random writes, the value that greedy collection reaches in
    equilibrium at the drive's effective spare and with the data that it holds at the start; a drive that starts empty
    counts as full. A random write smaller than a mapping unit programs the whole unit. With
    `controller.scheduler.multi_plane`, each program fills all planes of its die (`Ceilings.planes_at_once`). The
    formulas are in `platform/ceilings/drive_ceilings.h`.

    Look-ups of the mapping (`controller.mapping`) count in DRAM, link and dies. How many of them miss in memory follows
    from the size of the footprint, if the workload accesses it uniformly or in order; for other workloads, all are
    taken to hit.

    `cached`: whether the SLC cache (`controller.slc_cache`) takes all writes and holds all data that are read; nothing
    is collected then. By default, the cache is not used. A drive with such a cache may exceed the default bounds as
    long as the cache has room.

    Raises `ConfigError` for an invalid workload, and `Error` for a write amplification below 0.
    """
    if write_amplification is not None and not write_amplification >= 0:
        raise Error(f"write_amplification is {write_amplification}; it must be 0 or more")
    if workload is not None:
        config = config.override({"host.workload": as_list(workload)})
    given = config["host.workload"]
    loads = given if isinstance(given, list) else [given]
    load = loads[0] if len(loads) == 1 and loads[0].get("kind", "synthetic") == "synthetic" else None
    sizes = sizes_of(load)
    mix = None if load is None else _mix(load)
    return _ceilings(config, sizes, write_amplification, mix, cached, _range_bytes(config, load))


def ceilings_of_run(config: Config, stats: Mapping[str, Any]) -> Ceilings | None:
    """Returns the ceilings for the requests of a run, with a column for their mix ("workload"). All requests are taken
    to have the mean size, and the write amplification is the measured one. If any write went to an SLC cache, the
    ceilings are those of the cache. Returns None for a run without reads and writes."""
    host = stats["host"]
    reads, writes = host["read"]["count"], host["write"]["count"]
    if reads + writes == 0 or not host["iops"]:
        return None
    given = config["host.workload"]
    loads = given if isinstance(given, list) else [given]
    in_order = all(load.get("pattern") == "sequential" for load in loads)
    sector = 512
    mean_bytes = max(sector, round(host["bandwidth_mib_s"] * _MIB / host["iops"] / sector) * sector)
    measured = stats["controller"]["write_amplification"]
    amplification = measured if writes and measured is not None and math.isfinite(measured) else None
    order = "sequential" if in_order else "random"
    share = reads / (reads + writes)
    cached = stats["controller"]["slc_cache"]["cached_units"] > 0
    mix = {f"{order}_read": share, f"{order}_write": 1 - share}
    return _ceilings(config, {mean_bytes: 1.0}, amplification, mix, cached, range_bytes=None)


def sizes_of(load: Mapping[str, Any] | None) -> dict[int, float]:
    """Returns the share of the requests that each request size, in bytes, has."""
    if load is None:
        return {4096: 1.0}
    mixed = load.get("block_mix") or [{"block_bytes": load["block_bytes"], "weight": 1}]
    total = sum(one["weight"] for one in mixed)
    return {int(one["block_bytes"]): one["weight"] / total for one in mixed}


def _mix(load: Mapping[str, Any]) -> dict[str, float]:
    order = "sequential" if load["pattern"] == "sequential" else "random"
    reads = load["read_percent"] / 100
    return {f"{order}_read": reads, f"{order}_write": 1 - reads}


def _range_bytes(config: Config, load: Mapping[str, Any] | None) -> int | None:
    """Returns the size of the range that the workload accesses evenly, or None if it prefers a part of it."""
    if load is None or load["pattern"] not in ("uniform", "sequential"):
        return None
    if load["footprint_bytes"]:
        return int(load["footprint_bytes"])
    share = load["footprint_fraction"] or config["controller.precondition.occupancy"] or 1.0
    return max(1, int(share * Capacity.of(config).exported_bytes))


def _ceilings(
    config: Config,
    sizes: Mapping[int, float],
    write_amplification: float | None,
    mix: Mapping[str, float] | None,
    cached: bool,
    range_bytes: int | None,
) -> Ceilings:
    """Returns the ceilings for a mix of request sizes, from the mean time for which a request occupies each
    resource."""
    sums = {resource: dict.fromkeys(ACCESSES, 0.0) for resource in RESOURCES}
    amplification, planes = 1.0, 1
    for size, share in sizes.items():
        amplification, planes, demands = _core.ceilings(config._core, size, write_amplification, cached, range_bytes)
        for resource, seconds in demands.items():
            for access in ACCESSES:
                sums[resource][access] += share * seconds[access]
    iops = {}
    for resource, seconds in sums.items():
        if mix is not None:
            seconds = {**seconds, "workload": sum(share * seconds[access] for access, share in mix.items())}
        iops[resource] = MappingProxyType({access: 1 / s if s > 0 else math.inf for access, s in seconds.items()})
    mean_bytes = sum(size * share for size, share in sizes.items())
    return Ceilings(mean_bytes, amplification, planes, MappingProxyType(iops))
