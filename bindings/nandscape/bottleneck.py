# SPDX-License-Identifier: Apache-2.0
"""The bottleneck of a run: the resource or limit that bounds its rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nandscape.errors import InputError
from nandscape.key_figures import value_at

# If a resource is busy for a share u of the time, the drive can serve at most 1/u times as many requests. If u is at
# least 0.8, relieving any other resource therefore raises the rate by at most a quarter.
FULL = 0.8

# A limit that holds work back for at least this share of the time bounds the rate more than the host does.
HELD_BACK = 0.5

# If a drive serves more than this share of the rate that an open-loop workload offers, it keeps up with the workload.
_KEPT_UP = 0.98

_NAMES = {
    "link upstream": "PCIe link, reads",
    "link downstream": "PCIe link, writes",
    "firmware": "processor cores",
    "dram": "DRAM",
}

_FORMS = {"ecc": "{1}", "page_buffers": "page buffers of die {1}"}

# The page buffers of a die are occupied whenever its array or its bus works, and at times when neither does. They
# therefore count as the bottleneck only if no other kind of resource is full.
_TAKEN = "page_buffers"

# Limits on concurrent work, ordered from the flash to the host, each with its name and the key that sets it. When two
# limits hold work back, the one farther from the flash only passes on the back-pressure of the other.
_LIMITS = {
    "ecc_fifo": ("FIFO of {}", "ecc.{}_fifo_pages"),
    "write_back_window": ("write-back window", "controller.cache.writes_in_flight"),
    "cache_room": ("cache room", "controller.cache.capacity_bytes"),
    "save_room": ("flash to save the cache to", "controller.garbage_collection.start_free_blocks"),
    "data_transfers": ("data transfers {} on the link", "host.nvme.data_transfers"),
    "command_slots": ("command slots", "host.nvme.command_slots"),
    "entry_fetches": ("fetches of submission entries", "host.nvme.fetches"),
}

# Parts of a latency in which a request may also wait for something that is not counted as a resource, for example an
# earlier access to the same unit. Each part is listed with the resources and limits that explain a wait in it.
_WAITS = {"firmware": ("firmware",), "cache": ("dram", "cache_room", "save_room", "write_back_window")}


@dataclass(frozen=True)
class Resource:
    """One resource of a drive, or one limit on concurrent work.

    `kind`: its name in the statistics (`utilisation`). `name`: its name in words, such as "die 3". `busy`: the share of
    the time in which a resource was in use, or in which work waited at a limit. `ceiling`: the rate, in requests per
    second, at which requests like those of the run would keep a resource in use all the time; None for a limit. `key`:
    the parameter that sets a limit; None for a resource."""

    kind: str
    name: str
    busy: float
    ceiling: float | None = None
    key: str | None = None

    @property
    def full(self) -> bool:
        """Whether the resource is in use nearly all the time, or the limit holds work back at least half of the
        time."""
        return self.busy >= (FULL if self.key is None else HELD_BACK)


@dataclass(frozen=True)
class Bottleneck:
    """The bottleneck of a run.

    `name`: a resource ("channel 3"), a limit ("write-back window"), "host queue depth", "host arrivals" if the drive
    keeps up with an open loop, or "unknown". `busiest`: the resource that was in use most. `busy`: the share of the
    time in which it was in use. `key`: the parameter that sets the limit; None if `name` is not a limit. `resources`:
    all resources and limits, in descending order of `busy`."""

    name: str
    busiest: str
    busy: float
    key: str | None = None
    resources: tuple[Resource, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        if self.key is not None:
            return f"{self.name} ({self.key}), full {self._of(self.name):.0%} of the time; {self._busiest()}"
        if self.name == self.busiest:
            return f"{self.name}, busy {self.busy:.0%}"
        return f"{self.name}; {self._busiest()}"

    def _busiest(self) -> str:
        return f"busiest is {self.busiest}, {self.busy:.0%}"

    def _of(self, name: str) -> float:
        return next((one.busy for one in self.resources if one.name == name), 0.0)


def busiest_kind(shares: Mapping[str, float]) -> str:
    """Returns the kind of resource (a key of `utilisation` in the statistics) that was in use for the largest share of
    the time. Page buffers count only if no other kind was in use nearly all the time."""
    resources = {kind: share for kind, share in shares.items() if kind not in _LIMITS}
    busiest = max((kind for kind in resources if kind != _TAKEN), key=resources.__getitem__)
    return busiest if resources[busiest] >= FULL else max(resources, key=resources.__getitem__)


def bottleneck(stats: dict[str, Any]) -> Bottleneck:
    """Finds the bottleneck of a run in its statistics.

    The bottleneck is the busiest resource if it was in use for at least 80 % of the time. Otherwise it is the limit
    nearest to the flash that held work back for at least half of the time. Without such a limit, the bottleneck is the
    host, which issued no more requests. It is "unknown" if an open loop offered more requests than the drive served, or
    if requests spent most of their time waiting for something that is not counted as a resource.

    Raises `InputError` for a run without `simulation.breakdown`, which records the statistics needed here."""
    if not isinstance(stats.get("busy"), dict):
        raise InputError("the statistics have no group 'busy': run with simulation.breakdown to find the bottleneck")
    resources = tuple(sorted(_resources(stats), key=lambda one: -one.busy))
    busiest = next(one for one in resources if one.key is None and one.kind != _TAKEN)
    taken = next((one for one in resources if one.kind == _TAKEN), busiest)
    for resource in (busiest, taken):
        if resource.full:
            return Bottleneck(resource.name, resource.name, resource.busy, None, resources)
    for kind in _LIMITS:
        for limit in resources:
            if limit.kind == kind and limit.full:
                return Bottleneck(limit.name, busiest.name, busiest.busy, limit.key, resources)
    return Bottleneck(_of_host(stats, resources), busiest.name, busiest.busy, None, resources)


def _of_host(stats: dict[str, Any], resources: tuple[Resource, ...]) -> str:
    host = stats["host"]
    if host["offered_iops"] > 0 and host["iops"] >= _KEPT_UP * host["offered_iops"]:
        return "host arrivals"
    time = {"all": 0.0, **dict.fromkeys(_WAITS, 0.0)}
    for kind in ("read", "write"):
        parts = host[kind].get("breakdown_us", {})
        time["all"] += host[kind]["count"] * sum(parts.values())
        for part in _WAITS:
            time[part] += host[kind]["count"] * parts.get(part, 0.0)
    for part, explained_by in _WAITS.items():
        known = any(one.busy >= FULL / 2 for one in resources if one.kind in explained_by)
        if time[part] > time["all"] / 2 and not known:
            return "unknown"
    return "unknown" if host["offered_iops"] > 0 else "host queue depth"


def _resources(stats: dict[str, Any]) -> Iterator[Resource]:
    rate = value_at(stats, "host.iops")
    for kind, share in stats["busy"].items():
        for unit, busy in share.items() if isinstance(share, dict) else [("", share)]:
            if not isinstance(busy, (int, float)):
                raise InputError(f"busy.{kind}{unit and '.'}{unit}: is not a number")
            if kind in _LIMITS:
                name, key = _LIMITS[kind]
                in_words = unit.replace("_", " ")
                yield Resource(kind, name.format(in_words), busy, None, key.format(unit.partition("coder")[0] + "code"))
            else:
                # Channels, dies and the resources of an external drive have the same names here as in the statistics.
                name = _FORMS.get(kind, "{0} {1}").format(kind, unit.replace("_", " ")).strip()
                yield Resource(kind, _NAMES.get(name, name), busy, rate / busy if busy else float("inf"))
