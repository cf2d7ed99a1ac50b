# SPDX-License-Identifier: Apache-2.0
"""The power cap, the heat of the drive and its throttling, against their closed forms."""

from __future__ import annotations

import math

import pytest

import nandscape as ns

SHAPE = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 4,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 32,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.7,
    "controller.cache.policy": "none",
    "controller.power.window_ms": 0.5,
}
# One lump for the case that follows its power within milliseconds, and packages of next to no capacity.
HEATED = {
    "nand.condition.temperature": "self_heated",
    "nand.condition.ambient_c": 30.0,
    "nand.condition.case_k_per_w": 20.0,
    "nand.condition.case_j_per_k": 2e-4,
    "nand.condition.packages_k_per_w": 10.0,
    "nand.condition.packages_j_per_k": 1e-8,
}
READS = ns.synthetic(read_percent=100, block_bytes=16384, queue_depth=64, requests=6000)


def run(changes, workload=READS):
    return ns.run(ns.load("bare", SHAPE | changes), workload=workload).stats


def test_limits_that_never_bind_change_nothing():
    plain = run({})
    bound = run({"controller.power.cap_w": 1000.0, "controller.power.throttle.light_c": 199.0})
    for group in ("host", "nand", "energy", "ecc"):
        assert bound[group] == plain[group]
    assert bound["controller"]["power"]["waits"] == 0


def watch(changes, moments_ms, requests=6000):
    """Runs reads, and returns the statistics at each of the moments."""
    ssd = ns.Simulation(ns.load("bare", SHAPE | changes | {"host.workload": READS | {"requests": requests}}))
    seen = []

    async def look(clock, simulation):
        for ms in moments_ms:
            await clock.at(ms=ms)
            seen.append(simulation.stats("all"))

    async def work(host):
        await host.run_workloads()

    ssd.play(look, work)
    return seen


# The power of a window varies with the reads in it, and the case averages it over its time constant of 4 ms.
def test_a_steady_load_leads_to_ambient_plus_resistance_times_power():
    (stats,) = watch(HEATED | {"controller.power.static_mw": 3000.0}, [80])
    assert stats["temperature"]["case_c"] == pytest.approx(30 + 20 * stats["power"]["mean_w"], rel=0.01)
    flash_w = stats["energy"]["array_j"] / 0.08
    rise_k = stats["temperature"]["flash_c"] - stats["temperature"]["case_c"]
    assert rise_k == pytest.approx(10 * flash_w, rel=0.1)


def test_the_rise_follows_the_exponential():
    changes = {"controller.power.static_mw": 3000.0, "nand.condition.case_j_per_k": 2e-3}
    moments = [10, 20, 40, 80]
    for ms, stats in zip(moments, watch(HEATED | changes, moments), strict=True):
        rise_k = 20 * stats["power"]["mean_w"] * (1 - math.exp(-ms / (1e3 * 20 * 2e-3)))
        assert stats["temperature"]["case_c"] - 30 == pytest.approx(rise_k, rel=0.01)


PAGE_BITS = 16384 * 8 * (1 + 2208 / 16384)
FREE_LINK = {"host.link.energy_pj_per_bit": 0.0}  # a cap allows for the link at full rate


def test_a_cap_keeps_every_window_below_it():
    free = run(FREE_LINK)
    cap_w = 0.35
    stats = run(FREE_LINK | {"controller.power.cap_w": cap_w})
    assert free["power"]["mean_w"] > cap_w
    assert stats["controller"]["power"]["waited_s"] > 0
    assert stats["host"]["iops"] < 0.95 * free["host"]["iops"]
    # The bytes of an operation move after its array time. Each of the eight dies may move those of one page in a window
    # that have been allowed for in the window before.
    page_j = 5e-12 * PAGE_BITS + 16 * 200e-9
    assert stats["power"]["peak_w"] <= cap_w + 8 * page_j / 0.5e-3
    assert stats["power"]["peak_w"] > 0.7 * cap_w


def test_throughput_under_a_cap_is_that_of_the_dies_that_may_work():
    """N programs at a time take tPROG, the transfer of the page (15.5 us) and a microsecond of cycles each."""
    writes = ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=64, requests=1500)
    fresh = FREE_LINK | {"controller.precondition.occupancy": 0.0, "controller.power.window_ms": 1.0}
    page_j = 5e-12 * PAGE_BITS + 16 * 20e-9
    program_w = 0.045 + page_j / 700e-6
    for dies in (2, 3, 4):
        cap_w = (dies + 0.5) * program_w
        stats = run(fresh | {"controller.power.cap_w": cap_w}, writes)
        # Dies also wait for the bus, up to 15.5 us, and the queues of the dies are not of the same length at the end.
        assert 0.94 * dies / 717e-6 < stats["host"]["iops"] <= dies / 716e-6
        assert stats["power"]["peak_w"] <= cap_w + 8 * page_j / 1e-3


def test_throttling_holds_the_temperature_of_the_throttled_power():
    (free,) = watch(HEATED, [80])
    free_k = free["temperature"]["case_c"] - 30
    limits = {
        "controller.power.throttle.light_c": 30 + 0.3 * free_k,
        "controller.power.throttle.light_percent": 50.0,
        "controller.power.throttle.hysteresis_c": 0.2 * free_k,
    }
    begin, end = watch(HEATED | limits, [40, 80])
    assert end["controller"]["power"]["light_throttling_s"] > 0.07
    assert end["controller"]["power"]["heavy_throttling_s"] == 0
    throttled_w = (end["energy"]["total_j"] - begin["energy"]["total_j"]) / 0.04
    assert throttled_w < 0.75 * free["power"]["mean_w"]
    assert end["temperature"]["case_c"] == pytest.approx(30 + 20 * throttled_w, rel=0.01)


