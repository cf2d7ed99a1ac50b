# SPDX-License-Identifier: Apache-2.0
"""The server: a socket in the file system, its clients, and the thread that simulates the drive."""

from __future__ import annotations

import os
import selectors
import shutil
import socket
import stat
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Self, TypeVar
from urllib.parse import quote

from nandscape.config import Config, load
from nandscape.errors import ConfigError, Error
from nandscape.nbd.connection import Connection
from nandscape.nbd.drive import Operation, RequestLogFile, ServedDrive
from nandscape.nbd.pace import pace_of
from nandscape.nbd.protocol import MOST_PAYLOAD, SMALLEST_BLOCK
from nandscape.nbd.session import Export
from nandscape.simulation import Simulation

T = TypeVar("T")

# How many seconds a server that stops waits for clients to take their replies.
_PATIENCE_S = 2.0


class NbdServer:
    """Serves a simulated drive to clients of the NBD protocol, over a Unix socket.

    `simulation` must keep the data (`simulation.data: stored`). `path`: of the socket; None: a new one in a temporary
    folder. `pace`: "free", simulated time passes only while requests are under way, as fast as it can be simulated;
    "lockstep", it also waits for a client's next request after each reply; "wall", it follows the wall clock and is
    never ahead of it. `log`: a file to which each request is written, a trace with simulated latencies. Clients can
    connect as soon as the object exists, and are served by `run` or `start`. The block of a `with` statement ends with
    `stop`.

    While the server runs, the simulation is used only through `call`, `power_cut` and `power_on`, from any thread.

    Raises `ConfigError` for a drive that keeps no data, `Error` for an unknown pace and for a socket that another
    server uses, and OSError for a path that cannot be used.
    """

    def __init__(
        self,
        simulation: Simulation,
        path: str | os.PathLike[str] | None = None,
        *,
        pace: str = "free",
        read_only: bool = False,
        log: str | os.PathLike[str] | None = None,
    ) -> None:
        if simulation.config["simulation.data"] != "stored":
            raise ConfigError(
                "simulation.data: is none, so that the drive keeps no bytes, and clients would read zeroes; set it to "
                "stored",
                "simulation.data",
            )
        self.simulation = simulation
        self._pace = pace_of(pace)
        self._export = export_of(simulation, read_only)
        self._folder = tempfile.mkdtemp(prefix="nandscape-") if path is None else None
        self.path = os.path.join(self._folder, "socket") if self._folder else os.path.abspath(os.fsdecode(path or ""))
        self._file = open(log, "w", encoding="ascii") if log is not None else None  # noqa: SIM115, closed by _close
        self._drive = ServedDrive(simulation, self._pace, RequestLogFile(self._file) if self._file else None)
        self._connections: list[Connection] = []
        self._connected = 0  # number of connections so far
        self._touched: dict[Connection, None] = {}  # connections that may have output or want other events
        self._calls: deque[tuple[Callable[[Simulation], Any], Future[Any]]] = deque()
        self._lock = threading.RLock()  # of the calls and of the end; a signal handler may interrupt its owner
        self._has_ended = False
        self._stops_at: float | None = None  # the time at which a server that stops loses its patience
        self._has_power = False
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        self._selector = selectors.DefaultSelector()
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ, self._wake_up)
        try:
            self._listener = listener_at(self.path)
        except BaseException:
            self._release()
            raise

    @property
    def uri(self) -> str:
        """The address for clients, such as "nbd+unix:///?socket=/tmp/drive"."""
        return f"nbd+unix:///?socket={quote(self.path)}"

    # --- functions for any thread

    def post(self, function: Callable[[Simulation], T]) -> Future[T]:
        """Lets the serving thread call `function(simulation)` between two turns, and returns the future of its value.
        A signal handler may call it. Raises `Error` if the server has stopped."""
        future: Future[T] = Future()
        with self._lock:
            if self._has_ended:
                raise Error("the server has stopped; its simulation can be used directly")
            self._calls.append((function, future))
            self._wake()
        return future

    def call(self, function: Callable[[Simulation], T]) -> T:
        """Does the same as `post`, and waits for the value: `server.call(ns.Simulation.stats)`.

        If the drive has no power afterwards, all clients are disconnected, and new ones wait until it has power again.
        """
        return self.post(function).result()

    def power_cut(self) -> None:
        """Cuts the power of the drive while clients use it. Their requests under way fail with ESHUTDOWN, and their
        connections are closed."""
        self.call(Simulation.power_cut)

    def power_on(self) -> None:
        """Switches the drive on. Everything that was flushed or written with FUA is there."""
        self.call(Simulation.power_on)

    def start(self) -> Self:
        """Serves clients in a thread of its own, and returns at once."""
        self._thread = threading.Thread(target=self._run_in_thread, name="nandscape-nbd", daemon=True)
        self._thread.start()
        return self

    def request_stop(self) -> None:
        """Lets the server stop soon: requests under way end, connections are closed, and the data of the drive are
        flushed. Returns at once. A signal handler may call it."""
        with suppress(Error):  # the server has stopped
            self.post(self._begin_to_stop)

    def stop(self) -> None:
        """Does the same as `request_stop`, and waits until the serving thread has ended. Afterwards `simulation` can be
        used directly. Raises the error that has ended the thread, if any."""
        self.request_stop()
        if self._thread is None:
            return
        self._thread.join()
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is None:
            self._close()

    # --- the serving thread

    def run(self) -> None:
        """Serves clients until `stop` is called. Raises the errors of the simulation."""
        try:
            self._see_power()
            while not self._is_done():
                self._turn()
            if self.simulation.has_power and not self._export.read_only:
                self.simulation.flush()
        finally:
            self._close()

    def _run_in_thread(self) -> None:
        try:
            self.run()
        except BaseException as error:
            self._error = error

    def _is_done(self) -> bool:
        if self._stops_at is None:
            return False
        return not self._drive.under_way and (not self._connections or time.monotonic() >= self._stops_at)

    def _turn(self) -> None:
        """Takes input, lets simulated time pass, and sends replies."""
        if self._pace.patience_s:
            self._wait_for_answers()
        for key, events in self._selector.select(self._sleep_s()):
            key.data(events)
        if self._calls:
            self._make_calls()
        if self._has_power:
            for operation in self._drive.let_time_pass():
                self._reply(operation)
        touched, self._touched = self._touched, {}
        for connection in touched:
            self._serve(connection, 0)

    def _wait_for_answers(self) -> None:
        """Takes input until each client has sent a request for each reply, or the patience ends."""
        until = time.monotonic() + self._pace.patience_s
        while not self._calls and (silent := [c for c in self._connections if c.replies_to_answer]):
            left = until - time.monotonic()
            if left <= 0:
                for connection in silent:
                    connection.replies_to_answer = 0
                    connection.answers_replies = False
                return
            for key, events in self._selector.select(left):
                key.data(events)

    def _sleep_s(self) -> float | None:
        """Returns for how many seconds the server may wait for input."""
        if self._drive.under_way:
            return 0
        if self._file is not None:
            self._file.flush()
        if self._stops_at is not None:
            return max(0, self._stops_at - time.monotonic())
        return self._pace.idle_s if self._has_power else None

    def _reply(self, operation: Operation) -> None:
        connection = operation.client
        if connection.is_open:
            connection.reply(operation)
            self._touched[connection] = None

    def _serve(self, connection: Connection, events: int) -> None:
        """Receives and sends what there is, and closes a connection that is over or broken."""
        if not connection.is_open:
            return
        try:
            if events & selectors.EVENT_READ:
                connection.receive(self._drive)
            connection.send()
        except OSError:
            return self._disconnect(connection)
        if connection.is_over:
            return self._disconnect(connection)
        wanted = connection.wanted_events()
        if wanted != connection.interest:
            self._watch(connection, wanted)

    def _watch(self, connection: Connection, wanted: int) -> None:
        if not connection.interest:
            self._selector.register(connection.socket, wanted, lambda events: self._serve(connection, events))
        elif wanted:
            self._selector.modify(connection.socket, wanted, self._selector.get_key(connection.socket).data)
        else:
            self._selector.unregister(connection.socket)
        connection.interest = wanted

    def _accept(self, _: int) -> None:
        try:
            connected, _address = self._listener.accept()
        except OSError:  # the client is gone already
            return
        connected.setblocking(False)
        self._connected += 1
        connection = Connection(self._connected, connected, self._export)
        self._connections.append(connection)
        self._serve(connection, 0)

    def _disconnect(self, connection: Connection) -> None:
        if connection.interest:
            self._watch(connection, 0)
        connection.is_open = False
        connection.socket.close()
        self._connections.remove(connection)

    # --- calls

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # the socket is full of reasons to wake up
            self._waker.send(b"\0")

    def _wake_up(self, _: int) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4096)

    def _make_calls(self) -> None:
        while self._calls:
            function, future = self._calls.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                value = function(self.simulation)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(value)
            self._pace.interrupted()
            self._see_power()

    def _see_power(self) -> None:
        """Disconnects the clients if the drive has lost its power, and lets clients connect if it has got it."""
        has_power = self.simulation.has_power
        if has_power == self._has_power:
            return
        self._has_power = has_power
        if has_power:
            if self._stops_at is None:
                self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
            return
        for operation in self._drive.ended():
            self._reply(operation)
        for connection in list(self._connections):
            with suppress(OSError):
                connection.send()
            self._disconnect(connection)
        if self._stops_at is None:
            self._selector.unregister(self._listener)

    def _begin_to_stop(self, _: Simulation) -> None:
        if self._stops_at is not None:
            return
        self._stops_at = time.monotonic() + _PATIENCE_S
        if self._has_power:
            self._selector.unregister(self._listener)
        for connection in self._connections:
            connection.session.ended = True
            self._touched[connection] = None

    # --- the end

    def _close(self) -> None:
        with self._lock:
            if self._has_ended:
                return
            self._has_ended = True
        for _, future in self._calls:
            if future.set_running_or_notify_cancel():
                future.set_exception(Error("the server has stopped before the call"))
        for connection in list(self._connections):
            self._disconnect(connection)
        self._listener.close()
        with suppress(FileNotFoundError):
            os.unlink(self.path)
        self._release()

    def _release(self) -> None:
        """Closes everything but the listening socket and its connections."""
        self._selector.close()
        self._woken.close()
        self._waker.close()
        if self._file is not None:
            self._file.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def serve(
    config: Config | Simulation | str | os.PathLike[str] | Mapping[str, Any],
    path: str | os.PathLike[str] | None = None,
    *,
    pace: str = "free",
    read_only: bool = False,
    log: str | os.PathLike[str] | None = None,
) -> NbdServer:
    """Starts an `NbdServer` in a thread of its own and returns it.

    `config`: a simulation, or what `Simulation` takes; the drive then keeps the data, whatever `simulation.data` says.
    The other arguments and the errors are those of `NbdServer`.

    >>> with ns.serve("default") as server:
    ...     subprocess.run(["nbdinfo", server.uri])
    """
    if isinstance(config, Simulation):
        simulation = config
    else:
        resolved = config if isinstance(config, Config) else load(config)
        simulation = Simulation(resolved.override({"simulation.data": "stored"}))
    return NbdServer(simulation, path, pace=pace, read_only=read_only, log=log).start()


def export_of(simulation: Simulation, read_only: bool) -> Export:
    """Returns what clients are told about the drive. The preferred block is a mapping unit, if its size is a power of
    two, as the protocol demands."""
    unit = simulation.config["controller.mapping.unit_bytes"] or simulation.config["nand.geometry.page_bytes"]
    is_power_of_two = unit & (unit - 1) == 0
    return Export(
        size=simulation.capacity_bytes,
        preferred_block=unit if is_power_of_two and SMALLEST_BLOCK <= unit <= MOST_PAYLOAD else 4096,
        read_only=read_only,
        description=f"a drive that nandscape simulates, {simulation.config.name}",
    )


def listener_at(path: str) -> socket.socket:
    """Returns a socket that listens at the path. A socket that a dead server has left there is replaced."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        try:
            listener.bind(path)
        except OSError:
            if not _is_abandoned(path):
                raise
            os.unlink(path)
            listener.bind(path)
        listener.listen()
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise Error(f"{path}: no socket can be made here: {error.strerror or error}") from error
    return listener


def _is_abandoned(path: str) -> bool:
    """Whether there is a socket to which nobody listens."""
    with suppress(OSError):
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            return False
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False
