# SPDX-License-Identifier: Apache-2.0
"""Compares the tables of measured decoding failures with the decoders that they replace, and with closed forms."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

import nandscape as ns

QUICK = [("ldpc_2048_256", 1, 1e-1), ("ldpc_4096_512", 3, 3e-2)]
CODES = [name for name in ns.codes() if name.startswith("ldpc")]


def exact_frame_error_rate(codeword_bits: int, correctable: int, rber: Decimal) -> Decimal:
    """Returns the probability that a codeword has more than `correctable` errors. It is the sum over the binomial
    distribution, calculated with 60 digits.
    """
    with localcontext(prec=60):
        most = min(codeword_bits, correctable + 400)
        return sum(
            (math.comb(codeword_bits, k) * rber**k * (1 - rber) ** (codeword_bits - k))
            for k in range(correctable + 1, most + 1)
        )


@pytest.mark.parametrize(("rber", "codeword_bits", "user_bits", "correctable"), [
    ("4.5e-4", 8640, 8192, 24),
    ("3.3e-4", 8640, 8192, 24),
    ("1.5e-3", 8640, 8192, 24),
    ("2.5e-3", 9193, 8192, 72),
    ("4e-3", 9193, 8192, 72),
    ("1e-5", 1057, 1024, 3),
])  # fmt: skip
def test_equation_1_to_20_digits_below_one(rber, codeword_bits, user_bits, correctable):
    exact = float(exact_frame_error_rate(codeword_bits, correctable, Decimal(rber)) / user_bits)
    code = {"codeword_bits": codeword_bits, "user_bits": user_bits, "correctable": correctable}
    assert ns.uber(float(rber), **code) == pytest.approx(exact, rel=1e-9)
    if exact < 1e-4:
        assert ns.tolerable_rber(exact, **code) == pytest.approx(float(rber), rel=1e-9)


def test_equation_1_reaches_below_1e_20():
    rber = ns.tolerable_rber(1e-20)
    exact = exact_frame_error_rate(8640, 24, Decimal(rber)) / 8192
    assert float(exact) == pytest.approx(1e-20, rel=1e-6)
    assert ns.uber([rber, 4.5e-4]) == pytest.approx([1e-20, 1e-16], rel=0.02)


@pytest.mark.parametrize("name", [name for name in ns.codes() if name.startswith("bch")])
def test_tables_of_algebraic_codes_are_the_closed_form(name):
    code, table = ns.Code(name), ns.code_table(name)
    assert table.levels == [1]
    assert table.codeword_bits == code.codeword_bits
    t, user_bits = code.correctable_bits, 8 * code.payload_bytes
    closed_form = {"codeword_bits": code.codeword_bits, "user_bits": user_bits, "correctable": t}
    for rate in (1e-2, 1e-5, 1e-12):
        rber = table.rber_at(rate)
        for levels in (1, 3):
            assert ns.uber(rber, levels, **closed_form) == pytest.approx(table.uber(rber, levels), rel=1e-9)
        assert ns.uber(rber, **closed_form) * user_bits == pytest.approx(rate, rel=1e-6)
    assert table.rber_at_uber(1e-16) == pytest.approx(ns.tolerable_rber(1e-16, **closed_form))
    assert table.failure_probability([0, t, t + 1]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("name", CODES)
def test_tables_reach_below_1e_5(name):
    code, table = ns.Code(name), ns.code_table(name)
    assert table.codeword_bits == code.codeword_bits
    assert {1, 3} <= set(table.levels)
    for levels in table.levels:
        rber = table.rber_at([1e-2, 1e-5], levels)
        low, high = table.frame_error_bounds(rber, levels)
        assert (low < [1e-2, 1e-5]).all()
        assert (high > [1e-2, 1e-5]).all()
        assert low[1] > 0.1e-5
        assert high[1] < 6e-5
        assert 1 < table.mean_iterations_at(rber[1], levels) < table.mean_iterations_at(rber[0], levels) < 25
    borne = [float(table.rber_at(1e-5, levels)) for levels in table.levels if levels % 2]
    assert borne == sorted(borne)


def assert_agreement(name: str, levels: int, rate: float, codewords: int) -> None:
    """Checks that the frame error rate and the number of iterations of the real decoder agree with the table within 3
    standard errors.
    """
    code, table = ns.Code(name), ns.code_table(name)
    rber = float(table.rber_at(rate, levels))
    random = np.random.default_rng(11)
    failures, iterations = 0, []
    for _ in range(codewords // 100):
        payload = random.integers(0, 256, (100, code.payload_bytes), dtype=np.uint8)
        bits = code.codeword(payload, code.encode(payload))
        if levels == 1:
            decoded = code.decode(*code.split(bits ^ (random.random(bits.shape) < rber)))
        else:
            decoded = code.decode_soft(ns.sensed_llr(bits, rber, levels, seed=int(random.integers(1 << 40))))
        failures += int((~decoded.ok | (decoded.payload != payload).any(axis=1)).sum())
        iterations.append(decoded.iterations)
    low, high = table.frame_error_bounds(rber, levels)
    # The 95 % bounds of the table are about two standard errors above and below its rate.
    deviation = math.hypot(math.sqrt(rate * (1 - rate) / codewords), float(high - low) / 4)
    assert failures / codewords == pytest.approx(rate, abs=3 * deviation)
    taken = np.concatenate(iterations)
    rows = table.rows()
    measured = (rows["levels"] == levels) & (rows["failures"] > 0) & (rows["failures"] < rows["frames"])
    table_error = float(np.max(rows["iterations_deviation"][measured] / np.sqrt(rows["frames"][measured])))
    deviation = math.hypot(taken.std() / math.sqrt(codewords), table_error)
    assert taken.mean() == pytest.approx(float(table.mean_iterations_at(rber, levels)), abs=3 * deviation)


@pytest.mark.parametrize(("name", "levels", "rate"), QUICK)
def test_tables_agree_with_the_decoder(name, levels, rate):
    assert_agreement(name, levels, rate, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize("rate", [0.3, 0.03, 0.003])
def test_tables_agree_with_the_decoder_at_length(name, levels, rate):
    assert_agreement(name, levels, rate, 10_000)


def test_figures_of_a_table():
    table = ns.code_table("ldpc_4096_512")
    assert table.code == "ldpc_4096_512"
    assert table.payload_bytes == 4096
    rber = np.geomspace(1e-3, 3e-2, 12).reshape(3, 4)
    rates = table.frame_error_rate(rber, levels=3)
    assert rates.shape == rber.shape
    assert (np.diff(rates.ravel()) >= 0).all()
    assert table.uber(0.016, levels=3) == pytest.approx(table.frame_error_rate(0.016, levels=3) / 32768)
    assert table.frame_error_rate(0.012, levels=3) < 1e-6 < 0.9 < table.frame_error_rate(0.012)
    assert table.failure_probability(10_000) == 1
    rows = table.rows()
    assert {len(column) for column in rows.values()} == {len(rows["errors"])}
    assert (rows["low"] <= rows["failures"] / rows["frames"]).all()
    frame = table.to_frame()
    assert list(frame.columns) == list(rows)
    assert "ldpc_4096_512" in repr(table)


def test_a_table_says_how_well_it_knows_a_rate():
    table = ns.code_table("ldpc_4096_512")
    for levels in (1, 3):
        rber = table.rber_at_uber([1e-16, 1e-10], levels)
        low, high = table.uber_bounds(rber, levels)
        assert (low < [1e-16, 1e-10]).all()
        assert (high > [1e-16, 1e-10]).all()
        assert np.array(table.frame_error_bounds(rber, levels)) == pytest.approx(32768 * np.array([low, high]))
        below, above = table.rber_bounds_at_uber([1e-16, 1e-10], levels)
        assert table.uber_bounds(below, levels)[1] == pytest.approx([1e-16, 1e-10], rel=1e-6)
        assert table.uber_bounds(above, levels)[0] == pytest.approx([1e-16, 1e-10], rel=1e-6)
    # A rate that is ten times lower is extrapolated over one decade more. Rates in the measured range are not
    # extrapolated.
    decades = table.extrapolated_decades(table.rber_at([1e-13, 1e-12, 1e-2]))
    assert decades == pytest.approx([decades[1] + 1, decades[1], 0], abs=1e-6)
    bch = ns.code_table("bch_1024_72")
    assert bch.extrapolated_decades(bch.rber_at_uber(1e-16)) == 0


def test_wrong_input_is_reported(tmp_path):
    with pytest.raises(ns.ConfigError, match="did you mean ldpc_4096_512"):
        ns.code_table("ldpc-4096-512")
    with pytest.raises(ns.ConfigError, match="`nandscape characterize-ecc bch_512_3`"):
        ns.code_table("bch_512_3")
    broken = tmp_path / "broken.yaml"
    broken.write_text("code: bch_512_3\nseed: one\npayload_bytes: 512\ncodeword_bits: 4135\nrows: []\n")
    with pytest.raises(ns.ConfigError, match=r"broken.yaml:2: seed"):
        ns.code_table(broken)
    table = ns.code_table("bch_1024_72")
    with pytest.raises(IndexError, match="0 sensing levels"):
        table.frame_error_rate(1e-3, levels=0)
    with pytest.raises(ValueError, match="must be from 0"):
        table.failure_probability(-1)
    with pytest.raises(ValueError, match="no value in the range"):
        table.rber_at(2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        ns.uber(0)
    with pytest.raises(ValueError, match="user bits"):
        ns.uber(1e-3, codeword_bits=100, user_bits=200, correctable=3)
    with pytest.raises(IndexError, match="1 to 7"):
        ns.uber(1e-3, levels=8)