def test_heavy_throttling_is_harder_than_light():
    levels = {"controller.power.throttle.light_c": 25.0, "nand.condition.temperature_c": 30.0}
    light = run(levels)
    heavy = run(levels | {"controller.power.throttle.heavy_c": 28.0})
    assert heavy["host"]["iops"] < 0.5 * light["host"]["iops"]
    assert heavy["controller"]["power"]["heavy_throttling_s"] > 0
    assert heavy["controller"]["power"]["light_throttling_s"] == 0


def test_the_smart_log_tells_how_often_and_for_how_long_the_drive_was_throttled():
    warm = {"nand.condition.temperature_c": 30.0, "controller.power.throttle.light_c": 25.0}
    ssd = ns.Simulation(ns.load("bare", SHAPE | warm))

    def counted():
        log = ssd.smart_log()
        return [log[f"thermal_{number}_{what}"] for number in (1, 2) for what in ("transitions", "s")]

    assert counted() == [0, 0, 0, 0]
    ssd.read(0, 16384)
    ssd.run_until("3.5s")
    assert counted() == [1, 3, 0, 0]
    assert ssd.stats("all")["controller"]["power"]["light_throttling_begins"] == 1


def test_every_rise_above_a_threshold_is_a_transition():
    """The case follows its power within milliseconds, so throttling begins again and again."""
    (free,) = watch(HEATED, [80])
    rise_k = free["temperature"]["case_c"] - 30
    limits = {"light_c": 30 + 0.5 * rise_k, "light_percent": 10.0, "hysteresis_c": 0.1 * rise_k}
    (stats,) = watch(HEATED | {f"controller.power.throttle.{key}": value for key, value in limits.items()}, [80])
    power = stats["controller"]["power"]
    assert power["light_throttling_begins"] > 5
    # Each time takes at least a window.
    assert power["light_throttling_s"] >= 0.5e-3 * (power["light_throttling_begins"] - 1)
    assert power["heavy_throttling_begins"] == 0


def test_the_timeline_shows_power_and_temperatures(tmp_path):
    timelines = pytest.importorskip("timelines")
    path = tmp_path / "run.perfetto-trace"
    ssd = ns.Simulation(
        ns.load("bare", SHAPE | HEATED | {"simulation.timeline.file": str(path), "host.workload": READS})
    )
    ssd.run()
    stats = ssd.stats("all")
    counters = timelines.read(path).counters
    watts = [value for _, value in counters["power"]]
    assert max(watts) == stats["power"]["peak_w"]
    times = [time for time, _ in counters["power"]]
    assert times[:4] == [0, 500_000, 1_000_000, 1_500_000]
    assert counters["flash temperature"][-1][1] == stats["temperature"]["flash_c"]
    assert max(value for _, value in counters["case temperature"]) == stats["temperature"]["case_max_c"]


def test_a_cap_that_is_too_low_is_refused_with_its_sum():
    with pytest.raises(ns.ConfigError, match=r"controller\.power\.cap_w") as refused:
        ns.load("bare", SHAPE | {"controller.power.cap_w": 1.5, "controller.power.static_mw": 2000.0})
    assert "2 W at all times" in str(refused.value)
    assert "for one operation" in str(refused.value)


def test_heavy_throttling_does_not_begin_before_light():
    with pytest.raises(ns.ConfigError, match=r"throttle\.heavy_c"):
        ns.load("bare", {"controller.power.throttle.light_c": 80.0, "controller.power.throttle.heavy_c": 70.0})


LIMITED = (
    HEATED
    | {"controller.power.throttle.light_c": 34.0, "controller.power.throttle.light_percent": 40.0}
    | {"controller.power.static_mw": 200.0, "controller.power.cap_w": 1.5, "nand.condition.case_j_per_k": 2e-3}
)


def test_a_checkpoint_in_the_middle_of_the_heat_continues_identically(tmp_path):
    mixed = ns.synthetic(read_percent=50, block_bytes=16384, queue_depth=16, requests=1000)
    first = ns.Simulation(ns.load("bare", SHAPE | LIMITED | {"host.workload": mixed}))
    first.run()
    path = tmp_path / "hot.checkpoint"
    first.checkpoint(path)
    again = ns.Simulation.restore(path)
    hot_c = first.stats()["temperature"]["flash_c"]
    assert hot_c > 34
    assert again.stats()["temperature"]["flash_c"] == hot_c
    for ssd in (first, again):
        for lba in range(0, 32 * 200, 32):
            ssd.read(lba=lba, nbytes=16384)
    for group in ("host", "controller", "energy", "power", "temperature"):
        assert again.stats(window="all")[group] == first.stats(window="all")[group]


def test_heat_survives_a_power_cut_and_fades_while_the_drive_is_off():
    ssd = ns.Simulation(ns.load("bare", SHAPE | LIMITED | {"host.workload": READS}))
    ssd.run()
    hot_c = ssd.stats()["temperature"]["flash_c"]
    assert hot_c > 34
    ssd.power_cut()
    ssd.power_on()
    assert ssd.stats()["temperature"]["flash_c"] > 31
    ssd.power_cut()
    ssd.advance("1h", powered=False)
    ssd.power_on()
    ssd.read(lba=0, nbytes=16384)
    assert ssd.stats()["temperature"]["flash_c"] < hot_c
