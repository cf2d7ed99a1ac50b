# SPDX-License-Identifier: Apache-2.0
"""The parameters of a scenario: the host's side of a drive, simulated time, the flash, and the power supply."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from nandscape.scenario.scheduler import Scheduler
from nandscape.scenario.waiting import Awaitable, Moment
from nandscape.units import TICKS_PER_UNIT, microseconds, ticks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nandscape.simulation import Command, Simulation

T = TypeVar("T")


class Operation(Awaitable[T]):
    """A command that the host has submitted. It proceeds whether or not a task awaits it. `command` has its status."""

    def __init__(self, command: Command, began: int, what: str, value: Callable[[Command], T]) -> None:
        super().__init__()
        self.command = command
        self._began = began
        self._text = what
        self._value_of = value

    def ends_at(self) -> int:
        """Returns the tick at which the driver saw the completion. The command must have ended."""
        return self._began + self.command._core.latency

    def finish(self) -> None:
        """Ends the operation with the value or the error of its command. Called at the time `ends_at`."""
        try:
            self.command.wait()
        except Exception as error:
            self._end(None, error)
        else:
            self._end(self._value_of(self.command))

    def _what(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Operation {self._text}, {self.command.status or 'under way'}>"


class Host:
    """Submits commands to the drive. Calling a method starts a command, and awaiting the result waits until the command
    has ended.

    Awaiting each call, as in `await host.read(0, 4096)`, runs one command after another. Commands that are called first
    and awaited later proceed concurrently, in no defined order. An LBA counts sectors of 512 bytes. Calling a method
    raises `RequestError` for a command that exceeds the capacity or does not cover whole sectors; awaiting raises it
    for a command that fails in the drive.
    """

    def __init__(self, simulation: Simulation, scheduler: Scheduler) -> None:
        self._simulation = simulation
        self._scheduler = scheduler

    @property
    def capacity_bytes(self) -> int:
        """Exported capacity in bytes."""
        return self._simulation.capacity_bytes

    def read(self, lba: int, nbytes: int) -> Operation[bytes]:
        """Reads whole sectors from `lba` onward. Awaiting returns the bytes, or zeros if the simulation does not store
        data."""
        return self._begin(
            self._simulation.start_read(lba, nbytes),
            f"the read of {nbytes} bytes at LBA {lba}",
            lambda c: c.data or b"",
        )

    def write(self, lba: int, data: bytes | bytearray | memoryview, fua: bool = False) -> Operation[float]:
        """Writes whole sectors from `lba` onward. Awaiting returns the latency in microseconds. `fua` is described in
        `Simulation.write`."""
        what = f"the write of {memoryview(data).nbytes} bytes at LBA {lba}"
        return self._begin(self._simulation.start_write(lba, data, fua), what, _latency_us)

    def trim(self, lba: int, count: int) -> Operation[float]:
        """Trims `count` sectors from `lba` onward. Awaiting returns the latency in microseconds."""
        what = f"the trim of {count} sectors at LBA {lba}"
        return self._begin(self._simulation.start_trim(lba, count), what, _latency_us)

    def flush(self) -> Operation[float]:
        """Makes the data of all completed writes durable. Awaiting returns the latency in microseconds."""
        return self._begin(self._simulation.start_flush(), "the flush", _latency_us)

    def run_workloads(self) -> Awaitable[None]:
        """Starts the configured workloads, as `Simulation.run` does, while the scenarios continue. Awaiting the result
        waits until the workloads end."""
        self._simulation._core.start_workloads()
        return self._scheduler.workloads_end()

    def _begin(self, command: Command, what: str, value: Callable[[Command], T]) -> Operation[T]:
        return self._scheduler.operation(Operation(command, self._scheduler.now, what, value))


class Clock:
    """Simulated time. It passes only while all scenarios wait."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    @property
    def now(self) -> int:
        """Simulated time in ticks, which are picoseconds."""
        return self._scheduler.now

    @property
    def now_us(self) -> float:
        """Simulated time in microseconds."""
        return microseconds(self.now)

    def delay(self, time: str | int = 0, /, *, ns: float = 0, us: float = 0, ms: float = 0, s: float = 0) -> Moment:
        """Waits for a duration that begins with the call: `delay(us=20)` or `delay("20us")`; an int is a number of
        ticks.

        Raises ValueError for a value that is not a time, that is negative, or that is 2^63 ps or more.
        """
        return self._moment(self.now + _ticks(time, ns, us, ms, s))

    def at(self, time: str | int = 0, /, *, ns: float = 0, us: float = 0, ms: float = 0, s: float = 0) -> Moment:
        """Waits until a simulated time, given as for `delay`. If the time is in the past, the wait ends as soon as all
        tasks are waiting.
        """
        return self._moment(_ticks(time, ns, us, ms, s))

    def _moment(self, at: int) -> Moment:
        return self._scheduler.moment(at, f"the time {microseconds(at):.12g} us")


