# SPDX-License-Identifier: Apache-2.0
"""Errors and warnings of nandscape.

`Error` and its subclasses report wrong input: their message says what was wrong, where, and what would be right.
"""


class Error(ValueError):
    """Base class of all errors that a user can act on."""


class ConfigError(Error):
    """A configuration that cannot be used: an unknown key, a value out of range, values that contradict each other.

    `path` is the full path of the key ("nand.timing.t_prog_us"), or empty when no single key is at fault.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class InputError(Error):
    """A trace or another input file that cannot be read; the message names its line."""


class RequestError(Error, RuntimeError):
    """A request that the device cannot carry out: past the capacity, not whole sectors, or failed by the device.

    It is also a RuntimeError, since a device may fail a correct request.

    `status` gives the reason: "refused" for a request that never reached the flash (out of range, not whole sectors, no
    such command), "unrecovered_read_error" for stored data that could not be corrected, "write_fault" for data without
    a free page to write to, "write_protected" after the device has become read-only, "aborted" for a command in
    progress when the controller was reset, "power_lost" for a command in progress when the power failed.
    """

    def __init__(self, message: str, status: str = "refused") -> None:
        super().__init__(message)
        self.status = status


class BusyError(Error, RuntimeError):
    """A simulation was called while another call was in progress. The second call has had no effect.

    Either another thread made the first call, or the progress callback of the first call made the second; see
    `Simulation`. Also raised in a forked process, for a simulation that another thread was using at the fork.
    """


class ConfigWarning(UserWarning):
    """A doubtful configuration, for example a given key that has no effect because of other keys; see `Config.warn`."""


class SaturationWarning(UserWarning):
    """Requests of an open loop arrived faster than the drive served them."""


class TransientWarning(UserWarning):
    """The figures of a run depend on its length, since the drive was not in a steady state in the measured window.

    `warnings.simplefilter("ignore", nandscape.TransientWarning)` turns it off.
    """


class ProtocolError(RuntimeError):
    """A block was driven in a way that its protocol forbids. This is a bug in the block that drove it, and not bad
    input."""
