# SPDX-License-Identifier: Apache-2.0
"""The rates that no run of a drive is above, by arithmetic from its configuration."""

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
    """`raw_bytes`: of all pages of the flash. `exported_bytes`: what the host can write to. `effective_spare`: spare
    flash as collection finds it (`Config.effective_over_provisioning`)."""

    raw_bytes: int
    exported_bytes: int
    effective_spare: float

    @staticmethod
    def of(config: Config) -> Capacity:
        """That of a drive, without building it."""
        return Capacity(*_core.capacity(config._core))

    def __str__(self) -> str:
        return (
            f"{self.exported_bytes / 1e9:,.4g} GB for the host of {self.raw_bytes / 1e9:,.4g} GB of flash; "
            f"effective spare {self.effective_spare:.1%}"
        )


@dataclass(frozen=True)
class Ceilings:
    """Requests per second at which each resource would be in use all the time, for each kind of access.

    `block_bytes`: of a request. `write_amplification`: of random writes. `iops`: by resource
    (`RESOURCES`) and kind of access (`ACCESSES`, and "workload" for the mix that was asked for); infinite where the
    access does not need the resource. `print(ceilings)` shows them as a table, the least of each column marked."""

    block_bytes: float
    write_amplification: float
    iops: Mapping[str, Mapping[str, float]]

    @property
    def accesses(self) -> tuple[str, ...]:
        """The kinds of access, columns of the table."""
        return tuple(next(iter(self.iops.values())))

    def least(self, access: str) -> str:
        """The resource that bounds that kind of access. Raises `Error` for a kind that is not among `accesses`."""
        self._check(access)
        return min(self.iops, key=lambda resource: self.iops[resource][access])

    def bound(self, access: str) -> float:
        """Requests per second that no run is above. Raises `Error` for a kind that is not among `accesses`."""
        return self.iops[self.least(access)][access]

    def mib_s(self, resource: str, access: str) -> float:
        """One of the ceilings as MiB per second."""
        self._check(access)
        return self.iops[resource][access] * self.block_bytes / _MIB

    def _check(self, access: str) -> None:
        if access not in self.accesses:
            raise Error(f"no access '{access}'; there are {', '.join(self.accesses)}")

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
        note = f"* the least one; random writes at a write amplification of {self.write_amplification:.2f}"
        return f"{figures(columns, rows)}\n{note}"


def ceilings(config: Config, workload: Workload | None = None, *, write_amplification: float | None = None) -> Ceilings:
    """The rates that no run of the drive is above: of link, firmware, DRAM, channels, dies, decoders and encoders.

    `workload` says how large requests are: a synthetic one, or several as a list, by default that of the configuration;
    others are taken for requests of 4 KiB. With one synthetic workload the result has its mix, too ("workload").
    `write_amplification`: bytes programmed over bytes written, of writes in both orders. By default that of greedy
    collection in balance at the drive's effective spare in random order, and 1 in sequential order; random writes of
    less than a mapping unit bear that of the whole unit. The formulas are in `platform/ceilings/drive_ceilings.h`.

    Raises `ConfigError` for a workload that is none, and `Error` for a write amplification below 0.
    """
    if write_amplification is not None and not write_amplification >= 0:
        raise Error(f"a write amplification of {write_amplification} is below 0")
    if workload is not None:
        config = config.override({"host.workload": as_list(workload)})
    given = config["host.workload"]
    loads = given if isinstance(given, list) else [given]
    load = loads[0] if len(loads) == 1 and loads[0].get("kind", "synthetic") == "synthetic" else None
    sizes = _sizes(load)
    amplification, demands = _demands(config, sizes, write_amplification)
    mix = None if load is None else _mix(load)
    return _ceilings(sum(size * share for size, share in sizes.items()), amplification, demands, mix)


def ceilings_of_run(config: Config, stats: Mapping[str, Any]) -> Ceilings | None:
    """Those for the requests that a run made, "workload" among them: its reads and writes of their mean size, at the
    write amplification that it had. None for a run without reads and writes."""
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
    amplification, demands = _demands(config, {mean_bytes: 1.0}, amplification)
    order = "sequential" if in_order else "random"
    share = reads / (reads + writes)
    return _ceilings(mean_bytes, amplification, demands, {f"{order}_read": share, f"{order}_write": 1 - share})


def _sizes(load: Mapping[str, Any] | None) -> dict[int, float]:
    """Shares of requests by their size in bytes."""
    if load is None:
        return {4096: 1.0}
    mixed = load.get("block_mix") or [{"block_bytes": load["block_bytes"], "weight": 1}]
    total = sum(one["weight"] for one in mixed)
    return {int(one["block_bytes"]): one["weight"] / total for one in mixed}


def _mix(load: Mapping[str, Any]) -> dict[str, float]:
    order = "sequential" if load["pattern"] == "sequential" else "random"
    reads = load["read_percent"] / 100
    return {f"{order}_read": reads, f"{order}_write": 1 - reads}


def _demands(
    config: Config, sizes: Mapping[int, float], write_amplification: float | None
) -> tuple[float, dict[str, dict[str, float]]]:
    """The write amplification, and seconds of each resource for a request of each kind, on average over the sizes."""
    sums = {resource: dict.fromkeys(ACCESSES, 0.0) for resource in RESOURCES}
    amplification = 1.0
    for size, share in sizes.items():
        amplification, demands = _core.ceilings(config._core, size, write_amplification)
        for resource, seconds in demands.items():
            for access in ACCESSES:
                sums[resource][access] += share * seconds[access]
    return amplification, sums


def _ceilings(
    block_bytes: float,
    write_amplification: float,
    demands: Mapping[str, dict[str, float]],
    mix: Mapping[str, float] | None,
) -> Ceilings:
    iops = {}
    for resource, seconds in demands.items():
        if mix is not None:
            seconds = {**seconds, "workload": sum(share * seconds[access] for access, share in mix.items())}
        iops[resource] = MappingProxyType({access: 1 / s if s > 0 else math.inf for access, s in seconds.items()})
    return Ceilings(block_bytes, write_amplification, MappingProxyType(iops))
