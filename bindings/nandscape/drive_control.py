# SPDX-License-Identifier: Apache-2.0
"""The power, the age and the checkpoints of a simulated drive, and what the drive tells about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nandscape import _core
from nandscape.arguments import device_number
from nandscape.errors import RequestError
from nandscape.units import hours

if TYPE_CHECKING:
    from numpy.typing import NDArray


class DriveControl:
    """The part of `Simulation` that is not about its requests."""

    _core: _core.Simulation

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Writes the state of the simulation, with its configuration, to a file. The file appears only when it is
        complete.

        The drive comes to rest first: caches are written back, incomplete wordlines are filled up, and collection runs
        to its end. This simulation and a restored one then continue from the same state and behave identically, bit for
        bit. The configured workloads can be run again.

        Ctrl-C leaves the drive at rest and writes no file. A drive with many failed blocks may have no room for its
        unwritten data. The call then raises `Error` and leaves the drive without power, as after a power cut.

        Raises `RequestError` while commands or workloads are in progress and while the drive is without power, and
        `ConfigError` for a workload that `nandscape.requests` made, which a file cannot hold.
        """
        self._core.checkpoint(os.fsencode(path))

    @property
    def has_power(self) -> bool:
        """Whether the drive is switched on."""
        return self._core.has_power

    def power_cut(self) -> None:
        """Cuts the power now. Commands and requests in progress end with the status "power_lost".

        Running workloads end. With a capacitor (`controller.power_loss`), the drive still writes the data that it has
        acknowledged, but for no longer than `hold_up_ms`. Ctrl-C stops this and leaves the drive without power. Until
        `power_on`, every command raises `RequestError`.
        """
        self._core.power_cut()

    def shut_down(self) -> None:
        """Requests the drive to shut down, waits until all data are on flash, and switches it off.

        Ctrl-C turns the shutdown into a power cut. If a drive with many failed blocks has no room for its unwritten
        data, the call raises `Error` and leaves the drive off, as after a power cut.

        Raises `RequestError` while commands or workloads are in progress.
        """
        self._core.shut_down()

    def power_on(self) -> None:
        """Switches the drive on. The drive recovers its state from flash, and the driver initialises it.

        Ctrl-C leaves the drive without power, as it was before.

        Raises `RequestError` if the drive has power already.
        """
        self._core.power_on()

    def advance(self, time: str, temperature_c: float = 30, powered: bool = True) -> None:
        """Lets a long time pass, for example "12h", "30 d" or "6mo", and ages the stored data at a temperature.

        Simulated time advances only by the time for which the drive works. With `powered` the drive checks its data at
        the intervals of `controller.refresh`; otherwise it does not know that time has passed.

        The units are those of `run_until`, and d, w, mo (30.4375 days) and y. A call can pass at most 100 years, at -40
        to 125 degrees Celsius. Ctrl-C ends the call after a part of the time.

        Raises ValueError for any other time or temperature, and `RequestError` while commands or workloads are in
        progress.
        """
        self._core.advance(hours(time), float(temperature_c), bool(powered))

    def fail_next(self, die: int, operation: str, count: int = 1) -> None:
        """Makes the next `count` operations of a kind fail on a die: "program", "erase" or "adjust" (voltage).

        Dies are numbered from 0 over the whole device. Raises `RequestError` if there is no such die.
        """
        self._core.fail_next(device_number("die", die, 32), str(operation), device_number("count", count, 32))

    def fail_block(self, block: int) -> None:
        """Makes all programs and erases of a block fail from now on. Blocks are numbered over the whole device, as are
        flash pages."""
        self._core.fail_block(device_number("block", block, 32))

    def kill_die(self, die: int) -> None:
        """Makes all commands of a die fail from now on; its data cannot be read."""
        self._core.kill_die(device_number("die", die, 32))

    def programmed_wordlines(self, block: int) -> int:
        """Returns the number of programmed wordlines of a block. These are the first wordlines of the block. Blocks are
        numbered over the whole device."""
        return self._core.programmed_wordlines(device_number("block", block, 32))

    def vth_histogram(
        self, block: int, bin_mv: float = 50, wordlines: Iterable[int] | None = None
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Computes a histogram of the threshold voltages that a read of a block would sense at the present time.
        Returns the counts of cells and, as `numpy.histogram` does, the edges of the bins in mV. There is one more edge
        than counts. Bins are `bin_mv` wide.

        `wordlines`: the wordlines to count; by default, all programmed wordlines. A wordline that a power cut or a
        failure left half programmed is not counted. The call does not change the drive.

        Raises `RequestError` if no wordline is programmed, while the block's die is busy, and unless cells are modelled
        one by one (`simulation.cells: per_cell`).
        """
        from nandscape.vth import histogram

        chosen = range(self.programmed_wordlines(block)) if wordlines is None else wordlines
        if wordlines is None and not chosen:
            raise RequestError(f"no wordline of block {block} is programmed")
        number = device_number("block", block, 32)
        voltages = (self._core.threshold_voltages(number, device_number("wordline", w, 32)) for w in chosen)
        return histogram(voltages, bin_mv)

    def identify(self) -> dict[str, Any]:
        """Returns those fields of the drive's answer to Identify that concern durability.

        `volatile_write_cache` (VWC): whether a power failure may lose completed writes until a flush has completed; if
        not, hosts send no flush commands. `atomic_write_sectors` (AWUN), `atomic_write_sectors_power_fail` (AWUPF): the
        number of 512-byte sectors that a write changes as a whole or not at all, in normal operation and across a power
        failure. `deallocated_reads_zeroes` (DLFEAT): whether trimmed sectors read as zeroes.
        """
        return self._core.identify()

    def smart_log(self) -> dict[str, Any]:
        """Fetches the SMART log of the drive by the command Get Log Page, for which simulated time passes.

        `critical_warning`: a dict of bools, `spare_below_threshold`, `temperature`, `reliability_degraded`,
        `read_only`. `temperature_c`: degrees Celsius. `available_spare_percent`, `available_spare_threshold_percent`:
        shares of the spare blocks. `percentage_used`: used share of the rated life in percent, up to 255.
        `data_units_read`, `data_units_written`: thousands of sectors of 512 bytes, rounded up. `host_read_commands`,
        `host_write_commands`: NVMe commands, of which a large request needs several. `controller_busy_minutes`: time
        with I/O commands in progress. `power_cycles`, `power_on_hours`, `unsafe_shutdowns`. `media_errors`: data that
        could not be read back or written. `error_log_entries`: commands that ended with an error.
        `thermal_1_transitions`, `thermal_1_s`: how often the drive began light throttling
        (`controller.power.throttle.light_c`) and for how many seconds it lasted; `thermal_2_transitions`,
        `thermal_2_s`: the same of heavy throttling.
        """
        return self._core.smart_log()

    def power_states(self) -> list[dict[str, Any]]:
        """Returns the power states in the drive's answer to Identify, as dicts with `max_mw` (MP), `operational` (not
        NOPS), `entry_us` (ENLAT), `exit_us` (EXLAT) and `idle_mw` (IDLP). 0 mW means not reported."""
        return self._core.power_states()

    def power_state(self) -> int:
        """Asks the drive for the number of its power state (`host.nvme.power_states`) by Get Features, for which
        simulated time passes."""
        return self._core.power_state()

    def set_power_state(self, state: int) -> None:
        """Sends the drive to a power state by Set Features, for which simulated time passes.

        The drive changes to a non-operational state when no I/O command is outstanding; the change goes on after the
        call. The next I/O command brings the drive back to the operational state that was set last. A change between
        operational states ends with the call: it takes the exit latency of the old state and the entry latency of the
        new one, and the maximum power of the old state holds until then. Raises `RequestError` if the drive has no such
        state.
        """
        self._core.set_power_state(device_number("state", state, 32))

    def set_power_transitions(self, transitions: Mapping[int, tuple[int, int]]) -> None:
        """Replaces the autonomous power state transitions of the drive by Set Features, for which simulated time
        passes.

        `transitions` gives for a state the next one and the idle time in milliseconds before it: `{0: (3, 100)}` lets
        the drive enter state 3 when it has been idle in state 0 for 100 ms. Without entries, the drive changes its
        state only by `set_power_state` and for commands. A reset of the controller restores the transitions of
        `host.nvme.power_states`. Raises `RequestError` for a transition that does not lead to a non-operational state
        with a higher number.
        """
        self._core.set_power_transitions(
            [
                (
                    device_number("state", state, 32),
                    device_number("next state", to, 32),
                    device_number("idle time", idle_ms, 32),
                )
                for state, (to, idle_ms) in transitions.items()
            ]
        )
