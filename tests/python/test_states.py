# SPDX-License-Identifier: Apache-2.0
"""Tests which sequences of calls are allowed, and that invalid arguments are refused with a message of one line."""

import os

import pytest

import nandscape as ns

SMALL = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.5,
    "host.workload.requests": 200,
}
PAGE = bytes(range(256)) * 64


def drive(**changes):
    return ns.Simulation(ns.load("default", {**SMALL, **changes}))


def power_cycle(simulation):
    simulation.power_cut()
    simulation.power_on()


STEPS = {
    "advance": lambda s, folder: s.advance("6mo"),
    "checkpoint": lambda s, folder: s.checkpoint(folder / "drive"),
    "shut_down": lambda s, folder: (s.shut_down(), s.power_on()),
    "power_cut": lambda s, folder: power_cycle(s),
    "write": lambda s, folder: s.write(0, PAGE),
    "smart_log": lambda s, folder: s.smart_log(),
    "reset": lambda s, folder: s.reset(),
    "wait_all": lambda s, folder: s.wait_all(),
    "run_until": lambda s, folder: s.run_until(s._core.now + 10**9),
}
BEFORE = {
    "new": lambda s: None,
    "run": lambda s: s.run(),
    "run, power cycle": lambda s: (s.run(), power_cycle(s)),
    "power cycle": power_cycle,
    "run cut short, power cycle": lambda s: (s.run(lambda *_: False), power_cycle(s)),
    "workloads under way, power cycle": lambda s: (s.start_read(0, 512), power_cycle(s)),
    "shut down, power on": lambda s: (s.run(), s.shut_down(), s.power_on()),
}


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_steps_follow_each_other(before, step, tmp_path):
    simulation = drive()
    before(simulation)
    step(simulation, tmp_path)
    simulation.write(0, PAGE)
    for each in STEPS.values():
        each(simulation, tmp_path)
    assert simulation.read(0, len(PAGE)) == PAGE
    assert not simulation.workloads_under_way


def test_workloads_run_once_more_after_a_checkpoint(tmp_path):
    simulation = drive()
    simulation.run()
    power_cycle(simulation)
    with pytest.raises(ns.RequestError, match="were already run"):
        simulation.run()
    simulation.checkpoint(tmp_path / "drive")
    assert simulation.run()
    assert ns.Simulation.restore(tmp_path / "drive").run()


def test_workloads_that_are_under_way_are_in_the_way(tmp_path):
    simulation = drive(**{"host.workload.requests": 10**9, "simulation.request_log": False})
    simulation.run(lambda *_: False)
    assert simulation.workloads_under_way
    for step in (
        lambda: simulation.advance("1d"),
        lambda: simulation.checkpoint(tmp_path / "drive"),
        simulation.shut_down,
    ):
        with pytest.raises(ns.RequestError, match="under way"):
            step()
    power_cycle(simulation)
    simulation.advance("1d")


def test_without_power(tmp_path):
    simulation = drive()
    simulation.power_cut()
    for step in (
        simulation.run,
        simulation.flush,
        simulation.smart_log,
        simulation.reset,
        simulation.power_cut,
        simulation.shut_down,
        simulation.hierarchy,
        lambda: simulation.run_until("1s"),
        lambda: simulation.read(0, 512),
        lambda: simulation.advance("1d", powered=True),
        lambda: simulation.checkpoint(tmp_path / "drive"),
        lambda: simulation.kill_die(0),
    ):
        with pytest.raises(ns.RequestError, match="no power"):
            step()
    simulation.wait_all()
    simulation.result()
    simulation.advance("1d", powered=False)
    assert list(tmp_path.iterdir()) == []


