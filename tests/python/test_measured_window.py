# SPDX-License-Identifier: Apache-2.0
"""Tests that all statistics cover the same window, and that a verdict states whether this window is steady."""

import warnings

import pytest

import nandscape as ns

SMALL = {
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 0.28,
}


def small(**overrides):
    return ns.load("bare", SMALL | overrides)


def transients(caught):
    return [str(w.message) for w in caught if issubclass(w.category, ns.TransientWarning)]


def test_energy_and_flash_count_what_the_window_holds():
    """Garbage collection after the last completion counts in the window "afterwards". The window "all" is the sum of
    both.
    """
    config = small(**{"controller.precondition.distribution": "steady_state"})
    simulation = ns.Simulation(config)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ns.TransientWarning)
        simulation.run()
    window, after, everything = (simulation.stats(w) for w in ("measured", "afterwards", "all"))
    for name in ("page_programs", "page_reads", "block_erases"):
        assert window["nand"][name] + after["nand"][name] == everything["nand"][name]
    assert window["energy"]["total_j"] + after["energy"]["total_j"] == pytest.approx(everything["energy"]["total_j"])
    assert window["afterwards"]["energy_j"] == pytest.approx(after["energy"]["total_j"])
    assert window["window"]["end_s"] - window["window"]["begin_s"] == pytest.approx(window["host"]["window_s"])
    assert after["host"]["all"]["count"] == 0


@pytest.mark.parametrize(
    "warmup",
    [{"requests": 3000}, {"time_ms": 20}, {"data_mib": 20}, {"drive_writes": 0.005}],
    ids=lambda warmup: next(iter(warmup)),
)
def test_a_warm_up_is_in_no_figure(warmup):
    overrides = {f"simulation.warmup.{key}": value for key, value in warmup.items()}
    load = ns.synthetic(read_percent=50, block_bytes=16384, requests=8000)
    simulation = ns.Simulation(small(**overrides).override({"host.workload": load}))
    simulation.run()
    window, everything = simulation.stats(), simulation.stats("all")
    begin = window["window"]["begin_s"]
    log = simulation.result().requests
    ends = (log["start_ps"] + log["latency_ps"]) * 1e-12
    left_out = int((ends <= begin * (1 + 1e-12)).sum())
    assert 0 < left_out < 8000
    assert window["host"]["all"]["count"] == 8000 - left_out
    assert window["host"]["iops"] == pytest.approx((8000 - left_out) / (window["window"]["end_s"] - begin))
    assert everything["host"]["all"]["count"] == 8000
    assert window["nand"]["page_programs"] < everything["nand"]["page_programs"]
    if "requests" in warmup:
        assert left_out == 3000
    if "time_ms" in warmup:
        assert begin - everything["window"]["begin_s"] >= 0.02 if "window" in everything else begin >= 0.02


def test_a_warm_up_that_does_not_end_is_said():
    load = ns.synthetic(requests=1000)
    with pytest.warns(ns.TransientWarning, match="ended before the warm-up"):
        ns.run(small(**{"simulation.warmup.requests": 5000}), workload=load)


def test_a_write_cache_that_never_filled_is_a_transient():
    with pytest.warns(ns.TransientWarning, match="write cache takes in .* of its room is left"):
        result = ns.run("default", workload=ns.synthetic(requests=5000))
    assert result.stats["window"]["transient"] == 1
    assert "write cache" in result.verdict


def test_free_blocks_that_are_used_up_are_a_transient():
    with pytest.warns(ns.TransientWarning, match="the flash takes in"):
        ns.run(small(), workload=ns.synthetic(read_percent=0, block_bytes=16384, requests=4000))


def test_reads_reach_a_steady_state_at_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = ns.run(small(), workload=ns.synthetic(read_percent=100, requests=20_000))
    assert not transients(caught)
    assert result.stats["window"]["steady"] == 1
    assert result.verdict.startswith("steady since")


def test_few_requests_tell_nothing():
    result = ns.run(small(), workload=ns.synthetic(read_percent=100, requests=50))
    assert "too few" in result.verdict
    assert result.stats["window"]["steady"] == 0
    assert result.stats["window"]["transient"] == 0


def test_a_run_until_it_is_steady_measures_five_rounds():
    drive = small(**{"controller.precondition.distribution": "steady_state"})
    load = ns.synthetic(read_percent=50, block_bytes=16384, requests=10)
    result = ns.steady_state(drive, workload=load)
    assert result.stats["window"]["steady"] == 1, result.verdict
    assert result.stats["host"]["all"]["count"] > 1000
    # A longer run of the same workload must have the same rate and write amplification.
    longer = ns.run(drive, workload=ns.synthetic(read_percent=50, block_bytes=16384, requests=150_000))
    assert result.stats["host"]["iops"] == pytest.approx(longer.stats["host"]["iops"], rel=0.15)


def test_another_figure_can_be_the_steady_one():
    result = ns.steady_state(small(), workload=ns.synthetic(read_percent=100), figure="host.read.latency_us.mean")
    assert result.verdict.startswith("steady")
    with pytest.raises(ns.ConfigError, match=r"simulation\.steady\.figure.*no statistic 'host\.speed'"):
        ns.steady_state(small(), workload=ns.synthetic(read_percent=100), figure="host.speed")


def test_the_window_goes_on_with_the_user():
    simulation = ns.Simulation(
        small(**{"simulation.data": "stored"}).override({"host.workload": ns.synthetic(requests=500)})
    )
    simulation.run()
    before = simulation.stats()
    simulation.write(lba=0, data=bytes(16384))
    after = simulation.stats()
    assert after["host"]["all"]["count"] == before["host"]["all"]["count"] + 1
    assert after["afterwards"]["duration_s"] == 0


def test_a_window_has_a_name():
    simulation = ns.Simulation(small())
    with pytest.raises(ValueError, match='"measured", "afterwards" or "all"'):
        simulation.stats("yesterday")


def test_the_verdict_is_saved(tmp_path):
    result = ns.run(small(), workload=ns.synthetic(read_percent=100, requests=5000))
    result.save(tmp_path / "result.json")
    assert ns.Result.load(tmp_path / "result.json").verdict == result.verdict
