# SPDX-License-Identifier: Apache-2.0
"""Simulations of a drive. They run a whole workload at once, or are controlled step by step."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nandscape import _core
from nandscape.arguments import device_number
from nandscape.bottleneck import busiest_kind
from nandscape.config import Config, Override, flatten, load, take_from
from nandscape.drive_control import DriveControl
from nandscape.errors import SaturationWarning, TransientWarning
from nandscape.given import GivenRequests, given_to_core
from nandscape.result import Result
from nandscape.units import microseconds, ticks
from nandscape.workload import Workload, as_list

if TYPE_CHECKING:
    from nandscape.blocks import Blocks

# A function that is called with the number of completed requests, the number of all requests (0 if unknown), and the
# simulated time in ticks.
ProgressCallback = Callable[[int, int, int], object]


class Command:
    """A command of a simulation, which may be in progress or have ended. `Simulation.start_read` and similar methods
    return it.

    Dropping the object does not cancel the command.
    """

    def __init__(self, simulation: Simulation, core: _core.HostCommand) -> None:
        self._simulation = simulation
        self._core = core

    @property
    def done(self) -> bool:
        """Whether the command has ended."""
        return self._core.done

    @property
    def status(self) -> str | None:
        """The outcome: "ok", or a status as in `RequestError.status`. None while the command is in progress."""
        return self._core.status if self._core.done else None

    @property
    def latency_us(self) -> float | None:
        """The time from the start to the end as the driver saw them, in microseconds. None while the command is in
        progress."""
        return microseconds(self._core.latency) if self._core.done else None

    @property
    def data(self) -> bytes | None:
        """The data of a read that has ended with the status "ok"; otherwise None."""
        return self._core.data

    def wait(self) -> Command:
        """Runs simulated time until the command has ended, and returns the command. Raises `RequestError` if the
        command has failed."""
        self._simulation._core.wait(self._core)
        return self

    def __repr__(self) -> str:
        return f"<Command {self.status or 'under way'}>"


class Simulation(DriveControl):
    """One simulated SSD with its host. Several can exist in one process, independent of one another.

    Commands run simulated time until they complete. An LBA is a sector of 512 bytes. `read` returns the written bytes
    if the configuration stores data (`simulation.data: stored`), and zeros otherwise.

    A simulation executes one call at a time. While a call is in progress, any other call of the same simulation raises
    `BusyError` and has no effect, whether it comes from another thread or from the progress callback of the first call.
    That callback can still use `now_us`, `has_power`, `stats`, `result`, `blocks` and `hierarchy`. `config`,
    `capacity_bytes` and the properties of a `Command` can be read at any time, from any thread. Other simulations can
    be used anywhere, also within a callback. Threads simulate at the same time; only simulations whose events use
    SystemC take turns: those with blocks that have SystemC processes, with a timeline, or with
    `simulation.check_protocol`. After a fork the child can continue every simulation that no other thread was using.

    Ctrl-C ends a long call with KeyboardInterrupt (in the main thread, as always in Python). The simulation stays
    usable, and its commands stay in flight: a command can be waited for again. The documentation of a method says so if
    this does not apply to it.

    Raises `ConfigError` for a platform that cannot be built and `InputError` for a trace that cannot be opened.
    """

    def __init__(self, config: Config | str | os.PathLike[str] | Mapping[str, Any]) -> None:
        self.config = config if isinstance(config, Config) else load(config)
        self.config.warn(stacklevel=2)
        self._core = _core.Simulation(self.config._core, given_to_core(self.config._given))
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
    def workloads_under_way(self) -> bool:
        """Whether the configured workloads have started and have not ended yet."""
        return self._core.workloads_under_way

    @property
    def last_latency_us(self) -> float:
        """Latency of the latest `read`, `write`, `trim` or `flush`, in microseconds."""
        return microseconds(self._last_latency)

    def read(self, lba: int, nbytes: int) -> bytes:
        """Reads `nbytes` bytes, whole sectors, from `lba` onward.

        Raises `RequestError` for an address beyond the capacity, for a part of a sector, and for data that cannot be
        recovered.
        """
        command = self.start_read(lba, nbytes)
        self._complete(command)
        return command.data or b""

    def write(self, lba: int, data: bytes | bytearray | memoryview, fua: bool = False) -> float:
        """Writes whole sectors from `lba` onward and returns the latency in microseconds. `data` may be any contiguous
        buffer.

        `fua` (force unit access): the write completes only when its data are on flash, not in a cache.

        Raises `RequestError` for an address beyond the capacity, for a part of a sector, and if the write fails in the
        device.
        """
        return self._complete(self.start_write(lba, data, fua))

    def trim(self, lba: int, count: int) -> float:
        """Deallocates `count` sectors from `lba` onward and returns the latency in microseconds.

        Afterwards these sectors read as zeroes. If only a part of a device page is trimmed and the page holds data,
        that part is overwritten with zeroes.

        Raises `RequestError` for an address beyond the capacity.
        """
        return self._complete(self.start_trim(lba, count))

    def flush(self) -> float:
        """Makes the data of all completed writes durable and returns the latency in microseconds."""
        return self._complete(self.start_flush())

    def start_read(self, lba: int, nbytes: int) -> Command:
        """Starts reading `nbytes` bytes, whole sectors, from `lba` onward, and returns at once.

        Started commands proceed concurrently, in no defined order, while simulated time runs. It runs in
        `Command.wait`, `wait_all`, `run_until` and all other calls that wait.

        Raises `RequestError` for an address beyond the capacity and for a part of a sector.
        """
        return Command(self, self._core.start_read(device_number("lba", lba), device_number("nbytes", nbytes)))

    def start_write(self, lba: int, data: bytes | bytearray | memoryview, fua: bool = False) -> Command:
        """Starts writing whole sectors from `lba` onward, as `write` does, and returns at once; see `start_read`.

        The data are copied. Raises `RequestError` for an address beyond the capacity and for a part of a sector.
        """
        return Command(self, self._core.start_write(device_number("lba", lba), bytes(memoryview(data)), bool(fua)))

    def start_trim(self, lba: int, count: int) -> Command:
        """Starts a `trim` and returns at once; see `start_read`. Raises `RequestError` for an address beyond the
        capacity."""
        return Command(self, self._core.start_trim(device_number("lba", lba), device_number("count", count)))

    def start_flush(self) -> Command:
        """Starts a `flush` and returns at once. It covers the writes that completed before it starts."""
        return Command(self, self._core.start_flush())

    def wait_all(self) -> None:
        """Runs simulated time until every started command has ended, with or without an error; see `Command.status`."""
        self._core.wait_all()

    def play(self, *scenarios: Callable[..., Coroutine[Any, Any, Any]]) -> list[Any]:
        """Runs async functions concurrently over simulated time until all have ended, and returns their results.

        A scenario receives the objects that its parameters name: `host` (read, write, trim, flush, run_workloads),
        `clock` (delay, at, now), `nand` (faults, age, Vth histograms), `power` (cut, on) and `simulation` (this
        object); see `nandscape.scenario`, which also has `start`, `first`, `gather` and `Event`. One scenario runs at a
        time, until it awaits something, and time passes only while all scenarios wait. The same scenarios therefore
        always give the same run.

        An exception in a scenario ends the run and is raised from this call, with its traceback. The other scenarios
        are closed; commands in flight are not aborted. When all scenarios have ended, tasks that they left running are
        cancelled. A scenario should await commands of `host` and not call methods of the simulation that let time pass.

        Raises `nandscape.scenario.Deadlock` when all scenarios wait and nothing is in progress, TypeError for an
        argument that is not an async function, and the errors of the simulation. Ctrl-C ends the call with
        KeyboardInterrupt.
        """
        from nandscape.scenario.playing import play

        return play(self, scenarios)

    def reset(self) -> None:
        """Resets the NVMe controller (CC.EN), even while it is working, and lets the driver bring it up again.

        Commands in progress end with the status "aborted". A write among them may or may not have been carried out.
        Requests of running workloads end in the same way, and the workloads continue. Data and wear are not affected.
        Simulated time runs until the controller is ready.
        """
        self._core.reset()

    @staticmethod
    def restore(
        path: str | os.PathLike[str],
        overrides: Mapping[str, Any] | None = None,
        /,
        *,
        allow_plugins: bool = False,
        **groups: Any,
    ) -> Simulation:
        """Returns a simulation that continues from a file that `checkpoint` has written. The simulated time, the
        statistics and the request log continue too.

        The configuration is that of the checkpoint; `overrides` and keywords change keys as in `load`. They may change
        the workloads, the host and the policies. The configured workloads can be run once. `allow_plugins`: whether
        libraries that the checkpoint names (`ecc.plugin` and the like) may be loaded; libraries that `overrides` name
        are always allowed.

        Raises `ConfigError` for a change of a key on which the saved state depends, for example the geometry, and for a
        plug-in that is not allowed. Raises `InputError` for a file that is damaged or not a checkpoint.
        """
        return from_checkpoint(path, flatten(overrides, groups), allow_plugins)

    def run(self, progress: bool | ProgressCallback = False, until_steady: bool = False) -> bool:
        """Runs the configured workloads until they end. Workloads can be run once, and once more after each checkpoint.

        `until_steady`: whether the workloads end as soon as five rounds are steady (`simulation.steady`); these rounds
        are then the measured window (see `steady_state`). `progress` is described in `nandscape.run`.

        Issues a `TransientWarning` if figures of the measured window depend on its length, and a `SaturationWarning` if
        requests arrived faster than they were served.

        Returns False if a progress callback ended the run early. Ctrl-C ends the run with KeyboardInterrupt, and the
        simulation stays usable. Raises `InputError` for a trace record that cannot be read and `RequestError` for a
        request beyond the capacity and for a second run. An exception in the iterator of a workload ends that workload
        and is raised from this call.
        """
        finished = self._run(progress, until_steady)
        self._warn(stacklevel=3)
        return finished

    def _run(self, progress: bool | ProgressCallback, until_steady: bool) -> bool:
        """Does the same as `run`, but issues no warnings."""
        if not isinstance(progress, bool):
            return self._core.run(progress, until_steady)
        if not progress:
            return self._core.run(None, until_steady)
        from nandscape.progress import ProgressBar

        with ProgressBar() as bar:
            return self._core.run(bar.update, until_steady)

    def _warn(self, stacklevel: int) -> None:
        """Issues the warnings of `run`: that requests arrived too fast, or that figures of the measured window depend
        on its length."""
        stats = self.stats()
        if stats["host"]["saturated"]:
            warnings.warn(_saturation(stats), SaturationWarning, stacklevel)
        verdict, transient = self._core.steadiness()
        if transient:
            warnings.warn(verdict, TransientWarning, stacklevel)

    def run_until(self, time: str | int) -> None:
        """Lets simulated time pass until `time`: "10ms", "2.5 s", or an int of ticks (ps). Work in progress continues.

        Units are ps, ns, us, ms, s, min and h; simulated time ends at 2^63 ps, 106 days. Raises ValueError for any
        other time. A time in the past has no effect.
        """
        self._core.run_until(min(device_number("time", ticks(time), 2048), 2**64 - 1))

    def stats(self, window: str = "measured") -> dict[str, Any]:
        """Returns the statistics of a window as nested dicts, with units in the names.

        "measured": from the end of the warm-up (`simulation.warmup`), or the start of the workloads if there is none,
        to the last completion of the workloads. The window is open while the workloads run, and opens again if the
        drive receives more commands after their end. Without workloads, the window is the whole simulated time.
        "afterwards": from the end of that window onward, when the drive only does work that it starts by itself. "all":
        since construction; a restored drive continues counting.

        Raises ValueError for any other window.
        """
        return self._core.statistics(window)

    @property
    def verdict(self) -> str:
        """Whether the measured window shows a steady state, as text: since when it is steady, or why it is not."""
        return self._core.steadiness()[0]

    def statistics_reference(self) -> list[dict[str, str]]:
        """Returns the meaning of each figure and group of `stats()`, as dicts with "name" (dotted), "unit" and
        "meaning".

        Raises RequestError while the drive has no power.
        """
        return self._core.statistics_reference()

    def blocks(self) -> Blocks:
        """Returns the state, wear, content and age of every block at the present time, as numpy arrays; see `Blocks`.

        The call does not change the simulation. Raises `RequestError` while the drive has no power, and for a drive
        that is not the built-in one (`simulation.blocks.drive`).
        """
        from nandscape.blocks import blocks_of

        return blocks_of(self)

    def hierarchy(self) -> list[dict[str, Any]]:
        """Returns the SystemC modules and sockets as a tree of dicts with "name", "kind" and "children". "children" is
        a list of such dicts."""
        return self._core.hierarchy()

    def result(self) -> Result:
        """Returns the statistics and the requests completed so far. The result does not change when the simulation
        continues."""
        return Result(
            self.config,
            self.stats(),
            self._core.requests(),
            partial=self.workloads_under_way,
            verdict=self.verdict,
            history=self.stats("all"),
        )

    def __repr__(self) -> str:
        return f"<Simulation of {self.config!r} at {self.now_us:.6g} us>"

    def _complete(self, command: Command) -> float:
        command.wait()
        self._last_latency = command._core.latency
        return microseconds(self._last_latency)


def run(
    config: Config | str | os.PathLike[str] | Mapping[str, Any],
    overrides: Mapping[str, Any] | None = None,
    *,
    workload: Workload | None = None,
    progress: bool | ProgressCallback = False,
    allow_plugins: bool = False,
) -> Result:
    """Builds the SSD, runs its workloads until they end, and returns the result.

    `config`, `overrides`: a configuration, or the arguments of `load`. `workload`: a workload from `trace`, `synthetic`
    or `requests`, or a list of several that run at the same time; default: `host.workload` of the configuration.
    `progress`: True shows a bar on stderr if that is a terminal; a callable receives (completed requests, all requests
    or 0 if unknown, simulated ps) at most ten times per second, and ends the run by returning False. `allow_plugins`:
    as for `load`.

    Raises the errors of `load`, `Simulation` and `Simulation.run`.
    """
    resolved = resolved_for(config, overrides, workload, allow_plugins)
    return result_of(resolved, progress, until_steady=False)


def resolved_for(
    config: Config | str | os.PathLike[str] | Mapping[str, Any],
    overrides: Mapping[str, Any] | None,
    workload: Workload | None,
    allow_plugins: bool = False,
) -> Config:
    """Returns the configuration that a run with these arguments has. Raises TypeError for a workload in the place of
    the overrides."""
    if overrides is not None and (not isinstance(overrides, Mapping) or "kind" in overrides):
        raise TypeError(
            "overrides are a mapping such as {'nand.timing.t_prog_us': 900}; a workload is given as workload=..."
        )
    resolved = config
    if not isinstance(config, Config) or overrides is not None or allow_plugins:
        resolved = load(config, overrides, allow_plugins=allow_plugins)
    return resolved if workload is None else resolved.override({"host.workload": as_list(workload)})


def result_of(config: Config, progress: bool | ProgressCallback, until_steady: bool) -> Result:
    """Runs the workloads and returns the result. Warnings point to the line that called the caller of this function."""
    simulation = Simulation(config)
    simulation._run(progress, until_steady)
    simulation._warn(stacklevel=4)
    return simulation.result()


def steady_state(
    config: Config | str | os.PathLike[str] | Mapping[str, Any],
    overrides: Mapping[str, Any] | None = None,
    *,
    workload: Workload | None = None,
    figure: str | None = None,
    progress: bool | ProgressCallback = False,
    allow_plugins: bool = False,
) -> Result:
    """Runs workloads until a figure is steady, and returns the result of the five steady rounds.

    The rule is SNIA's (Solid State Storage Performance Test Specification): over five rounds in a row the figure stays
    within 20 % of its mean, and a line fitted to it rises or falls by at most 10 %. No cache or pool of free blocks may
    fill or empty during these rounds by more than a tenth of the data that the host writes. A round is at least a
    twentieth of the run.

    `figure`: the dotted name of a statistic; default: `simulation.steady.figure`. A synthetic workload continues until
    the figure is steady, regardless of its `requests`. A trace or given requests may end before that; the `verdict` of
    the result then says so, and a `TransientWarning` is issued. The other arguments and the errors are those of `run`.
    """
    resolved = resolved_for(config, overrides, workload, allow_plugins)
    if figure is not None:
        resolved = resolved.override({"simulation.steady.figure": figure})
    return result_of(endless(resolved), progress, until_steady=True)


def endless(config: Config) -> Config:
    """Returns the configuration with the change that synthetic workloads never end on their own."""
    workloads = as_list(config["host.workload"])
    unbounded = [w | {"requests": _ENDLESS} if w.get("kind") == "synthetic" else w for w in workloads]
    return config if unbounded == workloads else config.override({"host.workload": unbounded})


# The number of requests of an endless workload, which is more than any run completes.
_ENDLESS = 10**15


def from_checkpoint(
    path: str | os.PathLike[str], changes: Iterable[Override], allow_plugins: bool = False
) -> Simulation:
    """Does the same as `Simulation.restore`, with overrides given as pairs or as strings like those of `--set`."""
    simulation = Simulation.__new__(Simulation)
    given: dict[str, GivenRequests] = {}
    named = take_from(changes, given)
    simulation._core = _core.Simulation.restore(os.fsencode(path), named, given_to_core(given), allow_plugins)
    simulation.config = Config(simulation._core.configuration, os.fsdecode(path), given)
    simulation._last_latency = 0
    return simulation


_RESOURCES = {
    "link": "the PCIe link",
    "firmware": "the processor cores",
    "dram": "the DRAM",
    "ecc": "the ECC engines",
    "channel": "a channel's bus",
    "die": "the array of a die",
    "page_buffers": "the page buffers of a die",
}


def _saturation(stats: dict[str, Any]) -> str:
    """Returns the warning for an open loop whose requests arrived faster than they were served."""
    host, shares = stats["host"], stats["utilisation"]
    busiest = busiest_kind(shares)
    return (
        f"requests arrived at {host['offered_iops']:,.0f} per second and were served at {host['iops']:,.0f}, so that "
        f"latencies grow with the length of the run; the busiest resource was "
        f"{_RESOURCES.get(busiest, busiest)} ({shares[busiest]:.0%} of the time)"
    )
