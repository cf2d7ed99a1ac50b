# SPDX-License-Identifier: Apache-2.0
"""Runs: a whole workload at once, or a device driven step by step."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from nandscape import _core
from nandscape.config import Config, load
from nandscape.errors import RequestError
from nandscape.result import Result
from nandscape.units import microseconds, ticks
from nandscape.workload import Workload, as_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Called with requests completed, requests in all (0: not known) and simulated time in ticks.
ProgressCallback = Callable[[int, int, int], object]


class Simulation:
    """One simulated SSD with its host. Several live side by side in one process and do not touch one another.

    Commands run simulated time until they complete. An LBA is a sector of 512 bytes. `read` gives the written bytes
    back when the configuration keeps data (`simulation.data: stored`), zeros otherwise.

    Raises `ConfigError` for a platform that cannot be built and `InputError` for a trace that cannot be opened.
    """

    def __init__(self, config: Config | str | os.PathLike[str] | Mapping[str, Any]) -> None:
        self.config = config if isinstance(config, Config) else load(config)
        self._core = _core.Simulation(self.config._core)
        self._last_latency = 0

    @property
    def capacity_bytes(self) -> int:
        """Exported capacity in bytes."""
        return self._core.capacity_bytes

    @property
    def now_us(self) -> float:
        """Simulated time in microseconds."""
        return microseconds(self._core.now)

    @property
    def last_latency_us(self) -> float:
        """Latency of the latest `read`, `write`, `trim` or `flush`, in microseconds."""
        return microseconds(self._last_latency)

    def read(self, lba: int, nbytes: int) -> bytes:
        """Reads `nbytes` bytes, whole sectors, from `lba` on.

        Raises `RequestError` past the capacity, for a part of a sector, and for data that cannot be recovered.
        """
        data, self._last_latency = self._core.read(_not_negative("lba", lba), _not_negative("nbytes", nbytes))
        return data

    def write(self, lba: int, data: bytes | bytearray | memoryview) -> float:
        """Writes whole sectors from `lba` on and returns the latency in microseconds. Takes any contiguous buffer.

        Raises `RequestError` past the capacity, for a part of a sector, and when the device fails the write.
        """
        return self._completed(self._core.write(_not_negative("lba", lba), bytes(memoryview(data))))

    def trim(self, lba: int, count: int) -> float:
        """Tells the device that `count` sectors from `lba` on hold nothing any more; latency in microseconds.

        Raises `RequestError` past the capacity.
        """
        return self._completed(self._core.trim(_not_negative("lba", lba), _not_negative("count", count)))

    def flush(self) -> float:
        """Makes all written data durable; latency in microseconds."""
        return self._completed(self._core.flush())

    def run(self, progress: bool | ProgressCallback = False) -> bool:
        """Runs the configured workloads to their end, once; see `nandscape.run` for `progress`.

        Returns False when a progress callback ended the run early. Ctrl-C ends it with KeyboardInterrupt; the
        simulation stays usable. Raises `InputError` for a trace record that cannot be read, and `RequestError` for a
        request past the capacity and for a second run.
        """
        if not isinstance(progress, bool):
            return self._core.run(progress)
        if not progress:
            return self._core.run()
        from nandscape.progress import ProgressBar

        with ProgressBar() as bar:
            return self._core.run(bar.update)

    def run_until(self, time: str | int) -> None:
        """Lets simulated time pass until `time`: "10ms", "2.5 s", or an int of ticks (ps). What is under way goes on.

        Units are ps, ns, us, ms, s, min and h. Raises ValueError for anything else.
        """
        self._core.run_until(ticks(time))

    def stats(self) -> dict[str, Any]:
        """Statistics since the construction, nested, with units in the names."""
        return self._core.statistics()

    def hierarchy(self) -> list[dict[str, Any]]:
        """The wired SystemC modules and sockets: dicts with "name", "kind" and "children", a list of such dicts."""
        return self._core.hierarchy()

    def result(self) -> Result:
        """Statistics and completed requests so far, which further running does not change."""
        log = self._core.requests()
        requests: dict[str, NDArray[Any]] = {
            "start_ps": log.start,
            "latency_ps": log.latency,
            "first_lba": log.first_lba,
            "sectors": log.sectors,
            "kind": log.kind,
            "status": log.status,
            "workload": log.workload,
        }
        return Result(self.config, self.stats(), requests)

    def __repr__(self) -> str:
        return f"<Simulation of {self.config!r} at {self.now_us:.6g} us>"

    def _completed(self, latency: int) -> float:
        self._last_latency = latency
        return microseconds(latency)


def run(
    config: Config | str | os.PathLike[str] | Mapping[str, Any],
    workload: Workload | None = None,
    progress: bool | ProgressCallback = False,
) -> Result:
    """Builds the SSD, runs its workloads to their end and returns what happened.

    `config`: a configuration, or what `load` makes one of. `workload`: what `trace` or `synthetic` describes, or a list
    of several that run at the same time; without it, `host.workload` of the configuration. `progress`: True shows a bar
    on stderr when that is a terminal; a callable is given (requests completed, requests in all or 0, simulated ps) at
    most ten times per second, and ends the run by returning False.

    Raises what `load`, `Simulation` and `Simulation.run` raise.
    """
    resolved = config if isinstance(config, Config) else load(config)
    if workload is not None:
        resolved = resolved.override({"host.workload": as_list(workload)})
    simulation = Simulation(resolved)
    simulation.run(progress)
    return simulation.result()


def _not_negative(name: str, number: int) -> int:
    if number < 0:
        raise RequestError(f"{name} is {number}; it counts from 0")
    return number