def test_a_command_of_another_simulation():
    one, other = drive(), drive()
    command = one.start_write(0, PAGE)
    with pytest.raises(ns.RequestError, match="another simulation"):
        other._core.wait(command._core)
    command.wait()
    with pytest.raises(ns.RequestError, match="another simulation"):
        other._core.wait(command._core)
    with pytest.raises(TypeError):
        one._core.wait(None)


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.write(2**64, bytes(3 << 20)),
        lambda s: s.write(-1, PAGE),
        lambda s: s.write(2**63, PAGE),
        lambda s: s.write(0, b"part of a sector"),
        lambda s: s.write(0, b""),
        lambda s: s.read(10**30, 512),
        lambda s: s.read(0, 2**64),
        lambda s: s.read(0, 2**64 - 512),
        lambda s: s.read(0, -512),
        lambda s: s.read(0, 0),
        lambda s: s.trim(0, 0),
        lambda s: s.trim(2**64 - 1, 2**64 - 1),
        lambda s: s.trim(0, 2**64),
        lambda s: s.fail_next(2**32, "program"),
        lambda s: s.fail_next(0, "read"),
        lambda s: s.fail_next(0, "erase", 2**40),
        lambda s: s.fail_block(2**32),
        lambda s: s.kill_die(-1),
        lambda s: s.run_until(-1),
        lambda s: s.run_until(2**64),
        lambda s: s.run_until(2**63 + 1),
        lambda s: s.run_until("107 d"),
        lambda s: s.run_until("1e300 s"),
        lambda s: s.run_until("1e999999999 s"),
        lambda s: s.run_until(float("nan")),
        lambda s: s.run_until(True),
        lambda s: s.run_until("-1ms"),
        lambda s: s.advance("1e300 y"),
        lambda s: s.advance("101 y"),
        lambda s: s.advance("1e999 y"),
        lambda s: s.advance("1e-999999999 y"),
        lambda s: s.advance("1" * 10_000_000 + "y"),
        lambda s: s.advance("nan"),
        lambda s: s.advance(float("nan")),
        lambda s: s.advance(float("inf")),
        lambda s: s.advance("1d", temperature_c=-300),
        lambda s: s.advance("1d", temperature_c=1e9),
        lambda s: s.advance("1d", temperature_c=float("nan")),
        lambda s: s.advance("1d", temperature_c=float("inf")),
    ],
)
def test_odd_arguments_are_refused_in_one_line(call):
    simulation = drive()
    with pytest.raises(ValueError, match=r"\w") as refused:
        call(simulation)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
    assert simulation.now_us < 10_000
    simulation.write(0, PAGE)


def test_other_types_than_numbers_raise_type_error():
    simulation = drive()
    for call in (
        lambda: simulation.read("0", 512),
        lambda: simulation.read(0.5, 512),
        lambda: simulation.write(0, "text"),
    ):
        with pytest.raises(TypeError) as refused:
            call()
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("kind", [str, os.fsencode])
@pytest.mark.parametrize(
    "use",
    [
        lambda path: drive().checkpoint(path),
        lambda path: ns.Simulation.restore(path),
        lambda path: ns.load(path),
        lambda path: ns.Simulation(path),
        lambda path: ns.run(drive().config, workload=ns.trace(path)),
        lambda path: ns.code_table(path),
        lambda path: ns.read_timing_table(path),
        lambda path: drive().result().save(path),
    ],
    ids=["checkpoint", "restore", "load", "Simulation", "trace", "code_table", "read_timing_table", "save"],
)
def test_paths_with_a_nul(use, kind, tmp_path):
    # The part of the path before the NUL character exists.
    drive().checkpoint(tmp_path / "file")
    with pytest.raises(ValueError, match=r"\w") as refused:
        use(kind(f"{tmp_path}/file\0.yaml"))
    assert "\n" not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_paths_of_any_bytes(tmp_path):
    odd = os.fsencode(tmp_path) + b"/\xff\xfe drive"
    drive().checkpoint(odd)
    ns.Simulation.restore(odd)
    drive().checkpoint(os.fsdecode(odd) + "2")
    with pytest.raises(ns.InputError):
        ns.Simulation.restore(odd + b" that is not there")
    result = drive().result()
    for ending in (b".json", b".npz"):
        result.save(odd + ending)
        assert ns.Result.load(odd + ending).to_json() == result.to_json()
