# SPDX-License-Identifier: Apache-2.0
"""Carries out the requests of clients as commands of a simulation, several at the same time."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, TextIO

from nandscape._core import ended_of
from nandscape.errors import RequestError
from nandscape.nbd.pace import Pace
from nandscape.nbd.protocol import SMALLEST_BLOCK, NbdError
from nandscape.nbd.session import Request
from nandscape.units import microseconds

if TYPE_CHECKING:
    from nandscape._core import HostCommand
    from nandscape.simulation import Simulation

# NVMe has more statuses than NBD has errors.
ERRORS = {
    "ok": 0,
    "unrecovered_read_error": NbdError.EIO,
    "write_fault": NbdError.EIO,
    "refused": NbdError.EINVAL,
    "write_protected": NbdError.EPERM,
    "aborted": NbdError.EIO,
    "power_lost": NbdError.ESHUTDOWN,
}


class Operation:
    """A request that the drive has received. `client`: who sent it. `began`: tick of the start. `status`: None while it
    is under way, then as in `RequestError.status`. `latency`: in ticks, as the driver of the drive saw it. `to_flush`:
    whether a flush has to follow the command, since a command Deallocate cannot be forced."""

    __slots__ = ("began", "client", "command", "latency", "request", "status", "to_flush")

    def __init__(self, client: Any, request: Request, began: int) -> None:
        self.client = client
        self.request = request
        self.began = began
        self.command: HostCommand | None = None
        self.status: str | None = None
        self.latency = 0
        self.to_flush = request.forced and request.operation in ("trim", "write_zeroes")

    @property
    def error(self) -> int:
        return ERRORS[self.status or "ok"]

    @property
    def data(self) -> bytes | None:
        """The data of a read that has succeeded; otherwise None."""
        return None if self.command is None else self.command.data


class ServedDrive:
    """The drive behind the server. Not more than one thread may use it."""

    def __init__(self, simulation: Simulation, pace: Pace, log: RequestLogFile | None) -> None:
        self._core = simulation._core
        self._pace = pace
        self._log = log
        # The requests under way in the order of their starts, and their commands in the same order
        self._operations: list[Operation] = []
        self._commands: list[HostCommand] = []
        self._refused: list[Operation] = []  # ended at their start

    @property
    def under_way(self) -> bool:
        """Whether a request has begun and has not been returned yet."""
        return bool(self._operations or self._refused)

    def start(self, client: Any, request: Request) -> None:
        """Starts a request now."""
        if not self._operations:
            self._be_idle()  # until now
        operation = Operation(client, request, self._core.now)
        try:
            self._go_on(operation, self._command(request))
        except RequestError as error:
            operation.status = error.status
            self._refused.append(operation)
        if self._log is not None:
            self._log.begun(operation)

    def let_time_pass(self) -> list[Operation]:
        """Lets simulated time pass as the pace has it, at most until a request ends. Returns those that have ended."""
        if self._operations:
            self._core.wait_any(self._pace.limit(self._core.now))
        else:
            self._be_idle()
        return self.ended()

    def ended(self) -> list[Operation]:
        """Returns the requests that have ended since the last call of this function or `let_time_pass`."""
        ended, self._refused = self._refused, []
        done = ended_of(self._commands)
        if done:
            self._pace.ended()
            operations = [self._operations[k] for k in done]
            for k in reversed(done):
                del self._operations[k], self._commands[k]
            ended += [operation for operation in operations if self._has_ended(operation)]
        if ended and self._log is not None:
            self._log.write_ended()
        return ended

    def _be_idle(self) -> None:
        now = self._core.now
        until = self._pace.idle_until(now)
        if until > now:
            self._core.run_until(until)

    def _command(self, request: Request) -> HostCommand:
        first = request.offset // SMALLEST_BLOCK
        if request.operation == "read":
            return self._core.start_read(first, request.length)
        if request.operation == "write":
            return self._core.start_write(first, bytes(request.data), request.forced)
        if request.operation == "flush":
            return self._core.start_flush()
        # The drive treats Write Zeroes as a trim: it deallocates whole pages, and writes zeroes to the rest.
        return self._core.start_trim(first, request.length // SMALLEST_BLOCK)

    def _go_on(self, operation: Operation, command: HostCommand) -> None:
        operation.command = command
        self._operations.append(operation)
        self._commands.append(command)

    def _has_ended(self, operation: Operation) -> bool:
        """Takes the outcome of the operation's command. Returns False if another command of the operation follows."""
        command = operation.command
        operation.latency += command.latency
        operation.status = command.status
        if not operation.to_flush or operation.status != "ok":
            return True
        operation.to_flush = False
        try:
            self._go_on(operation, self._core.start_flush())
        except RequestError as error:
            operation.status = error.status
            return True
        operation.status = None
        return False


class RequestLogFile:
    """A table with a row for each request, in the order of their starts, as text. It is also a trace, which
    `nandscape run --trace` replays: the reader of traces finds its columns by name and skips the others."""

    COLUMNS = "time_us,operation,offset_bytes,size_bytes,forced,latency_us,status,connection"

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._begun: deque[Operation] = deque()
        file.write(self.COLUMNS + "\n")

    def begun(self, operation: Operation) -> None:
        """Adds a request that has begun."""
        self._begun.append(operation)

    def write_ended(self) -> None:
        """Writes the requests that have ended, up to the first that has not."""
        while self._begun and self._begun[0].status is not None:
            operation = self._begun.popleft()
            request = operation.request
            self._file.write(
                f"{microseconds(operation.began):.6f},{request.operation},{request.offset},{request.length},"
                f"{int(request.forced)},{microseconds(operation.latency):.6f},{operation.status},{operation.client.number}\n"
            )
