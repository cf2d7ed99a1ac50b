# SPDX-License-Identifier: Apache-2.0
"""Tests of the encoders and decoders of codes from Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nandscape as ns
from binary_fields import field_degree, powers_of_alpha, value_at_power

BCH = [name for name in ns.codes() if name.startswith("bch")]
LDPC = [name for name in ns.codes() if name.startswith("ldpc")]
ROUND_TRIP_ERRORS = 40  # every LDPC code of the tests corrects this number of errors


def words(code: ns.Code, count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, code.payload_bytes), dtype=np.uint8)


def with_errors(code: ns.Code, payload: np.ndarray, errors: int, seed: int = 2) -> np.ndarray:
    """Returns the bits of the codewords, with `errors` wrong bits in each codeword."""
    random = np.random.default_rng(seed)
    bits = code.codeword(payload, code.encode(payload))
    for row in bits:
        row[random.choice(len(row), errors, replace=False)] ^= 1
    return bits


@pytest.mark.parametrize("name", BCH)
def test_bch_codewords_are_those_of_the_definition(name):
    code = ns.Code(name)
    m, t = field_degree(code), code.correctable_bits
    parity_bits = code.codeword_bits - 8 * code.payload_bytes
    assert m * (t - 1) < parity_bits <= m * t
    # If the codeword's polynomial is zero at these 2t powers, the systematic codeword is correct, since the parity has
    # as many bits as the degree of the generator polynomial.
    powers = powers_of_alpha(m)
    payload = words(code, 2)
    for bits in code.codeword(payload, code.encode(payload)):
        assert not any(value_at_power(bits, power, powers) for power in range(1, 2 * t + 1))


@pytest.mark.parametrize("name", BCH)
def test_bch_corrects_what_it_promises(name):
    code = ns.Code(name)
    payload = words(code, 8)
    parity = code.encode(payload)
    for errors in {0, 1, code.correctable_bits // 2, code.correctable_bits}:
        decoded = code.decode(*code.split(with_errors(code, payload, errors)))
        assert decoded.ok.all()
        assert (decoded.corrected_bits == errors).all()
        assert (decoded.payload == payload).all()
        assert (decoded.parity == parity).all()


@pytest.mark.parametrize(("name", "count"), [("bch_128_3", 20_000), ("bch_256_5", 20_000), ("bch_1024_72", 200)])
def test_bch_reports_failure_as_often_as_theory_says(name, count):
    code = ns.Code(name)
    n, t = code.codeword_bits, code.correctable_bits
    read = code.split(with_errors(code, words(code, count), t + 2))
    decoded = code.decode(*read)
    # A word with more than t errors is within distance t of another codeword about as often as a random word. The
    # probability is therefore the share of all words that are within distance t of a codeword. The decoder also rejects
    # error patterns that reach beyond the shortened length; without shortening, the share would be about 1/t!.
    spheres = sum(math.comb(n, k) for k in range(t + 1)) / 2 ** (n - 8 * code.payload_bytes)
    assert spheres < 1 / math.factorial(t)
    deviation = math.sqrt(count * spheres)
    assert abs(int(decoded.ok.sum()) - count * spheres) < 5 * deviation + 1
    # If decoding fails, the payload is returned as it was read.
    assert (decoded.payload[~decoded.ok] == read[0][~decoded.ok]).all()
    assert (decoded.corrected_bits[decoded.ok] <= t).all()


@pytest.mark.parametrize("name", LDPC)
def test_ldpc_codewords_satisfy_the_parity_checks(name):
    code = ns.Code(name)
    checks, bits = code.parity_checks().T
    assert checks.max() + 1 == 8 * code.parity_bytes
    assert bits.max() + 1 == code.codeword_bits
    payload = words(code, 2)
    for codeword in code.codeword(payload, code.encode(payload)):
        assert not (np.bincount(checks, codeword[bits]) % 2).any()


@pytest.mark.parametrize("name", LDPC)
def test_ldpc_corrects_few_errors_in_few_iterations(name):
    code = ns.Code(name)
    payload = words(code, 8)
    decoded = code.decode(*code.split(with_errors(code, payload, ROUND_TRIP_ERRORS)))
    assert decoded.ok.all()
    assert (decoded.payload == payload).all()
    assert (decoded.corrected_bits == ROUND_TRIP_ERRORS).all()
    assert (decoded.iterations >= 1).all()
    assert (decoded.iterations < 10).all()


def test_soft_reads_correct_what_hard_reads_cannot():
    code = ns.Code("ldpc_4096_512")
    payload = words(code, 4)
    bits = code.codeword(payload, code.encode(payload))
    rber = 0.013
    random = np.random.default_rng(3)
    assert not code.decode(*code.split(bits ^ (random.random(bits.shape) < rber))).ok.any()
    decoded = code.decode_soft(ns.sensed_llr(bits, rber, levels=3))
    assert decoded.ok.all()
    assert (decoded.payload == payload).all()


def test_soft_reads_are_wrong_as_often_as_said():
    bits = np.random.default_rng(4).integers(0, 2, 400_000, dtype=np.uint8)
    for levels in (1, 3, 5, 7):
        llr = ns.sensed_llr(bits, 0.01, levels)
        assert len(np.unique(llr)) == levels + 1
        assert np.mean((llr > 0) != bits) == pytest.approx(0.01, abs=5 * math.sqrt(0.01 / bits.size))
    assert (ns.sensed_llr(bits, 0.01, 3, seed=1) == ns.sensed_llr(bits, 0.01, 3)).all()
    assert (ns.sensed_llr(bits, 0.01, 3, seed=2) != ns.sensed_llr(bits, 0.01, 3)).any()


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from([*BCH, *LDPC]), seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_round_trips(name, seed, share):
    code = ns.Code(name)
    errors = round(share * min(code.correctable_bits or ROUND_TRIP_ERRORS, ROUND_TRIP_ERRORS))
    payload = words(code, 1, seed)
    decoded = code.decode(*code.split(with_errors(code, payload, errors, seed)))
    assert decoded.ok.all()
    assert (decoded.payload == payload).all()


def test_data_come_back_in_the_form_in_which_they_went():
    code = ns.Code("bch_128_3")
    batch = words(code, 3)
    parities = code.encode(batch)
    assert parities.shape == (3, code.parity_bytes)
    assert (code.encode(batch[1]) == parities[1]).all()
    data = batch[1].tobytes()
    assert code.encode(data) == parities[1].tobytes()
    decoded = code.decode(data, code.encode(data))
    assert (decoded.payload, decoded.parity) == (data, parities[1].tobytes())
    bits = code.codeword(batch, parities)
    assert bits.shape == (3, code.codeword_bits)
    assert all((part == same).all() for part, same in zip(code.split(bits), (batch, parities), strict=True))
    decoded = code.decode_soft(np.where(bits[0], 1, -1))
    assert (decoded.payload == batch[0]).all()
    assert "bch_128_3" in repr(code)


def test_numbers_of_codes():
    code = ns.Code("bch_1024_72")
    assert (code.name, code.payload_bytes, code.correctable_bits) == ("bch_1024_72", 1024, 72)
    assert 8192 / 9200 < code.rate < 8192 / 9192
    assert ns.Code("ldpc_4096_512").correctable_bits is None
    assert ns.Code("ldpc_4096_512").rate == 8 / 9


def test_wrong_input_is_reported():
    code = ns.Code("bch_128_3")
    with pytest.raises(ValueError, match="128"):
        code.encode(b"too short")
    with pytest.raises(ValueError, match="5"):
        code.decode(bytes(128), bytes(4))
    with pytest.raises(TypeError, match="uint8"):
        code.encode(np.zeros(128))
    with pytest.raises(ValueError, match="1057"):
        code.decode_soft(np.zeros(1000, dtype=np.int8))
    with pytest.raises(ns.ConfigError, match="did you mean bch_1024_72"):
        ns.Code("bch_1024_72_")
    with pytest.raises(ns.ConfigError, match="not an LDPC code"):
        code.parity_checks()
    with pytest.raises(ns.ConfigError, match="there are codes for payloads"):
        ns.Code("ldpc_4096_511")
    with pytest.raises(ValueError, match="1 to 7"):
        ns.sensed_llr([0, 1], 0.01, 8)
