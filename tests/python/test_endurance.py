# SPDX-License-Identifier: Apache-2.0
"""Terabytes written and drive writes per day."""

import copy
import math

import pytest

import nandscape as ns
from nandscape.ceilings import Capacity

DRIVE = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.3,
}
AMPLIFICATION = "controller.write_amplification"


@pytest.fixture(scope="module")
def config():
    return ns.load("bare", DRIVE)


def writes(**changes):
    return ns.synthetic(**({"read_percent": 0, "block_bytes": 16384, "queue_depth": 32, "requests": 1000} | changes))


def test_the_closed_form(config):
    capacity = Capacity.of(config)
    life = ns.Endurance.of(config, 2.5, rated_cycles=1000, warranty_years=3)
    assert life.terabytes_written == pytest.approx(1e-12 * capacity.raw_bytes * 1000 / 2.5)
    assert life.drive_writes == pytest.approx(1000 / 2.5 * capacity.raw_bytes / capacity.exported_bytes)
    assert life.drive_writes_per_day == pytest.approx(life.drive_writes / (3 * 365.25))
    assert life.why_unknown("spread") == "the write amplification was given, not measured"
    assert life.why_unknown("terabytes_written") is None


def test_the_rating_is_that_of_the_preset():
    config = ns.load("drive_slc_3d")
    life = ns.Endurance.of(config, config["controller.mapping.over_provisioning"] + 1)
    # The drive of the preset is rated at 30 drive writes per day for five years, at a write amplification of 1 over the
    # exported capacity; all flash is larger by the spare share, by which the amplification is divided here.
    assert life.drive_writes_per_day == pytest.approx(30, rel=0.01)


def test_overwriting_in_order(config):
    in_order = config.override({"controller.precondition.order": "sequential"})
    life = ns.endurance(in_order, workload=writes(pattern="sequential", block_bytes=131072))
    assert life.write_amplification == pytest.approx(1, abs=0.01)
    assert life.spread < 0.02
    assert life.rated_cycles == config["nand.cells.failures.rated_cycles"]
    assert life.terabytes_written == pytest.approx(1e-12 * Capacity.of(config).raw_bytes * life.rated_cycles, rel=0.01)
    assert life.erases >= 10
    assert life.samples > life.erases


def test_overwriting_at_random(config):
    life = ns.endurance(config, workload=writes())
    result = ns.steady_state(config, workload=writes(), figure=AMPLIFICATION)
    assert life.write_amplification == result.stats["controller"]["write_amplification"] > 1.2
    assert life.samples == result.stats["controller"]["host_pages"]
    assert 0 < life.spread <= 0.2
    window = result.stats["window"]
    assert life.window_s == (window["begin_s"], window["end_s"])
    assert life.window_drive_writes == window["drive_writes"]
    assert f"{life.terabytes_written:,.4g} TB written" in str(life)
    # The blocks wear as the equation says: the cycles of the life over the cycles that a written byte takes.
    geometry = config["nand.geometry"]
    erased_bytes = life.erases * geometry["pages_per_block"] * geometry["page_bytes"]
    host_bytes = life.samples * geometry["page_bytes"]
    planes = 4
    fluctuation = 0.1 + math.sqrt(planes) * geometry["pages_per_block"] / life.samples
    assert erased_bytes / host_bytes == pytest.approx(life.write_amplification, abs=fluctuation)


def test_a_simulation_and_its_result_give_the_same(config):
    simulation = ns.Simulation(config.override({"host.workload": [writes(requests=40_000)]}))
    simulation.run(until_steady=True)
    life = ns.endurance(simulation, warranty_years=3)
    again = ns.endurance(simulation.result(), warranty_years=3)
    assert life.terabytes_written == again.terabytes_written > 0
    assert life.warranty_years == 3
    assert math.isnan(life.spread)
    assert life.why_unknown("spread").startswith("simulation.steady.figure is host.iops")


def changed(result, **groups):
    """Returns the result with other statistics."""
    stats = copy.deepcopy(result.stats)
    for name, figures in groups.items():
        stats[name] |= figures
    return ns.Result(result.config, stats, {}, verdict=result.verdict)


def test_a_figure_that_the_run_does_not_give_is_unknown(config):
    simulation = ns.Simulation(config.override({"host.workload": [writes(requests=40_000)]}))
    simulation.run(until_steady=True)
    result = simulation.result()
    unsteady = changed(result, window={"steady": 0})
    few = changed(result, nand={"block_erases": 9})
    early = changed(result, nand={"block_erases": 3 * result.stats["nand"]["block_erases"]})
    none = changed(result, controller={"write_amplification": math.nan, "host_pages": 3})
    for case, reason in (
        (unsteady, result.verdict),
        (few, "9 blocks were erased"),
        (early, "had 3"),
        (none, "3 flash pages programmed with host data"),
    ):
        life = ns.endurance(case)
        for name in ("write_amplification", "spread", "terabytes_written", "drive_writes", "drive_writes_per_day"):
            assert math.isnan(getattr(life, name)), name
            assert reason in life.why_unknown(name)
        assert str(life).startswith("endurance unknown: ")
    assert ns.endurance(result).why_unknown("terabytes_written") is None


@pytest.mark.parametrize(("layout", "fluctuation_blocks"), [("plane", math.sqrt(4)), ("superpage", 4)])
def test_free_space_fluctuates_by_superblocks(config, layout, fluctuation_blocks):
    """Four planes fill a block each, independent of each other, or one superblock together."""
    drive = config.override({"controller.mapping.layout": layout, "host.workload": [writes(requests=40_000)]})
    simulation = ns.Simulation(drive)
    simulation.run(until_steady=True)
    result = simulation.result()
    pages, controller = drive["nand.geometry.pages_per_block"], result.stats["controller"]
    filled = (controller["programmed_pages"] + 0.1 * controller["host_pages"]) / pages
    for share, known in ((0.8, True), (1.5, False)):
        erases = round(filled + share * fluctuation_blocks)
        life = ns.endurance(changed(result, nand={"block_erases": erases}))
        assert (life.why_unknown("terabytes_written") is None) is known, (erases, filled)


def test_a_run_that_ends_before_it_is_steady_says_so(config):
    empty = config.override({"controller.precondition.occupancy": 0})
    with pytest.warns(ns.TransientWarning):
        life = ns.endurance(empty, workload=writes(), most_drive_writes=0.5)
    assert math.isnan(life.terabytes_written)
    assert "steady" in life.why_unknown("terabytes_written") or "few" in life.why_unknown("terabytes_written")


def test_faults_are_named(config):
    with pytest.raises(ns.Error, match="read_percent and trim_percent add up to 100"):
        ns.endurance(config, workload=writes(read_percent=100))
    with pytest.raises(ns.Error, match="rated_cycles is 0"):
        ns.endurance(config, workload=writes(), rated_cycles=0)
    with pytest.raises(ns.Error, match="most_drive_writes is 0"):
        ns.endurance(config, workload=writes(), most_drive_writes=0)
    with pytest.raises(ns.Error, match="warranty_years is -1"):
        ns.Endurance.of(config, 1, warranty_years=-1)
    with pytest.raises(ns.Error, match="write_amplification is 0"):
        ns.Endurance.of(config, 0)
    with pytest.raises(ns.Error, match="workload is given"):
        ns.endurance(ns.Simulation(config), workload=writes())
    with pytest.raises(KeyError, match="no figure 'tbw'"):
        ns.Endurance.of(config, 1).why_unknown("tbw")
