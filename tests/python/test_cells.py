# SPDX-License-Identifier: Apache-2.0
"""Tests of the cell model without an SSD, and of the retention-relaxation model."""

import numpy as np
import pytest

import nandscape as ns

MLC = {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"}


@pytest.fixture(scope="module")
def tlc() -> ns.Cells:
    return ns.Cells("bare", {"nand.cells.set": "tlc_3d_48", "nand.coding": "tlc_232"})


def test_the_coding_is_that_of_the_configuration(tlc):
    assert (tlc.states, tlc.pages) == (8, 3)
    assert tlc.state_bits.shape == (8, 3)
    assert tlc.state_bits[0].all()
    assert tlc.senses() == (tlc.state_bits[1:] != tlc.state_bits[:-1]).sum(axis=0).tolist() == [2, 3, 2]
    assert "tlc_3d_48" in repr(tlc)


def test_configurations_are_taken_as_load_takes_them(small):
    assert ns.Cells(small).config == small
    assert ns.Cells(small, {"nand.coding": "tlc_124"}).senses() == [1, 2, 4]
    with pytest.raises(ns.ConfigError, match="tlc_3d_48"):
        ns.Cells("bare", {"nand.cells.set": "tlc_3d_84"})


def test_states_of_invalid_pages_merge():
    cells = ns.Cells("bare", {"nand.coding": "tlc_124"})
    assert cells.senses([1, 2]) == [0, 1, 2]
    assert cells.merged_states([1, 2]) == [7, 6, 5, 4, 4, 5, 6, 7]
    assert cells.merged_states() == list(range(8))
    with pytest.raises(ValueError, match="page"):
        cells.senses([3])


@pytest.mark.parametrize("wordline", [{}, {"layer": 47}, {"step_mv": 300}])
def test_density_and_share_below_belong_together(tlc, wordline):
    edges = np.arange(-6000.0, 7000.0, 1.0)
    for state in range(tlc.states):
        share = tlc.vth_below(state, edges, 2000, 12, **wordline)
        density = tlc.vth_density(state, edges[:-1] + 0.5, 2000, 12, **wordline)
        assert share[0] < 1e-12
        assert share[-1] == pytest.approx(1)
        assert density == pytest.approx(np.diff(share), abs=2e-5)


def test_voltages_keep_their_shape(tlc):
    voltages = np.linspace(0, 5000, 6).reshape(2, 3)
    assert tlc.vth_below(3, voltages).shape == (2, 3)
    assert tlc.vth_below(3, voltages)[1, 2] == tlc.vth_below(3, 5000.0)


def test_errors_are_the_tails_beyond_the_levels(tlc):
    levels = tlc.levels(2000, 12, retry_step=20)
    errors = tlc.state_errors(2000, 12, retry_step=20)
    assert errors.shape == (8, 2)
    assert errors[0, 0] == errors[7, 1] == 0
    assert errors[3, 0] == pytest.approx(tlc.vth_below(3, levels[2], 2000, 12), rel=1e-9)
    assert errors[3, 1] == pytest.approx(1 - tlc.vth_below(3, levels[3], 2000, 12), rel=1e-6)


def test_error_rates_grow_with_age_and_fall_with_the_right_retry_step(tlc):
    fresh, aged = tlc.rber(1), tlc.rber(1, 2000, 12)
    assert fresh < 1e-3 < 0.1 < aged
    assert tlc.rber(1, 2000, 12, retry_step=20) < 2e-3
    assert tlc.rber(1, 2000, 12, retry_step=20, temperature_c=30) > tlc.rber(1, 2000, 12, retry_step=20)


def test_soft_reads_tell_more_with_each_level(tlc):
    reads = [tlc.soft_regions(1, 2000, 12, levels, 30, retry_step=20) for levels in (1, 3, 5, 7)]
    assert [read.senses for read in reads] == [3, 9, 15, 21]
    told = [read.mutual_information for read in reads]
    assert told == sorted(told)
    # The information with one sensing level is at least that of hard bits with the mean error rate.
    rber = tlc.rber(1, 2000, 12, retry_step=20)
    assert 1 + rber * np.log2(rber) + (1 - rber) * np.log2(1 - rber) < told[0] < told[-1] < 1


def test_soft_reads_are_spaced_so_as_to_tell_most(tlc):
    spacings = [tlc.soft_spacing_mv(1, 2000, 12, levels) for levels in range(2, 8)]
    assert spacings == sorted(spacings, reverse=True)
    for levels, spacing in enumerate(spacings, 2):
        told = [
            tlc.soft_regions(1, 2000, 12, levels, spacing * share, retry_step=20).mutual_information
            for share in (0.7, 1, 1.4)
        ]
        assert told[1] == max(told)
    given = ns.Cells("bare", {"nand.cells.set": "tlc_3d_48", "nand.cells.read_levels.soft_spacing_mv": 42})
    assert given.soft_spacing_mv(1) == 42


def test_soft_regions_hold_the_cells_of_either_bit(tlc):
    regions = tlc.soft_regions(0, 2000, 12, levels_per_vref=3, spacing_mv=40, retry_step=20)
    levels = tlc.levels(2000, 12, retry_step=20)[(tlc.state_bits[1:, 0] != tlc.state_bits[:-1, 0])]
    assert regions.to_mv[:-1] == pytest.approx(np.sort(np.add.outer(levels, [-40, 0, 40]).ravel()))
    assert (regions.from_mv[1:] == regions.to_mv[:-1]).all()
    assert regions.from_mv[0] == -regions.to_mv[-1] == -np.inf
    assert regions.probability_if_zero.sum() == pytest.approx(1)
    assert regions.probability_if_one.sum() == pytest.approx(1)
    ones = np.flatnonzero(tlc.state_bits[:, 0])
    below = np.mean([tlc.vth_below(state, regions.to_mv[0], 2000, 12) for state in ones])
    assert regions.probability_if_one[0] == pytest.approx(below)
    # In the bits of this page, 1 is the more likely value in the first two and the last two regions.
    assert (np.sign(regions.llr) == [1, 1, -1, -1, -1, 1, 1]).all()
    likely = np.abs(regions.llr) < 25
    ratio = regions.probability_if_one[likely] / regions.probability_if_zero[likely]
    assert regions.llr[likely] == pytest.approx(np.log(ratio))


def test_the_population_is_that_of_the_read_retry_study(tlc):
    worst = tlc.population(2000, 12)
    assert worst.retry_steps.sum() == pytest.approx(1)
    assert worst.mean_retry_steps == pytest.approx(19.9, abs=0.5)
    assert worst.at_least(0) == pytest.approx(1)
    assert worst.at_least(8) == pytest.approx(worst.retry_steps[8:].sum())
    assert worst.most_errors() == pytest.approx(35, abs=2)
    assert worst.most_errors() < worst.most_errors(t_pre_us=13)
    assert worst.most_errors(pages=1000) < worst.most_errors()
    assert worst.layer_error_rates.shape == (48,)


def test_a_population_outlives_its_cells():
    population = ns.Cells("bare").population()
    assert population.mean_retry_steps == pytest.approx(0, abs=1e-6)
    assert population.most_errors() < 30


@pytest.mark.parametrize("overrides", [{}, MLC], ids=["tlc", "mlc"])
@pytest.mark.parametrize("layer", [None, 0])
def test_single_cells_follow_the_closed_form(overrides, layer):
    cells = ns.Cells("bare", overrides)
    vth, state = cells.sample(2000, 12, seed=3, layer=layer)
    assert vth.shape == state.shape == (131072,)
    for s in range(cells.states):
        of_state = np.sort(vth[state == s])
        measured = (np.arange(of_state.size) + 0.5) / of_state.size
        # The tolerance is the Kolmogorov-Smirnov bound for a probability of 1e-6, plus an allowance because ages are
        # counted in steps.
        assert np.abs(cells.vth_below(s, of_state, 2000, 12, layer=layer) - measured).max() < (
            2.7 / np.sqrt(of_state.size) + 0.003
        )


def test_samples_repeat_by_seed(tlc):
    first, again, other = (tlc.sample(500, 1, seed=seed, cells=1000) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_programming_pulse_by_pulse(tlc):
    expected, trace = tlc.program(), tlc.program_trace()
    assert abs(trace.pulses - expected.pulses) <= 1
    assert expected.latency_us == pytest.approx(700)
    assert trace.mean_mv.shape == trace.finished.shape == (trace.pulses, 8)
    assert (np.diff(trace.mean_mv[:, 1:], axis=0) >= 0).all()
    assert (trace.finished[-1] > 0.999).all()
    for s in range(1, 8):
        overshoot = trace.vth_mv[trace.state == s] - expected.verify_mv[s - 1]
        assert np.quantile(overshoot, [0.001, 0.999]) == pytest.approx([0, 250], abs=5)


def test_larger_steps_program_faster():
    cells = ns.Cells("bare", MLC)
    latencies = [cells.program(step_mv).latency_us for step_mv in (300, 460, 680)]
    assert latencies == pytest.approx([200, 130, 88.2], rel=0.01)


@pytest.mark.parametrize(
    "call",
    [
        lambda cells: cells.vth_below(8, 0),
        lambda cells: cells.vth_below(-1, 0),
        lambda cells: cells.rber(3),
        lambda cells: cells.rber(0, pe_cycles=-1),
        lambda cells: cells.rber(0, months=float("nan")),
        lambda cells: cells.rber(0, retry_step=41),
        lambda cells: cells.rber(0, layer=48),
        lambda cells: cells.levels(step_mv=-1),
        lambda cells: cells.soft_regions(3),
        lambda cells: cells.soft_regions(0, levels_per_vref=0),
        lambda cells: cells.soft_regions(0, levels_per_vref=64),
        lambda cells: cells.soft_regions(0, spacing_mv=-1),
        lambda cells: cells.soft_spacing_mv(0, sensing_levels=1),
        lambda cells: cells.soft_spacing_mv(0, sensing_levels=8),
        lambda cells: cells.population(codeword_bits=0),
        lambda cells: cells.program(step_mv=1e-9),
        lambda cells: cells.program_trace(cells=0),
        lambda cells: cells.sample(cells=0),
        lambda cells: cells.sample(step_mv=300),
    ],
)
def test_numbers_out_of_their_range_are_value_errors(tlc, call):
    with pytest.raises(ValueError, match=r"[a-z]"):
        call(tlc)


def test_unknown_keywords_are_type_errors(tlc):
    with pytest.raises(TypeError, match="temperature_c"):
        tlc.rber(0, temperature=30)


def test_layers_of_nie_2020_reach_from_one_error_rate_of_the_paper_to_the_other():
    cells = ns.Cells("bare", {"nand.cells.set": "nie_2020", "nand.coding": "tlc_232"})
    rates = np.array([[cells.rber(page, months=0.5, layer=layer) for page in range(3)] for layer in range(48)])
    quarters = rates.reshape(4, -1).mean(axis=1)
    # The published error rates are in section III-B of the paper.
    assert quarters[0] == pytest.approx(0.0078, rel=0.01)
    assert quarters[3] == pytest.approx(0.0028, rel=0.01)
    # The error rates of neighbouring quarters of the layers differ by a constant factor.
    assert quarters[:-1] / quarters[1:] == pytest.approx(np.full(3, 2.7 ** (1 / 3)), rel=0.03)
    pages = rates.mean(axis=0)
    assert pages.max() / pages.min() < 1.5, "less than layers"
    assert cells.rber(1, pe_cycles=0, months=12, layer=3) == rates[3, 1], "one age is as another"
