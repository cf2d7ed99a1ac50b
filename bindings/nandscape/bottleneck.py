# SPDX-License-Identifier: Apache-2.0
"""What bounds the rate of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nandscape.errors import InputError
from nandscape.key_figures import value_at

# A resource that is in use for a share u of the time could serve 1/u times as many requests at most: above this share,
# whatever else is changed gains less than a quarter.
FULL = 0.8

_NAMES = {
    "link upstream": "PCIe link towards the host",
    "link downstream": "PCIe link towards the drive",
    "firmware": "processor cores",
    "dram": "DRAM",
    "ecc": "ECC engines",
}


@dataclass(frozen=True)
class Bottleneck:
    """What bounds the rate: the busiest resource when it is nearly always in use, else the host.

    `name`: "channel 3", "PCIe link towards the host", "host queue depth", or "host arrivals" where requests come at
    times of their own. `busiest`: the resource that was in use most. `busy`: for what share of the time."""

    name: str
    busiest: str
    busy: float

    def __str__(self) -> str:
        if self.name == self.busiest:
            return f"{self.name}, busy {self.busy:.0%}"
        return f"{self.name}; busiest is {self.busiest}, {self.busy:.0%}"


def bottleneck(stats: dict[str, Any]) -> Bottleneck:
    """Names the bottleneck of a run with `simulation.breakdown`, from its statistics. Raises `InputError` for those of
    a run without."""
    shares = dict(_shares(stats.get("busy")))
    if not shares:
        raise InputError("the statistics have no group 'busy', which says what bounds a run; set simulation.breakdown")
    busiest = max(shares, key=shares.__getitem__)
    busy = shares[busiest]
    if busy >= FULL:
        return Bottleneck(busiest, busiest, busy)
    open_loop = value_at(stats, "host.offered_iops") > 0
    return Bottleneck("host arrivals" if open_loop else "host queue depth", busiest, busy)


def _shares(busy: Any) -> Iterator[tuple[str, float]]:
    for kind, share in busy.items() if isinstance(busy, dict) else ():
        units = share.items() if isinstance(share, dict) else ()
        yield from ((_name(f"{kind} {unit}"), of_unit) for unit, of_unit in units if isinstance(of_unit, (int, float)))
        if isinstance(share, (int, float)):
            yield _name(kind), share


def _name(resource: str) -> str:
    """Those of a drive of somebody else, and channels and dies, have the name that the statistics have."""
    return _NAMES.get(resource, resource)
