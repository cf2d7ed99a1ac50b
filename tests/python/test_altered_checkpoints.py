# SPDX-License-Identifier: Apache-2.0
"""Tests of altered checkpoint files. Each must either be refused with a message or restore a simulation that works."""

from __future__ import annotations

import collections
import contextlib
import ctypes
import itertools
import os
import random
import re
import resource
import select
import signal
import struct
import time
from pathlib import Path

import pytest

import nandscape as ns

BASE = {
    "simulation.data": "stored",
    "simulation.cells": "statistical",
    "simulation.request_log": True,
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 12,
    "nand.geometry.page_bytes": 4096,
    "nand.geometry.spare_bytes": 512,
    "controller.mapping.over_provisioning": 1.0,
    "controller.precondition.occupancy": 0.5,
    "host.workload.requests": 10,
}
LDPC = {"ecc.codec": "ldpc", "ecc.codeword_bytes": 4096}
# The refresh by invalid-data-aware coding takes place within a day after the first writes.
ADJUSTED = {
    "controller.power_loss.protection": "capacitor",
    "controller.refresh": {"policy": "ida", "period_days": 0.5, "error_rate": 0.2, "wordlines": "repaying"},
    "controller.read_disturb.limit_reads": 100_000,
}
# Each of these drives has a kind of state that the other drives do not have.
DRIVES = {
    "streams": {
        "controller.power_loss.protection": "none",
        "controller.cache.policy": "read_write",
        "controller.cache.capacity_bytes": 1 << 18,
        "controller.streams.policy": "hot_cold",
        "controller.mapping.cache_bytes": 8192,
        "controller.mapping.over_provisioning": 1.5,
    },
    "host memory": {
        "controller.mapping.memory": "host",
        "controller.mapping.cache_bytes": 8192,
        "controller.mapping.over_provisioning": 1.5,
    },
    "upkeep": {
        "controller.power_loss.protection": "none",
        "controller.refresh": {"policy": "period", "period_days": 10},
        "controller.read_disturb.limit_reads": 50,
        "controller.wear_levelling": {"static_threshold": 2, "check_erases": 2},
        "controller.scrub.period_hours": 0.01,
        "controller.read_retry.start": "last_of_block_and_layer",
        "controller.garbage_collection.policy": "d_choices",
        "controller.scheduler.policy": "flin",
        "nand.condition": {"pe_cycles": 1500, "retention_days": 90},
        "nand.cells.failures.program_failure": 1e-3,
    },
    "relaxed": {
        "controller.power_loss.protection": "none",
        "controller.write_mode.kept_weeks": 2,
        "controller.write_mode.step_ratio": 1.2,
        "nand.condition.temperature_c": 85,  # one or two hours at 85 °C age the data like a week at 30 °C
    },
    "parity": {
        "controller.parity.stripe_dies": 2,
        "controller.garbage_collection.policy": "random",
        "controller.power_loss.protection": "capacitor",
    },
    "copyback": {
        "controller.garbage_collection.copyback": True,
        "controller.mapping.unit_bytes": 2048,
        "nand.condition.pe_cycles": 1000,
    },
    "per_cell": {
        "simulation.cells": "per_cell",
        "ecc.decoder": "bit_true",
        "nand.geometry.page_bytes": 2048,
        "nand.geometry.spare_bytes": 260,
        "nand.geometry.blocks_per_plane": 16,
    },
    "adjusted": ADJUSTED | {"nand.cells.interference.vertical": 0.03},
    "adjusted_per_cell": ADJUSTED
    | {
        "simulation.cells": "per_cell",
        "ecc.decoder": "bit_true",
        "nand.geometry.page_bytes": 2048,
        "nand.geometry.spare_bytes": 260,
        "nand.geometry.blocks_per_plane": 16,
    },
    "layers": LDPC
    | {
        "nand.geometry.page_bytes": 16384,
        "nand.geometry.spare_bytes": 2208,
        "controller.mapping.unit_bytes": 4096,
        "controller.mapping.over_provisioning": 1.6,
        "controller.fullpages.allocation": "fpa",
        "controller.subpages.reads": "srs",
        "controller.read_retry.policy": "soft",
        "ecc.decoder": "table",
        "nand.geometry.first_layer": "by_block",
        "nand.geometry.blocks_per_plane": 48,
        "nand.cells.set": "tlc_3d_48",
    },
    "ideal": {"simulation.cells": "ideal", "simulation.data": "none", "controller.precondition.occupancy": 1.0},
}
LIMIT_S = 5.0
ROOM = 1 << 30  # bytes that a restored simulation may allocate in addition to the memory of the process


