# SPDX-License-Identifier: Apache-2.0
"""NVMe power states: the latency of the first command after idle time, and the power of an idle drive, against their
closed forms."""

from __future__ import annotations

import pytest

import nandscape as ns
from conftest import TINY_DEVICE

STATIC_W = 1.0
STATES = [
    {"max_mw": 8000},
    {"max_mw": 4000},
    {"max_mw": 50, "operational": False, "entry_us": 200, "exit_us": 1000, "idle_mw": 40, "idle_before_ms": 10},
    {"max_mw": 5, "operational": False, "entry_us": 500, "exit_us": 9000, "idle_mw": 5, "idle_before_ms": 40},
]
PAGE = 16384
# A read on an idle drive varies by the time for which packets of other commands occupy the link.
LINK_US = 0.02


@pytest.fixture
def device() -> ns.Config:
    return ns.load(
        "bare", TINY_DEVICE | {"controller.power.static_mw": 1e3 * STATIC_W, "host.nvme.power_states": STATES}
    )


def awake(device: ns.Config) -> ns.Config:
    return device.override({"host.nvme.power_states": []})


def latency_us(simulation: ns.Simulation) -> float:
    simulation.read(0, PAGE)
    return simulation.last_latency_us


def idle(simulation: ns.Simulation, ms: float) -> None:
    simulation.run_until(round(1e6 * simulation.now_us + 1e9 * ms))


@pytest.mark.parametrize(("idle_ms", "exit_us"), [(9, 0), (11, 1000), (50, 1000), (60, 9000), (500, 9000)])
def test_the_first_command_after_idle_time_waits_for_the_exit(device, idle_ms, exit_us):
    simulation, without_states = ns.Simulation(device), ns.Simulation(awake(device))
    for one in (simulation, without_states):
        latency_us(one)
        idle(one, idle_ms)
    assert latency_us(simulation) == pytest.approx(latency_us(without_states) + exit_us, abs=1e-6)
    assert latency_us(simulation) == pytest.approx(latency_us(without_states), abs=1e-6)


def test_a_command_during_an_entry_waits_for_its_end_too(device):
    simulation = ns.Simulation(device.override({"host.nvme.power_states.2.entry_us": 5e5}))
    ordinary = latency_us(simulation)
    idle(simulation, 110)
    # The idle time begins when the controller has sent the page, which then takes 4.5 us on the link.
    waits_us = 10e3 + 5e5 - 110e3 + 1e3
    assert latency_us(simulation) == pytest.approx(ordinary + waits_us - 4.5, abs=1)


def test_an_idle_drive_draws_the_power_of_its_states(device):
    simulation = ns.Simulation(device)
    latency_us(simulation)
    before = simulation.stats("all")["energy"]
    idle(simulation, 1000)
    after = simulation.stats("all")["energy"]
    # States 2 and 3 are entered after 10 ms, and after 40 ms in state 2, in 0.2 and 1.5 ms.
    drawn_j = STATIC_W * (10 + 0.2 + 1.5) * 1e-3 + 0.040 * 40e-3 + 0.005 * (1000 - 51.7) * 1e-3
    assert after["total_j"] - before["total_j"] == pytest.approx(drawn_j, rel=1e-3)
    assert after["rest_j"] == pytest.approx(0.040 * 40e-3 + 0.005 * (1000 - 51.7) * 1e-3, rel=1e-3)
    power = simulation.stats("all")["power"]
    assert power["ps3"]["entries"] == power["ps2"]["entries"] == 1
    assert power["ps2"]["time_s"] == pytest.approx(0.040, rel=1e-9)
    times = [power[f"ps{k}"]["time_s"] for k in range(4)]
    assert sum(times) + power["change_s"] == pytest.approx(1e-6 * simulation.now_us, rel=1e-9)


def test_transitions_do_not_keep_a_simulation_running(device):
    reads = ns.synthetic(read_percent=100, queue_depth=1, requests=100)
    result = ns.run(device, workload=reads)
    assert result.stats["window"]["end_s"] < 0.012  # 100 reads take 120 us each
    same = ns.run(awake(device), workload=reads)
    assert result.stats["host"] == same.stats["host"]
    assert result.stats["simulation"]["events"] == same.stats["simulation"]["events"]
    assert result.stats["energy"]["total_j"] == same.stats["energy"]["total_j"]


def test_the_host_chooses_states_and_transitions(device):
    simulation = ns.Simulation(device)
    ordinary = latency_us(simulation)
    simulation.set_power_state(3)
    assert simulation.power_state() == 3
    idle(simulation, 1)
    assert latency_us(simulation) == pytest.approx(ordinary + 9000, abs=LINK_US)
    assert simulation.power_state() == 0
    simulation.set_power_state(1)
    simulation.set_power_transitions({1: (2, 300)})
    idle(simulation, 290)
    assert simulation.power_state() == 1
    idle(simulation, 20)
    assert simulation.power_state() == 2
    idle(simulation, 1000)
    assert simulation.power_state() == 2
    latency_us(simulation)
    assert simulation.power_state() == 1  # the operational state that was set last
    simulation.reset()
    assert simulation.power_state() == 0
    idle(simulation, 1000)
    assert simulation.power_state() == 3


