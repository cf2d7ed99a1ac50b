# SPDX-License-Identifier: Apache-2.0
"""Compares BCH codes bit for bit with the independent package galois. galois compiles each field for seconds, so only
the tests of the smallest code are fast."""

from __future__ import annotations

import os

import numpy as np
import pytest

import nandscape as ns
from binary_fields import PRIMITIVE, field_degree

# The threads of numba wait in busy loops. On a loaded machine, several threads take minutes for work that a single
# thread does in seconds.
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
galois = pytest.importorskip("galois")

SMALLEST = "bch_128_3"
OTHERS = [name for name in ns.codes() if name.startswith("bch") and name != SMALLEST]
WORDS_AT_A_TIME = 100


def reference(code: ns.Code) -> galois.BCH:
    m = field_degree(code)
    field = galois.GF(2**m, irreducible_poly=galois.Poly.Degrees(PRIMITIVE[m]))
    return galois.BCH(2**m - 1, d=2 * code.correctable_bits + 1, extension_field=field)


def assert_agreement(name: str, count: int, decoded_count: int) -> None:
    """Compares the library with galois on `count` words with 0 to t errors. galois decodes only the first
    `decoded_count` of them, since it takes up to a second for each.
    """
    code = ns.Code(name)
    peer = reference(code)
    assert code.codeword_bits - 8 * code.payload_bytes == peer.n - peer.k
    random = np.random.default_rng(1)
    done = 0
    while done < count:
        payload = random.integers(0, 256, (min(WORDS_AT_A_TIME, count - done), code.payload_bytes), dtype=np.uint8)
        written = code.codeword(payload, code.encode(payload))
        assert (written == peer.encode(np.unpackbits(payload, axis=1, bitorder="little"))).all()
        read = written.copy()
        numbers = random.integers(0, code.correctable_bits + 1, len(read))
        for row, errors in zip(read, numbers, strict=True):
            row[random.choice(len(row), errors, replace=False)] ^= 1
        decoded = code.decode(*code.split(read))
        assert (code.codeword(decoded.payload, decoded.parity) == written).all()
        assert (decoded.corrected_bits == numbers).all()
        if done == 0:
            codewords, errors = peer.decode(galois.GF2(read[:decoded_count]), output="codeword", errors=True)
            assert (np.asarray(codewords) == written[:decoded_count]).all()
            assert (errors == numbers[:decoded_count]).all()
        done += len(payload)


def test_the_smallest_code_agrees():
    assert_agreement(SMALLEST, 50, 50)


@pytest.mark.slow
@pytest.mark.parametrize("name", [SMALLEST, *OTHERS])
def test_every_code_agrees(name):
    assert_agreement(name, 10_000, 20)
