# SPDX-License-Identifier: Apache-2.0
"""The drives of runs, and what bounds the rates of the runs, as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

from nandscape import figures
from nandscape.bottleneck import bottleneck
from nandscape.ceilings import RESOURCES, Capacity, Ceilings, ceilings_of_run
from nandscape.config import Config
from nandscape.reporting import tables
from nandscape.result import Result
from nandscape.unknown import DASH

# Statistics from which the ceilings of a run are computed.
_USED = (
    "host.read.count",
    "host.write.count",
    "host.iops",
    "host.bandwidth_mib_s",
    "controller.slc_cache.cached_units",
)


def drives_of(configs: Mapping[str, Config]) -> str:
    """Returns a table with the capacity, the geometry and the interfaces of drives. Drives that are all alike have one
    column."""
    columns = {name: [text(config) for text in _DESCRIPTION.values()] for name, config in configs.items()}
    texts = list(columns.values())
    if all(text == texts[0] for text in texts):
        columns = {", ".join(dict.fromkeys(Path(config.name).name for config in configs.values())): texts[0]}
    rows = [tables.row(name, row) for name, *row in zip(_DESCRIPTION, *columns.values(), strict=True)]
    return tables.table(["drive", *columns], rows, "runs")


def bounds_of(runs: Mapping[str, Result]) -> str:
    """Returns a table with the bottleneck of each run, and with the rates to which each resource limits the requests of
    the run."""
    limits = {name: _ceilings(result) for name, result in runs.items()}
    rows = [tables.row("bottleneck", [_bottleneck(result) for result in runs.values()])]
    rows.append(tables.row("reached", [f"{figures.number(result, 'host.iops'):,.0f} IOPS" for result in runs.values()]))
    for resource, title in RESOURCES.items():
        rates = [math.inf if limit is None else limit.iops[resource]["workload"] for limit in limits.values()]
        if any(math.isfinite(rate) for rate in rates):
            cells = [
                _ceiling(result, limit, resource) for result, limit in zip(runs.values(), limits.values(), strict=True)
            ]
            rows.append(tables.row(f"ceiling of {title}", cells))
    intro = (
        "<p>A ceiling is the rate at which the requests of the run would keep a resource in use all the time, computed "
        "from the configuration. The lowest ceiling of a run has a star; no run exceeds it.</p>"
    )
    return intro + tables.table(["", *runs], rows, "runs")


def _geometry(config: Config) -> str:
    shape = config["nand.geometry"]
    dies = shape["chips_per_channel"] * shape["dies_per_chip"]
    return f"{config['channel.count']} channels × {dies} dies × {shape['planes_per_die']} planes"


def _plane(config: Config) -> str:
    shape = config["nand.geometry"]
    return (
        f"{shape['blocks_per_plane']:,} blocks × {shape['pages_per_block']:,} pages × "
        f"{shape['page_bytes'] / 1024:,.6g} KiB"
    )


_DESCRIPTION: dict[str, Callable[[Config], str]] = {
    "capacity": lambda config: str(Capacity.of(config)),
    "geometry": _geometry,
    "a plane": _plane,
    "flash": lambda config: f"{config['nand.coding']}, cells {config['nand.cells.set']}",
    "channel": lambda config: f"{config['channel.interface']}, {config['channel.rate_mt_s']:,} MT/s",
    "link": lambda config: f"PCIe {config['host.link.generation']}, {config['host.link.lanes']} lanes",
}


def _bottleneck(result: Result) -> str:
    if not result.stats.get("busy"):
        return f"{DASH} (simulation.breakdown was off)"
    return str(bottleneck(result.stats))


def _ceilings(result: Result) -> Ceilings | None:
    for name in _USED:
        figures.number(result, name)
    figures.number(result, "controller.write_amplification", math.nan)
    return ceilings_of_run(result.config, result.stats)


def _ceiling(result: Result, limits: Ceilings | None, resource: str) -> str:
    if limits is None or math.isinf(limits.iops[resource]["workload"]):
        return DASH
    rate = limits.iops[resource]["workload"]
    star = " *" if resource == limits.least("workload") else ""
    return f"{rate:,.0f} IOPS, {figures.number(result, 'host.iops') / rate:.0%} reached{star}"
