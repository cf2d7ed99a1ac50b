# SPDX-License-Identifier: Apache-2.0
"""`nandscape serve`: serves a drive to programs that use a network block device, and prints the results at the end."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import nandscape
from nandscape import Error, Simulation
from nandscape.cli import configuration
from nandscape.cli.parsers import add_command
from nandscape.cli.run import print_latencies, print_rates, rates_of
from nandscape.files import check_folders
from nandscape.nbd.pace import PACES
from nandscape.nbd.server import NbdServer
from nandscape.saved_results import WITH_REQUESTS
from nandscape.simulation import from_checkpoint

DESCRIPTION = """\
Serve a drive to programs that use a network block device (NBD). Simulated
latencies are in the statistics; the time that a client measures is that of the
simulator.

Ctrl-C, or SIGTERM, ends the server: requests under way end, and data are
flushed. SIGUSR1 cuts the power and restores it: clients are disconnected, and
data in volatile caches are lost. SIGQUIT cuts the power and ends the server.
"""

# How many seconds a command of --run has to end after the server.
PATIENCE_S = 10

EXAMPLES = """
nandscape serve default --socket /tmp/drive.socket
nandscape serve bare --run 'nbdinfo "$uri"'
nandscape serve default --log fio.csv --run 'fio job.fio'
nandscape run default --trace fio.csv              # the same requests again
nandscape serve cached --checkpoint used.drive --run 'nbdcopy disk.img "$uri"'
nandscape serve --restore used.drive --run 'nbdcopy "$uri" copy.img'
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `serve` with its arguments to the parser."""
    parser = add_command(
        commands, "serve", "serve a drive as a network block device", EXAMPLES, description=DESCRIPTION
    )
    configuration.add_arguments(parser, optional=True)
    parser.add_argument(
        "--socket", metavar="PATH", help="the Unix socket for clients; with --run, a new one by default"
    )
    parser.add_argument(
        "--run",
        metavar="COMMAND",
        help="let a shell run COMMAND with $uri and $unixsocket, and end with it and its exit status",
    )
    parser.add_argument(
        "--pace",
        choices=PACES,
        default="free",
        help="free: simulated time passes only while requests are under way (the default); lockstep: it also waits for "
        "a client's next request after each reply, which keeps the queue depth; wall: it follows the wall clock and is "
        "never ahead of it",
    )
    parser.add_argument("--read-only", action="store_true", help="refuse requests that change data")
    parser.add_argument("--restore", metavar="FILE", help="go on from this checkpoint; --set changes its configuration")
    parser.add_argument("--checkpoint", metavar="FILE", help="write the state at the end to FILE")
    parser.add_argument("--log", metavar="FILE.csv", help="write each request with its simulated latency, as a trace")
    parser.add_argument("--json", metavar="FILE", help="write statistics and configuration to FILE, or - for stdout")
    parser.add_argument("--save", metavar="FILE.npz", help="write the same with all requests to FILE.npz")
    parser.set_defaults(command=serve)


def serve(options: argparse.Namespace) -> None:
    """Runs `nandscape serve` with the parsed arguments. With `--json -`, the JSON is written to stdout and the table is
    printed to stderr."""
    check_folders(options.json, options.save, options.checkpoint, options.log)
    if options.save and Path(options.save).suffix != WITH_REQUESTS:
        raise Error(f"{options.save}: a result with its requests is written as {WITH_REQUESTS}; --json writes JSON")
    if options.socket is None and options.run is None:
        raise Error("give --socket PATH, where clients connect, or --run COMMAND, a client to be run")
    simulation = _simulation(options)
    server = NbdServer(simulation, options.socket, pace=options.pace, read_only=options.read_only, log=options.log)
    with server, _signals(server), _client(options.run, server) as statuses:
        if options.run is None:
            print(
                f"nandscape: serving {simulation.capacity_bytes:,} bytes at {server.uri}", file=sys.stderr, flush=True
            )
        server.run()
    if not simulation.has_power:
        simulation.power_on()
    result = simulation.result()
    if options.checkpoint:
        simulation.checkpoint(options.checkpoint)
    if options.json == "-":
        sys.stdout.write(result.to_json())
    elif options.json:
        result.save(options.json)
    if options.save:
        result.save(options.save)
    # Ceilings and the verdict of `run` are about the configured workload, which does not run here.
    file = sys.stderr if options.json == "-" else sys.stdout
    print_latencies(result, file)
    print_rates(rates_of(result), file)
    if any(statuses):
        raise SystemExit(statuses[0])


def _simulation(options: argparse.Namespace) -> Simulation:
    if (options.config is None) == (options.restore is None):
        raise Error("give either CONFIG, a preset or a YAML file, or --restore FILE")
    if options.restore:
        return from_checkpoint(options.restore, options.overrides, options.allow_plugins)
    return nandscape.Simulation(configuration.chosen(options, [("simulation.data", "stored")]))


@contextmanager
def _signals(server: NbdServer) -> Iterator[None]:
    """Handles the signals that the help describes."""

    def stop(*_: object) -> None:
        server.request_stop()

    def fail_power(*_: object) -> None:
        with suppress(Error):  # the server has stopped
            server.post(Simulation.power_cut)
            server.post(Simulation.power_on)

    def pull_plug(*_: object) -> None:
        with suppress(Error):
            server.post(Simulation.power_cut)
        server.request_stop()

    handlers = {signal.SIGINT: stop, signal.SIGTERM: stop, signal.SIGUSR1: fail_power, signal.SIGQUIT: pull_plug}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _client(command: str | None, server: NbdServer) -> Iterator[list[int]]:
    """Runs a command beside the server, and stops the server when the command ends. Yields a list that has the exit
    status of the command after the block, if there is a command."""
    statuses: list[int] = []
    if command is None:
        yield statuses
        return
    names = {"uri": server.uri, "unixsocket": server.path}  # those of nbdkit --run
    client = subprocess.Popen(command, shell=True, env=os.environ | names)

    def wait() -> None:
        client.wait()
        server.request_stop()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield statuses
    finally:
        # A server that was stopped has disconnected the command, which therefore ends soon.
        waiting.join(PATIENCE_S)
        client.terminate()
        code = client.wait()
        statuses.append(128 - code if code < 0 else code)