class Zstd:
    """Decompresses the zstd frame of a checkpoint, and compresses altered content again."""

    def __init__(self):
        self.library = ctypes.CDLL("libzstd.so.1")
        for name in ("ZSTD_compressBound", "ZSTD_compress", "ZSTD_decompress", "ZSTD_getFrameContentSize"):
            getattr(self.library, name).restype = ctypes.c_size_t

    def pack(self, data: bytes) -> bytes:
        room = self.library.ZSTD_compressBound(ctypes.c_size_t(len(data)))
        out = ctypes.create_string_buffer(room)
        size = self.library.ZSTD_compress(out, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 1)
        return out.raw[:size]

    def unpack(self, frame: bytes) -> bytes:
        room = self.library.ZSTD_getFrameContentSize(frame, ctypes.c_size_t(len(frame)))
        out = ctypes.create_string_buffer(room)
        size = self.library.ZSTD_decompress(out, ctypes.c_size_t(room), frame, ctypes.c_size_t(len(frame)))
        return out.raw[:size]


class Checkpoint:
    """The parts of a checkpoint file: a line of text, and then the compressed content, which consists of the length of
    the configuration, the configuration, and the state."""

    def __init__(self, path):
        raw = path.read_bytes()
        body = raw.index(b"\n") + 1
        self.line = raw[:body]
        content = Zstd().unpack(raw[body:])
        length = 8 + struct.unpack("<Q", content[:8])[0]
        self.configuration, self.state = content[:length], content[length:]

    def write(self, path, state: bytes) -> None:
        path.write_bytes(self.line + Zstd().pack(self.configuration + state))


def page_of(simulation) -> int:
    return simulation.config["nand.geometry.page_bytes"]


