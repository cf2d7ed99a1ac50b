# SPDX-License-Identifier: Apache-2.0
"""Tests that Ctrl-C soon ends every long call, and that the objects can be used afterwards."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns

SMALL = {
    "simulation.request_log": False,
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.5,
}
# The longest accepted time, in seconds. The documentation promises one second; the rest is for loaded machines.
PATIENCE_S = 4


class Interrupts:
    """Sends Ctrl-C after a delay, and measures the time until it takes effect."""

    def __init__(self, after_s=0.3):
        self._after_s = after_s
        self._sent = 0.0
        self._ended = threading.Event()

    def __enter__(self):
        self._before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self._thread = threading.Thread(target=self._send)
        self._thread.start()
        return self

    def _send(self):
        if self._ended.wait(self._after_s):
            return  # nothing is left to interrupt but the test itself
        self._sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    def __exit__(self, kind, *_):
        heard = time.monotonic()
        self._ended.set()
        self._thread.join()
        signal.signal(signal.SIGINT, self._before)
        assert kind is KeyboardInterrupt, "it came to its end by itself"
        assert heard - self._sent < PATIENCE_S
        return True


def drive(**changes):
    return ns.Simulation(ns.load("default", {**SMALL, **changes}))


def endless(**changes):
    return drive(**{"host.workload.requests": 10**9, **changes})


def test_run():
    simulation = endless()
    with Interrupts():
        simulation.run()
    assert simulation.workloads_under_way
    assert simulation.result().partial
    count = simulation.stats()["host"]["all"]["count"]
    assert count > 0
    # While the drive collects garbage on all planes, it completes no request. On a small drive, this lasts for less
    # than two simulated seconds.
    simulation.run_until(simulation._core.now + 2 * 10**12)
    assert simulation.stats()["host"]["all"]["count"] > count


def test_scenarios_that_are_played():
    closed = []

    async def waits(clock):
        try:
            await clock.at(s=10**6)
        finally:
            closed.append(True)

    async def works(host):
        await host.run_workloads()

    simulation = endless()
    with Interrupts():
        simulation.play(waits, works)
    assert closed == [True]
    assert simulation.workloads_under_way
    assert simulation.play() == []


def test_an_iterator_that_makes_requests():
    def busy():
        while True:
            yield "write", 0, 4096

    simulation = drive(**{"host.workload": [ns.requests(busy)]})
    with Interrupts():
        simulation.run()
    assert simulation.stats()["host"]["all"]["count"] > 0


def test_a_study_of_a_trace(tmp_path):
    trace = tmp_path / "long.csv"
    with trace.open("w") as file:
        file.write("time_us,operation,lba,sectors\n")
        for block in range(200):
            file.writelines(f"{10000 * block + k},write,{7919 * k % 1000003},8\n" for k in range(10000))
    with Interrupts(0.1):
        for _ in range(100):
            ns.retention_requirements(trace)


def test_run_with_a_callback_that_never_looks():
    with Interrupts():
        endless().run(lambda *_: True)


def test_run_until():
    simulation = endless()
    with Interrupts():
        simulation.run()
    with Interrupts():
        simulation.run_until("10h")
    simulation.power_cut()
    simulation.power_on()
    simulation.write(0, bytes(4096))


def test_a_command_that_is_waited_for():
    # The write takes a tenth of a simulated second, during which the reads of the workload continue.
    slow = endless(**{"nand.timing.t_prog_us": 1e5, "host.workload.read_percent": 100})
    with Interrupts():
        slow.run()
    writes = []
    with Interrupts():
        while True:
            writes.append(slow.start_write(0, bytes(16384), fua=True))
            writes[-1].wait()
    slow.wait_all()
    assert {write.status for write in writes} == {"ok"}


@pytest.mark.parametrize(
    "wait",
    [
        lambda s: s.flush(),
        lambda s: s.wait_all(),
        lambda s: s.smart_log(),
        lambda s: s.reset(),
        lambda s: s.read(0, 4096),
        lambda s: s.trim(0, 8),
    ],
    ids=["flush", "wait_all", "smart_log", "reset", "read", "trim"],
)
def test_short_waits_can_be_repeated_without_end(wait):
    simulation = drive()
    with Interrupts():
        while True:
            simulation.start_read(0, 4096)
            wait(simulation)
    simulation.wait_all()
    simulation.write(0, bytes(4096))
    assert simulation.smart_log()["host_write_commands"] >= 1


def test_advance():
    simulation = drive(**{"controller.refresh.policy": "period", "controller.refresh.check_hours": 0.001})
    with Interrupts():
        while True:
            simulation.advance("10y")
    simulation.write(0, bytes(4096))
    simulation.advance("1d", powered=False)


def test_power_on():
    simulation = drive()
    simulation.write(0, bytes(4096))
    with Interrupts():
        while True:
            if simulation.has_power:
                simulation.power_cut()
            simulation.power_on()
    if not simulation.has_power:
        simulation.power_on()
    simulation.write(0, bytes(4096))


def test_checkpoint_and_restore(tmp_path):
    simulation = drive(**{"simulation.data": "stored"})
    simulation.write(0, b"nand" * 4096)
    with Interrupts():
        while True:
            simulation.checkpoint(tmp_path / "drive")
    assert [path.name for path in tmp_path.iterdir()] == ["drive"]
    with Interrupts():
        while True:
            simulation = ns.Simulation.restore(tmp_path / "drive")
    assert simulation.read(0, 16384) == b"nand" * 4096


def test_construction():
    with Interrupts():
        while True:
            drive()


CELLS = {"nand.cells.set": "tlc_3d_48"}
STUDIES = {
    "population": lambda: ns.Cells("default", CELLS).population(pe_cycles=2000, months=12),
    "sample": lambda: ns.Cells("default", CELLS).sample(cells=1 << 24),
    "program_trace": lambda: ns.Cells("default", CELLS).program_trace(cells=1 << 24),
    "decode": lambda: ns.Code("bch_1024_72").decode(
        np.zeros((100_000, 1024), np.uint8), np.ones((100_000, 126), np.uint8)
    ),
    "encode": lambda: ns.Code("bch_1024_72").encode(np.zeros((100_000, 1024), np.uint8)),
    "sensed_llr": lambda: ns.sensed_llr(np.zeros(1 << 26, np.uint8), 0.01, 7),
    "uber": lambda: ns.uber(np.full(1_000_000, 1e-3)),
    "frame_error_rate": lambda: ns.code_table("bch_1024_72").frame_error_rate(np.full(1_000_000, 1e-3)),
}


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_studies(study):
    with Interrupts():
        while True:
            study()


def test_a_thread_that_waits_for_its_turn():
    other, ended = endless(), threading.Event()
    thread = threading.Thread(target=other.run, args=(lambda *_: not ended.is_set(),))
    thread.start()
    try:
        with Interrupts():
            endless().run()
    finally:
        ended.set()
        thread.join()


def interrupted(arguments, folder):
    child = subprocess.Popen(
        [sys.executable, "-m", "nandscape", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A child process of a shell's background job ignores SIGINT by default.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(4)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=30)
    assert time.monotonic() - sent < 2 * PATIENCE_S  # includes the exit of Python
    return child.returncode, output, errors


def test_the_command_writes_what_it_has(small_arguments, tmp_path):
    endless_run = ["run", *small_arguments, "--set=host.workload.requests=500000000"]
    status, output, errors = interrupted([*endless_run, "--json", "result.json", "--checkpoint", "drive"], tmp_path)
    assert status == 130
    assert errors == "nandscape: interrupted\n"
    assert "interrupted" in output
    assert "IOPS" in output
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["partial"] is True
    assert result["statistics"]["host"]["all"]["count"] > 0


def test_the_threads_of_a_profile(tmp_path):
    arguments = ["profile-rpt", "retry_tlc_512g", "--pe", "0,500,1000", "--blocks", "2000", "--output", "mine.yaml"]
    status, _, errors = interrupted(arguments, tmp_path)
    assert status == 130
    assert errors == "nandscape: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_the_threads_of_a_characterisation(tmp_path):
    arguments = ["characterize-ecc", "ldpc_4096_512", "--output", "mine.yaml", "--threads", "2"]
    status, _, errors = interrupted(arguments, tmp_path)
    assert status == 130
    assert "goes on from them" in errors


def running_in(group):
    """Returns the ids of the running processes of a group. Zombies, processes that have ended but remain listed, are
    left out.
    """
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process has ended in the meantime
            state, _, its_group = file.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state != "Z":
                found.append(file.parent.name)
    return found


@pytest.mark.parametrize("scenario", ["ida_coding", "retention_relaxation"])
def test_a_scenario_with_workers(scenario, tmp_path):
    program = Path(__file__).parents[2] / "scenarios" / "validation" / f"{scenario}.py"
    child = subprocess.Popen(
        [sys.executable, program, "--json", "rows.json"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(8)  # the worker processes are busy by then
    sent = time.monotonic()
    os.killpg(child.pid, signal.SIGINT)  # a terminal also sends the signal to the worker processes
    _, errors = child.communicate(timeout=60)
    assert time.monotonic() - sent < PATIENCE_S
    assert child.returncode in (130, -signal.SIGINT)
    assert "SpawnProcess" not in errors
    while running_in(child.pid) and time.monotonic() - sent < PATIENCE_S:
        time.sleep(0.05)  # child processes of multiprocessing end only after they notice that their parent has ended
    assert running_in(child.pid) == []


def test_a_whole_run_is_not_partial(command, small_arguments, tmp_path):
    assert command("run", *small_arguments, "--json", "result.json").returncode == 0
    assert json.loads((tmp_path / "result.json").read_text())["partial"] is False


def test_a_callback_that_ends_the_run_leaves_a_partial_result():
    simulation = endless()
    assert not simulation.run(lambda *_: False)
    assert simulation.result().to_dict()["partial"] is True
