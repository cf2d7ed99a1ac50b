# SPDX-License-Identifier: Apache-2.0
"""What nandscape raises.

`Error` and its kinds are the input's fault: their message says what was wrong, where, and what would be right.
"""


class Error(ValueError):
    """Base of every error that a user can act on."""


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
    """A request that the device cannot carry out: past the capacity, no whole sectors, or failed by the device.

    A RuntimeError as well: a device may fail what was asked for rightly.

    `status` tells which: "refused" for what never reached the flash (out of range, no whole sectors, no such command),
    "unrecovered_read_error" for stored data that could not be corrected, "write_fault" for data that found no place,
    "write_protected" once the device is read-only, "aborted" for a command under way when the controller was reset,
    "power_lost" for one under way when the power went.
    """

    def __init__(self, message: str, status: str = "refused") -> None:
        super().__init__(message)
        self.status = status


class BusyError(Error, RuntimeError):
    """A simulation was called while another call of it is under way, which it belongs to; nothing has happened to it.

    The other call is another thread's, or the one whose progress callback this is; see `Simulation`. Also raised in a
    forked process, for what another thread was in the middle of.
    """


class ConfigWarning(UserWarning):
    """Keys that were given and do nothing under the choices of the configuration."""


class SaturationWarning(UserWarning):
    """A workload of open loop whose requests came faster than the drive served them."""


class TransientWarning(UserWarning):
    """A run whose figures depend on its length, since the drive has not reached a steady state in its measured window.

    `warnings.simplefilter("ignore", nandscape.TransientWarning)` turns it off.
    """


class ProtocolError(RuntimeError):
    """A block was driven in a way its protocol forbids: a bug of the block that drove it, not of the input."""