def used_drive(changes: dict) -> ns.Simulation:
    """Returns a drive whose parts all have some state, after overwrites, trims, failures, shelf time and a power
    cut.
    """
    simulation = ns.Simulation(ns.load("bare", {**BASE, **changes}))
    page = page_of(simulation)
    pages = simulation.capacity_bytes // page
    draw = random.Random(3)
    for round in range(3):
        for k in range(40):
            simulation.write(draw.randrange(pages // 2) * page // 512, bytes([k]) * page)
        simulation.trim(draw.randrange(pages - 4) * page // 512, 4 * page // 512)
        simulation.read(draw.randrange(pages) * page // 512, page)
        if round == 0:
            simulation.fail_next(0, "program")
        if round == 1:
            simulation.advance("1d")
            simulation.shut_down()
            simulation.power_on()
            simulation.power_cut()
            simulation.power_on()
    simulation.run()
    return simulation


def use(simulation: ns.Simulation, path) -> None:
    """Uses a restored simulation. Requests may fail, but no other error may occur."""
    page = page_of(simulation)
    pages = simulation.capacity_bytes // page
    data = b"z" * page

    def attempt(request, *arguments):
        with contextlib.suppress(ns.RequestError):
            request(*arguments)

    for k in range(30):
        attempt(simulation.write, k * 7 % pages * page // 512, data)
    for k in range(30):
        attempt(simulation.read, k * 11 % pages * page // 512, page)
    attempt(simulation.trim, 0, 8 * page // 512)
    attempt(simulation.flush)
    simulation.advance("1d")
    attempt(simulation.write, 0, data)
    attempt(simulation.read, 0, page)
    simulation.stats()
    simulation.smart_log()
    simulation.result()
    simulation.checkpoint(path)
    simulation.power_cut()
    simulation.power_on()
    for k in range(10):
        attempt(simulation.read, k * 13 % pages * page // 512, page)
        attempt(simulation.write, k * 17 % pages * page // 512, data)
    simulation.run()


def parts_of(state: bytes) -> list[list[int]]:
    """Returns, for each name of a section, the list of the byte offsets in all sections with this name. Several
    sections have the same name, for example those of the dies.
    """
    starts = [match.start() for match in re.finditer(b"sec:.\\0{7}", state, re.DOTALL)]
    named = collections.defaultdict(list)
    for begin, end in itertools.pairwise([*starts, len(state)]):
        name = begin + 12
        named[state[name : name + state[begin + 4]]].extend(range(name + state[begin + 4], end))
    return [places for places in named.values() if places]


def altered(state: bytes, parts: list[list[int]], draw: random.Random) -> tuple[str, bytes]:
    """Alters the state at random. Returns a description of the alteration and the new state.

    Every part is altered with the same probability, whatever its size, and nonzero bytes more often than zeroes.
    """
    new = bytearray(state)
    places = draw.choice(parts)
    at = next((k for k in draw.choices(places, k=4) if state[k] != 0), draw.choice(places))
    kind = draw.choice(["bit", "bit", "byte", "word", "half", "splice", "duplicate", "leave_out", "cut"])
    length = min(draw.choice([1, 4, 8, 40, 400]), len(state) - at)
    other = draw.randrange(len(state) - length + 1)
    if kind == "bit":
        new[at] ^= 1 << draw.randrange(8)
    elif kind == "byte":
        new[at] = draw.randrange(256)
    elif kind in ("word", "half"):
        width = 8 if kind == "word" else 4
        value = draw.choice([0, 1, 2**31, 2**31 - 1, 2**63, 2**63 - 1, 2**64 - 1, draw.randrange(1000)])
        new[at : at + width] = (value % 2 ** (8 * width)).to_bytes(width, "little")
    elif kind == "splice":
        new[at : at + length] = state[other : other + length]
    elif kind == "duplicate":
        new[at:at] = state[at : at + length]
    elif kind == "leave_out":
        del new[at : at + length]
    else:
        del new[at:]
    return f"{kind} at {at}", bytes(new)


def outcome(path, again) -> str:
    """Restores the file in a child process, since the alteration may crash it. Returns a description of the outcome."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            try:
                simulation = ns.Simulation.restore(path)
            except ns.InputError as error:
                message = str(error)
                fits = message.startswith(str(path)) and "\n" not in message
                os.write(writer, ("refused: " + message if fits else "badly refused: " + message).encode())
                os._exit(0)
            try:
                use(simulation, again)
                os.write(writer, b"works")
            except ns.InputError as error:
                # This error comes late because the drive reads the checkpoint of its mapping only at power-on.
                message = str(error)
                if not message.startswith("checkpoint of the mapping: ") or "\n" in message:
                    raise
                os.write(writer, ("refused: " + message).encode())
        except BaseException as error:
            os.write(writer, f"raises {type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    begun = time.monotonic()
    in_time = bool(select.select([reader], [], [], LIMIT_S)[0])
    if not in_time:
        os.kill(child, signal.SIGKILL)
    told = os.read(reader, 4096).decode(errors="replace") if in_time else ""
    status = os.waitpid(child, 0)[1]
    os.close(reader)
    if not in_time:
        return f"hangs: nothing for {time.monotonic() - begun:.1f} s"
    if os.WIFSIGNALED(status):
        return f"crashes with signal {os.WTERMSIG(status)}"
    return told


def try_altered(tmp_path, name: str, trials: int, seed: int) -> collections.Counter:
    path = tmp_path / "drive"
    used_drive(DRIVES[name]).checkpoint(path)
    checkpoint = Checkpoint(path)
    checkpoint.write(path, checkpoint.state)
    assert outcome(path, tmp_path / "again") == "works"
    parts = parts_of(checkpoint.state)
    draw = random.Random(seed)
    outcomes: collections.Counter = collections.Counter()
    failures = []
    for trial in range(trials):
        how, new = altered(checkpoint.state, parts, draw)
        checkpoint.write(path, new)
        what = outcome(path, tmp_path / "again")
        outcomes[what.split(":")[0]] += 1
        if what != "works" and not what.startswith("refused"):
            failures.append(f"trial {trial}, {how}: {what}")
    assert not failures, "\n".join([f"{len(failures)} of {trials}", *failures])
    return outcomes


@pytest.mark.parametrize("name", DRIVES)
def test_an_altered_checkpoint_is_refused_or_works(tmp_path, name):
    outcomes = try_altered(tmp_path, name, trials=15, seed=1)
    assert outcomes["refused"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize("name", DRIVES)
def test_many_altered_checkpoints_are_refused_or_work(tmp_path, name, seed):
    outcomes = try_altered(tmp_path, name, trials=100, seed=seed)
    assert outcomes["works"] > 0
    assert outcomes["refused"] > 0


@pytest.mark.parametrize("name", DRIVES)
def test_equal_states_are_equal_bytes(tmp_path, name):
    first, second = used_drive(DRIVES[name]), used_drive(DRIVES[name])
    first.checkpoint(tmp_path / "first")
    second.checkpoint(tmp_path / "second")
    saved = (tmp_path / "first").read_bytes()
    assert (tmp_path / "second").read_bytes() == saved
    # A new checkpoint of the restored simulation must contain the same state.
    again = ns.Simulation.restore(tmp_path / "first")
    again.checkpoint(tmp_path / "again")
    assert Checkpoint(tmp_path / "again").state == Checkpoint(tmp_path / "first").state