class Nand:
    """The flash: fault injection, ageing, and inspection of cells. Calls take effect immediately."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    @property
    def blocks(self) -> int:
        """The number of blocks of the device; they are numbered from 0."""
        config = self._simulation.config
        return config.planes * int(config["nand.geometry.blocks_per_plane"])

    def advance_shelf_time(self, *, days: float = 0, hours: float = 0, temperature_c: float = 30) -> None:
        """Ages stored data at a temperature without the drive's knowledge; see `Simulation.advance`.

        A drive with power first finishes the work in progress, for which simulated time passes.

        Raises `RequestError` while commands or workloads are in progress.
        """
        self._simulation._core.advance(24 * float(days) + float(hours), float(temperature_c), False)

    def fail_next(self, die: int, operation: str, count: int = 1) -> None:
        """Makes the next operations of a die fail; see `Simulation.fail_next`."""
        self._simulation.fail_next(die, operation, count)

    def fail_block(self, block: int) -> None:
        """Makes all later programs and erases of a block fail; see `Simulation.fail_block`."""
        self._simulation.fail_block(block)

    def kill_die(self, die: int) -> None:
        """Makes all later operations of a die fail; see `Simulation.kill_die`."""
        self._simulation.kill_die(die)

    def programmed_wordlines(self, block: int) -> int:
        """Returns the number of programmed wordlines of a block. These are always the first wordlines of the block."""
        return self._simulation.programmed_wordlines(block)

    def vth_histogram(
        self, block: int, bin_mv: float = 50, wordlines: Iterable[int] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Computes a histogram of the threshold voltages that a read of a block would sense at the present time.
        Returns the counts of cells and, as `numpy.histogram` does, the edges of the bins in mV. There is one more edge
        than counts.

        `bin_mv`: width of a bin. `wordlines`: the wordlines to count; by default, all programmed wordlines. The call
        leaves the flash unchanged.

        Raises `RequestError` if no wordline is programmed, while the block's die is busy, and unless cells are modelled
        one by one (`simulation.cells: per_cell`).
        """
        return self._simulation.vth_histogram(block, bin_mv, wordlines)


class Power:
    """The power supply of the drive. Calls take effect immediately. If the drive has work to do during a call,
    simulated time passes."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    @property
    def is_on(self) -> bool:
        """Whether the drive has power. Without power, simulated time stands still."""
        return self._simulation.has_power

    def cut(self) -> None:
        """Cuts the power; see `Simulation.power_cut`. Commands in progress fail with the status "power_lost"."""
        self._simulation.power_cut()

    def on(self) -> None:
        """Switches the drive on; see `Simulation.power_on`."""
        self._simulation.power_on()

    def shut_down(self) -> None:
        """Lets the drive save all data to flash, and then switches it off; see `Simulation.shut_down`."""
        self._simulation.shut_down()


def parts_of(simulation: Simulation, scheduler: Scheduler) -> dict[str, Any]:
    """Returns the objects that a scenario can have as parameters, by the names of the parameters."""
    return {
        "host": Host(simulation, scheduler),
        "clock": Clock(scheduler),
        "nand": Nand(simulation),
        "power": Power(simulation),
        "simulation": simulation,
    }


def _latency_us(command: Command) -> float:
    return microseconds(command._core.latency)


def _ticks(time: str | int, ns: float, us: float, ms: float, s: float) -> int:
    of_units = {"ns": ns, "us": us, "ms": ms, "s": s}
    total: int | Fraction = ticks(time)
    for unit, number in of_units.items():
        try:
            total += Fraction(number) * TICKS_PER_UNIT[unit]
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{number!r} {unit} is not a time: give a number") from None
    if not 0 <= total < 2**63:
        raise ValueError(f"a time of {float(total):g} ps is out of range: times are from 0 to 2^63 ps, 106 days")
    return round(total)