def test_refused_states_and_transitions(device):
    simulation = ns.Simulation(device)
    with pytest.raises(ns.RequestError, match="refuses power state 4; the drive has the states 0 to 3"):
        simulation.set_power_state(4)
    with pytest.raises(ns.RequestError, match="must lead to a non-operational state"):
        simulation.set_power_transitions({0: (1, 100)})
    with pytest.raises(ns.RequestError, match="an idle time of 1 to 16777215 ms"):
        simulation.set_power_transitions({0: (2, 0)})
    plain = ns.Simulation(awake(device))
    with pytest.raises(ns.RequestError, match="has only state 0"):
        plain.set_power_state(1)
    with pytest.raises(ns.ConfigError, match=r"power_states.0.operational"):
        ns.Simulation(device.override({"host.nvme.power_states": [{"operational": False}]}))


def test_a_checkpoint_keeps_the_power_state(device, tmp_path):
    simulation = ns.Simulation(device)
    ordinary = latency_us(simulation)
    idle(simulation, 1000)
    simulation.checkpoint(tmp_path / "asleep.checkpoint")
    restored = ns.Simulation.restore(tmp_path / "asleep.checkpoint")
    for one in (simulation, restored):
        idle(one, 1000)
        assert one.stats("all")["power"]["ps3"]["time_s"] == pytest.approx(1.948, abs=0.001)
    assert restored.stats("all") == simulation.stats("all") | {"simulation": restored.stats("all")["simulation"]}
    assert latency_us(restored) == latency_us(simulation) == pytest.approx(ordinary + 9000, abs=LINK_US)
    assert latency_us(restored) == pytest.approx(ordinary, abs=LINK_US)


@pytest.mark.parametrize("end", ["power_cut", "shut_down"])
def test_a_drive_powers_on_in_state_0(device, end):
    simulation = ns.Simulation(device.override({"simulation.data": "stored"}))
    data = bytes(range(256)) * (PAGE // 256)
    simulation.write(0, data, fua=True)
    idle(simulation, 1000)
    assert simulation.power_state() == 3
    getattr(simulation, end)()
    simulation.power_on()
    assert simulation.power_state() == 0
    assert simulation.read(0, PAGE) == data


def test_collection_draws_the_power_of_an_operational_state(device):
    """A drive that folds its SLC cache after 60 ms is in state 3 then, and draws more power until it has folded."""
    cache = {
        "nand.geometry.blocks_per_plane": 32,
        "controller.mapping.over_provisioning": 1.5,
        "controller.precondition.occupancy": 0.3,
        "controller.slc_cache.static_percent": 10,
        "controller.slc_cache.fold_idle_ms": 60,
    }
    simulation = ns.Simulation(device.override(cache))
    for k in range(64):
        simulation.write(k * PAGE // 512, bytes(PAGE))
    idle(simulation, 1000)
    stats = simulation.stats("all")
    assert stats["controller"]["gc"]["folded_blocks"] > 0
    worked_s = stats["power"]["ps3"]["time_s"] - stats["power"]["ps3"]["rest_s"]
    assert 0.001 < worked_s < 0.5
    assert stats["energy"]["controller_static_j"] == pytest.approx(
        STATIC_W * (1e-6 * simulation.now_us - stats["power"]["ps2"]["rest_s"] - stats["power"]["ps3"]["rest_s"]),
        rel=1e-9,
    )


def test_an_operational_state_limits_the_power_as_a_cap_does(tmp_path):
    reads = ns.synthetic(read_percent=100, block_bytes=PAGE, queue_depth=64, requests=2000)
    bare = ns.load("bare", {"host.workload": [reads], "simulation.request_log": False})
    drive = bare.override({"host.nvme.power_states": [{"max_mw": 25_000}, {"max_mw": 20_000}, {"max_mw": 1000}]})

    def iops(simulation: ns.Simulation) -> float:
        simulation.run()
        return simulation.stats()["host"]["iops"]

    def in_state(*states: int) -> ns.Simulation:
        simulation = ns.Simulation(drive)
        for state in states:
            simulation.set_power_state(state)
        return simulation

    free, capped = iops(ns.Simulation(bare)), iops(ns.Simulation(bare.override({"controller.power.cap_w": 1.0})))
    assert capped < 0.8 * free
    assert iops(in_state(2)) == pytest.approx(capped, rel=0.01)
    assert iops(in_state(1)) == pytest.approx(free, rel=0.01)
    assert iops(in_state(2, 0)) == pytest.approx(free, rel=0.01)
    in_state(2).checkpoint(tmp_path / "state")
    assert iops(ns.Simulation.restore(tmp_path / "state")) == pytest.approx(capped, rel=0.01)


def test_a_change_between_operational_states_takes_its_latencies():
    slow, fast = (
        ns.load("bare", TINY_DEVICE | {"host.nvme.power_states": states})
        for states in (
            [{"max_mw": 25_000, "entry_us": 4000}, {"max_mw": 1000, "exit_us": 3000}],
            [{"max_mw": 25_000}, {"max_mw": 1000}],
        )
    )

    def us_of_choice(simulation: ns.Simulation, state: int) -> float:
        begin = simulation.now_us
        simulation.set_power_state(state)
        return simulation.now_us - begin

    with_latencies, without = ns.Simulation(slow), ns.Simulation(fast)
    for state, latency_us in ((1, 0), (0, 7000), (0, 0)):
        taken = us_of_choice(with_latencies, state)
        assert taken == pytest.approx(us_of_choice(without, state) + latency_us, abs=LINK_US)
    assert with_latencies.stats("all")["power"]["change_s"] == pytest.approx(7e-3)
