# SPDX-License-Identifier: Apache-2.0
"""Tests of writing by content on arrays: counts, profiles, error rates, tables and mappings, and Tables II and III of
Sha et al.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from nandscape import content

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from content.device import cdber, mapping_by_share

TABLE_II = {"msb": [15025, 7865, 4506, 2868, 1573], "lsb": [11682, 5817, 3048, 1704, 639]}
TABLE_III = {"msb": [16384, 11846, 4031], "lsb": [16221, 9143, 2704]}
PROGRAM_US = [200, 157, 130, 111, 100, 88.2]


@pytest.fixture(scope="module")
def speeds() -> content.WriteSpeeds:
    return content.write_speeds()


@pytest.fixture(scope="module")
def codes() -> content.SegmentCodes:
    return content.segment_codes()


@pytest.fixture(scope="module")
def states() -> np.ndarray:
    """The number of cells in each state, for eight segments of each of 2000 pages of mixed kinds."""
    shares = content.Profile("mixed").segment_shares(np.arange(2000))
    return content.counts_of(shares, content.CELLS // 8)


def test_states_of_wordlines_are_those_of_the_coding():
    """In the name of a state, the left digit is the bit of the MSB page, which has only one read level. States are
    numbered in the same order as in `Cells`.
    """
    cells = ns.Cells("bare", {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"})
    assert cells.senses() == [3, 1]
    for state, (lsb, msb) in enumerate(cells.state_bits.tolist()):
        pages = [bytes([0xFF * bit] * 3) for bit in (lsb, msb)]
        counts = content.state_counts(*pages)
        assert counts.tolist() == [[24 * (state == s) for s in range(4)]]
        assert content.STATES[state] == f"{int(msb)}{int(lsb)}"


def test_segments_and_pages_are_counted_each():
    random = np.random.default_rng(1)
    lsb, msb = random.integers(0, 256, (2, 4096), dtype=np.uint8)
    halves = content.state_counts(lsb, msb, 2)
    assert halves.shape == (2, 4)
    assert halves[1].tolist() == content.state_counts(lsb[2048:], msb[2048:])[0].tolist()
    assert halves.sum() == 8 * 4096
    assert content.symbol_counts(b"\x1b" * 4096).tolist() == [[4096] * 4]
    by_page = content.symbol_counts(lsb, 1024)
    assert by_page.shape == (4, 4)
    assert by_page.sum(axis=0).tolist() == content.symbol_counts(lsb)[0].tolist()
    assert content.symbol_counts(b"", 4096).shape == (0, 4)


@pytest.mark.parametrize("page", ["msb", "lsb"])
def test_table_2_within_ten_percent(speeds, page):
    limits = speeds.most_weak_cells(page)[1:]
    assert limits == pytest.approx(TABLE_II[page], rel=0.1)
    assert speeds.program_us == pytest.approx(PROGRAM_US, rel=0.01)


@pytest.mark.parametrize("page", ["msb", "lsb"])
def test_table_3_within_ten_percent(codes, page):
    assert codes.most_weak_cells(page)[1:] == pytest.approx(TABLE_III[page], rel=0.1)
    assert codes.segments.tolist() == [1, 2, 4, 8]


def test_error_rates_and_times_are_those_of_the_cells(speeds, codes):
    cells = ns.Cells("bare", {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"})
    for level, step_mv in enumerate(speeds.steps_mv):
        assert speeds.errors(level) == pytest.approx(cells.state_errors(15000, 12, step_mv=step_mv), rel=1e-9)
        assert speeds.program_us[level] == cells.program(step_mv).latency_us
    assert codes.errors == pytest.approx(speeds.errors(0), rel=1e-9)


def test_correctable_rates_are_those_of_the_calibration():
    rates = [code.correctable_ber() for code in content.CODES[:4]]
    assert rates == pytest.approx([7.345e-4, 5.368e-4, 3.517e-4, 1.830e-4], rel=1e-3)
    # The two weakest codes correct a lower error rate than cells in the states 10 and 11 have, so they are never
    # chosen.
    errors = content.segment_codes().errors
    assert all(code.correctable_ber() < min(errors[0, 1], errors[1, 1]) for code in content.CODES[4:])


def test_relaxed_levels_are_legal_and_no_higher_than_optimal_ones(speeds, states):
    whole = states.sum(axis=1)
    for page in ("lsb", "msb"):
        relaxed, optimal = speeds.levels(page, whole), speeds.levels(page, whole, optimal=True)
        assert (relaxed <= optimal).all()
        assert (relaxed < optimal).any()
        for level in range(1, 6):
            chosen = whole[optimal == level] / content.CELLS
            assert (cdber(page, speeds.errors(level), chosen) <= speeds.correctable_ber).all()


def test_whole_pages_are_the_baseline_and_finer_counts_ask_for_more(codes, states):
    whole = states.sum(axis=1, keepdims=True)
    own = content.segment_codes(own_segments=True)
    for page in ("lsb", "msb"):
        assert (codes.codes(page, whole) == 0).all()
        by_worst, by_own = codes.codes(page, states), own.codes(page, states)
        assert (by_worst <= by_own).all()
        assert (by_worst < by_own).any()
        assert (codes.codes(page, states) <= codes.codes(page, states, optimal=True)).all()


def test_mappings_make_pages_faster(speeds, codes, states):
    whole = states.sum(axis=1)
    mapping = speeds.mapping(whole)
    assert mapping.shape == (2000,)

    def program_us(counts):
        return sum(speeds.program_us[speeds.levels(page, counts)] for page in ("lsb", "msb"))

    mapped, by_share = (content.map_counts(whole, m) for m in (mapping, mapping_by_share(whole)))
    assert (program_us(mapped) <= np.minimum(program_us(whole), program_us(by_share))).all()
    assert program_us(mapped).mean() < program_us(by_share).mean() < program_us(whole).mean()
    one_shot = content.map_counts(whole, speeds.mapping(whole, one_shot=True))
    least = [np.minimum(*(speeds.levels(page, c) for page in ("lsb", "msb"))) for c in (one_shot, mapped)]
    assert (least[0] >= least[1]).all()
    segments = content.map_counts(states, codes.mapping(states))
    assert segments.shape == states.shape
    assert sum(codes.decode_us[codes.codes(p, segments)].sum() for p in ("lsb", "msb")) < sum(
        codes.decode_us[codes.codes(p, states)].sum() for p in ("lsb", "msb")
    )


def test_a_profile_is_a_function_of_its_keys():
    email = content.Profile("email")
    keys = np.arange(4000)
    assert (email.shares(keys)[10:20] == email.shares(keys[10:20])).all()
    assert email.shares(keys).mean(axis=0) == pytest.approx(email.mean, abs=0.02)
    assert email.segment_shares(keys, 8).mean(axis=1) == pytest.approx(email.shares(keys), abs=0.1)
    assert content.Profile("system_files", 0).shares([1])[0] == pytest.approx([0.4898, 0.1778, 0.1957, 0.1367])
    assert set(content.KINDS) >= {"mixed", "movie", "office"}


def test_other_cells_and_codes_change_the_tables(speeds):
    fresh = content.write_speeds(pe_cycles=1000)
    assert (fresh.most_weak_cells("lsb") > speeds.most_weak_cells("lsb"))[1:].all()
    lenient = content.write_speeds(page_failure=1e-3)
    assert (lenient.most_weak_cells("msb") > speeds.most_weak_cells("msb"))[1:].all()
    wide = content.write_speeds(cells=2 * content.CELLS)
    assert wide.most_weak_cells("msb")[1:] / 2 == pytest.approx(speeds.most_weak_cells("msb")[1:], abs=1)
    large = content.codes_of_pages(16384)
    assert [code.segments for code in large] == [4, 8, 16, 32]


def test_wrong_input_is_reported(speeds, codes):
    with pytest.raises(ns.ConfigError, match="mlc_13"):
        content.write_speeds("default")
    for wrong, words in (
        (lambda: content.Profile("emails"), "email"),
        (lambda: content.Profile(of_pages=-1), "between 0 and 1"),
        (lambda: speeds.levels("csb", [[1, 2, 3, 4]]), "'lsb' or 'msb'"),
        (lambda: content.counts_of([0.5, 0.5, 0]), "rows of four"),
        (lambda: content.counts_of(np.zeros(4)), "add up to 1"),
        (lambda: content.counts_of([np.nan] * 4), "between 0 and 1"),
        (lambda: content.map_counts([[1, 2, 3, 4]], [24]), "0 to 23"),
        (lambda: content.map_counts([[1, 2, 3, 4]], 1), "a mapping for each"),
        (lambda: content.state_counts(b"", b"", 1), "whole number of segments"),
        (lambda: speeds.levels("msb", [1, 2, 3]), "rows of four"),
        (lambda: speeds.levels("msb", [[-1, 2, 3, 4]]), "from 0 to 2"),
        (lambda: codes.codes("msb", [[1, 2, 3, 4]]), r"\(pages, segments, 4\)"),
        (lambda: content.state_counts(b"12", b"1"), "one size"),
        (lambda: content.state_counts(b"123", b"123", 2), "whole number of segments"),
        (lambda: content.symbol_counts(b"123", 2), "whole number of pages"),
        (lambda: content.codes_of_pages(5000), "multiples of 4096"),
        (lambda: content.write_speeds(page_failure=0), "between 0 and 1"),
        (lambda: content.write_speeds(steps_mv=[380, 300]), "rise"),
        (lambda: content.write_speeds(steps_mv=[]), "at least one"),
        (lambda: content.segment_codes(codes=[]), "at least one"),
        (lambda: content.write_speeds(pe_cycles=-1), "pe_cycles is out of its range"),
        (lambda: content.segment_codes(months=1e4), "months is out of its range"),
        (lambda: content.Profile().shares([-1]), "from 0 to 2"),
    ):
        with pytest.raises(ValueError, match=words):
            wrong()
    with pytest.raises(TypeError, match="uint8"):
        content.symbol_counts(np.zeros(8))
    with pytest.raises(TypeError, match="whole numbers"):
        speeds.levels("msb", [[0.5, 1, 1, 1]])
