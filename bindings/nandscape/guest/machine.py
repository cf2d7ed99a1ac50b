# SPDX-License-Identifier: Apache-2.0
"""Starts the guest's kernel, and runs commands in the guest."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from nandscape import _core, data
from nandscape.config import Config, load
from nandscape.errors import Error
from nandscape.guest import initrd
from nandscape.simulation import Simulation
from nandscape.units import ticks

# The virtio device IDs of the guest's devices: the PCI bus, as in the kernel's configuration, and a console.
PCI_DEVICE_ID = 1234
CONSOLE_DEVICE_ID = 3
# The guest's time of day at its start, the same in each run: 1 January 2026.
TIME_OF_DAY_S = 1_767_225_600
LAST_LINES = 12


class GuestError(Error):
    """The guest's kernel has ended, a command in the guest has failed, or the guest cannot be started.

    `output`: what the failed command has written.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class Guest:
    """A Linux on a simulated drive: user-mode Linux, whose own NVMe driver finds the drive as /dev/nvme0n1.

    The guest's clock is simulated time. Its processor takes no simulated time, so latencies are those of the drive, the
    link and the driver's own waits. The guest runs commands with the programs of the host: its root is the host's tree
    `root`, and what it writes there is lost at its end. Use it as a context manager:

    >>> with ns.Guest("default") as guest:
    ...     print(guest.run("fio --name=reads --filename=/dev/nvme0n1 --rw=randread --size=1M"))

    `drive`: a configuration as for `Simulation`, or a `Simulation` with the host `pci_port`
    (`simulation.blocks.host`) and stored data (`simulation.data`), which a configuration gets by itself. `kernel`: the
    file that `make guest` has built. `memory`: of the guest, as "256M". Raises `GuestError` if the kernel or busybox
    are missing.

    Between two commands the guest stands still. `simulation` is the drive; its methods may age it, inject failures, or
    let it work on, which the guest does not notice otherwise. A checkpoint of a drive with a guest is refused.
    """

    def __init__(
        self,
        drive: Simulation | Config | str | os.PathLike[str] | Mapping[str, Any],
        *,
        kernel: str | os.PathLike[str] | None = None,
        memory: str = "256M",
        root: str | os.PathLike[str] = "/",
    ) -> None:
        if not re.fullmatch(r"[1-9][0-9]*[MG]", memory):
            raise GuestError(f"the guest's memory is a number with M or G, such as 256M, not {memory!r}")
        self._root = Path(root).resolve()
        if not self._root.is_dir():
            raise GuestError(f"the guest's root {root} is not a folder")
        self._kernel = _found(kernel, "linux", "the guest's kernel")
        self._busybox = _found(None, "busybox", "busybox, the guest's first program,")
        self._memory = memory
        self.simulation = drive if isinstance(drive, Simulation) else Simulation(_with_port(drive))
        self._process: subprocess.Popen[bytes] | None = None
        self._session: _core.GuestSession | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._number = 0
        self._running = False
        self.kernel_log = ""

    # --- the machine

    def boot(self) -> None:
        """Starts the kernel, and runs simulated time until the guest takes commands. Entering the context does so."""
        if self._process is not None:
            raise GuestError("the guest runs already")
        self._folder = tempfile.TemporaryDirectory(prefix="nandscape-guest-")
        folder = Path(self._folder.name)
        sockets = {name: str(folder / name) for name in ("time", "pci", "console")}
        self._session = _core.GuestSession(self.simulation._core, **sockets, time_of_day_s=TIME_OF_DAY_S)
        (folder / "initrd").write_bytes(initrd.archive(self._busybox.read_bytes()))
        (folder / "session").mkdir()
        # The kernel runs in the folder and names no path that differs from run to run.
        arguments = [
            f"mem={self._memory}",
            "time-travel=ext:time",
            f"virtio_uml.device=pci:{PCI_DEVICE_ID}",
            f"virtio_uml.device=console:{CONSOLE_DEVICE_ID}",
            "initrd=initrd",
            "con=null",
            "con0=null,fd:1",
            "uml_dir=.",
            "umid=uml",
            "panic=-1",
            f"NANDSCAPE_ROOT={self._root}",
            "NANDSCAPE_SESSION=/proc/self/cwd/session",
        ]
        # Restartable sequences of glibc 2.35 and newer crash the kernel, and its addresses must be the same each time.
        environment = {"PATH": os.defpath, "GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
        with open(folder / "kernel.log", "wb") as log:
            self._process = subprocess.Popen(
                ["setarch", "-R", str(self._kernel), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=folder,
                start_new_session=True,
            )
        try:
            self._await("ready")
        except BaseException:
            self.kill()
            raise

    def run(self, command: str, *, check: bool = True) -> str:
        """Runs a shell command in the guest, and returns what it has written to stdout and stderr.

        Raises `GuestError` if the command ends with a status other than 0, unless `check` is false.
        """
        self.start(command)
        return self.wait(check=check)

    def start(self, command: str) -> None:
        """Starts a shell command in the guest, and returns at once. It proceeds in `run_for` and `wait`."""
        session = self._booted()
        if self._running:
            raise GuestError("a command is running in the guest; wait() for its end")
        self._number += 1
        self._path("command").write_text(command + "\n")
        session.send(f"run {self._number}")
        self._running = True

    def run_for(self, time: str) -> bool:
        """Lets simulated time pass, such as "250us" or "3ms". Returns whether the started command still runs then."""
        session = self._booted()
        ended = session.run(session.now_ns + ticks(time) // 1000)
        if ended == "gone":
            self._raise_gone()
        return ended != "line" and self._running

    def wait(self, *, check: bool = True) -> str:
        """Runs simulated time until the started command has ended, and returns what it has written, as `run` does."""
        if not self._running:
            raise GuestError("no command is running in the guest; start() one")
        status = int(self._await(f"done {self._number} ").rsplit(" ", 1)[1])
        self._running = False
        output = self._path("output").read_text(errors="replace")
        if status != 0 and check:
            raise GuestError(f"the command ended with status {status} in the guest:\n{_last(output)}", output)
        return output

    def power_cut(self) -> None:
        """Cuts the power of the drive, under the running guest: the drive is gone from the PCI bus until
        `power_on`."""
        self.simulation.power_cut()

    def power_on(self) -> None:
        """Switches the drive on again. The guest finds it when it has removed the old one and looks for devices."""
        self.simulation.power_on()
        self.run("for d in /sys/bus/pci/devices/*; do echo 1 >$d/remove; done; echo 1 >/sys/bus/pci/rescan")

    def shut_down(self) -> None:
        """Ends the guest as `poweroff` does: its driver shuts the drive down. The drive keeps its power."""
        session = self._booted()
        if self._running:
            raise GuestError("a command is running in the guest; wait() for its end")
        session.send("end")
        while session.run() != "gone":
            session.take_line()
        self.kill()

    def kill(self) -> None:
        """Ends the guest at once, as a power failure of its machine does. The drive keeps its power. `boot` starts the
        guest again."""
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        self._session = None
        self._running = False
        if self._folder is not None:
            log = Path(self._folder.name, "kernel.log")
            if log.exists():
                self.kernel_log = log.read_text(errors="replace")
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> Guest:
        self.boot()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._process is not None and not self._running:
            self.shut_down()
        else:
            self.kill()

    # --- figures

    @property
    def now_us(self) -> float:
        """The guest's clock in microseconds since its start."""
        return self._booted().now_ns / 1000

    @property
    def traffic(self) -> dict[str, int]:
        """The accesses of the guest to the drive, and the requests of the drive to the guest, since the guest's start:
        `configuration_accesses`, `register_reads`, `register_writes`, `dma_reads`, `dma_writes`, `refused_dma`
        (outside the guest's memory), `interrupts`, and `turns`, which counts how often the guest has waited for the
        drive's time."""
        return self._booted().counters()

    # --- parts

    def _booted(self) -> _core.GuestSession:
        if self._session is None:
            raise GuestError("the guest does not run; boot() starts it")
        return self._session

    def _path(self, kind: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name, "session", f"{self._number}.{kind}")

    def _await(self, beginning: str) -> str:
        session = self._booted()
        while True:
            ended = session.run()
            while (line := session.take_line()) is not None:
                if line.startswith(beginning):
                    return line
            if ended == "gone":
                self._raise_gone()

    def _raise_gone(self) -> None:
        self.kill()
        raise GuestError(f"the guest's kernel has ended; its last messages:\n{_last(self.kernel_log)}")


def _with_port(drive: Config | str | os.PathLike[str] | Mapping[str, Any]) -> Config:
    config = drive if isinstance(drive, Config) else load(drive)
    return config.override({"simulation.blocks.host.kind": "pci_port", "simulation.data": "stored"})


def folder() -> Path:
    """Returns the folder in which `make guest` puts the kernel and busybox, unless NANDSCAPE_GUEST names another."""
    return Path(os.environ.get("NANDSCAPE_GUEST") or data.guest_folder)


def _found(given: str | os.PathLike[str] | None, name: str, what: str) -> Path:
    path = Path(given).resolve() if given is not None else folder() / name
    if not os.access(path, os.X_OK) or path.is_dir():
        raise GuestError(
            f"{what} is not at {path}; `make guest` builds it once, in a quarter of an hour, and the environment "
            "variable NANDSCAPE_GUEST may name another folder"
        )
    if name == "linux" and shutil.which("setarch") is None:
        raise GuestError("a guest needs the program setarch, from the package util-linux")
    return path


def _last(text: str) -> str:
    return "\n".join(text.splitlines()[-LAST_LINES:])
