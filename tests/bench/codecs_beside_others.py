# SPDX-License-Identifier: Apache-2.0
"""Compares codecs with two packages from PyPI, `bchlib` and `ldpc` (the extra `compare`). Times are medians of
alternate runs.

The packages decode the same codewords with the same errors. bchlib uses a BCH code with the same payload and t. ldpc
uses the same parity-check matrix and normalised minimum-sum decoding, with the same factor and iteration limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import bchlib
import ldpc
import numpy as np
from scipy.sparse import csr_matrix

import nandscape as ns

TURNS = 15
CODEWORDS = 40
MOST_ITERATIONS = 25
SCALING_FACTOR = 0.75


def compare(what: str, ours: Callable[[], object], theirs: Callable[[], object], codewords: int) -> None:
    """Prints the time per codeword of our codec and of the package, in microseconds, and the ratio of the times."""
    seconds: dict[Callable[[], object], list[float]] = {ours: [], theirs: []}
    for _ in range(TURNS):
        for call, times in seconds.items():
            begin = time.perf_counter()
            call()
            times.append(time.perf_counter() - begin)
    mine, other = (median(times) / codewords * 1e6 for times in seconds.values())
    print(f"{what:44} {mine:10.1f} µs {other:10.1f} µs   {other / mine:8.1f} times as fast", flush=True)


def bch() -> None:
    """Compares the BCH code for 1 KiB with t = 64."""
    code, peer = ns.Code("bch_1024_64"), bchlib.BCH(64, m=14)
    random = np.random.default_rng(1)
    payload = random.integers(0, 256, (CODEWORDS, code.payload_bytes), dtype=np.uint8)
    parity = code.encode(payload)
    messages = [row.tobytes() for row in payload]
    peer_parity = [peer.encode(message) for message in messages]
    compare(
        "BCH 1 KiB, t = 64: encode against bchlib",
        lambda: code.encode(payload),
        lambda: [peer.encode(message) for message in messages],
        CODEWORDS,
    )
    for errors in (0, 32, 64):
        flips = [random.choice(8 * code.payload_bytes, errors, replace=False) for _ in range(CODEWORDS)]
        bits = np.unpackbits(payload, axis=1, bitorder="little")
        for row, wrong in zip(bits, flips, strict=True):
            row[wrong] ^= 1
        read = np.packbits(bits, axis=1, bitorder="little")

        def theirs(read: np.ndarray = read) -> list[bytearray]:
            corrected = []
            for row, ecc in zip(read, peer_parity, strict=True):
                data, parity_bytes = bytearray(row.tobytes()), bytearray(ecc)
                peer.decode(data, parity_bytes)
                peer.correct(data, parity_bytes)
                corrected.append(data)
            return corrected

        assert (code.decode(read, parity).payload == payload).all()
        assert theirs() == messages
        compare(
            f"BCH 1 KiB, t = 64: decode {errors} errors against bchlib",
            lambda read=read: code.decode(read, parity),
            theirs,
            CODEWORDS,
        )


def low_density() -> None:
    """Compares the LDPC code for 4 KiB at an RBER of 3e-3."""
    rber = 3e-3
    code = ns.Code("ldpc_4096_512")
    random = np.random.default_rng(2)
    payload = random.integers(0, 256, (CODEWORDS, code.payload_bytes), dtype=np.uint8)
    bits = code.codeword(payload, code.encode(payload))
    read = bits ^ (random.random(bits.shape) < rber).astype(np.uint8)
    received = code.split(read)
    checks, variables = code.parity_checks().T
    matrix = csr_matrix((np.ones(len(checks), dtype=np.uint8), (checks, variables)))
    for schedule in ("parallel", "serial"):
        peer = ldpc.BpDecoder(
            matrix,
            error_rate=rber,
            max_iter=MOST_ITERATIONS,
            bp_method="minimum_sum",
            ms_scaling_factor=SCALING_FACTOR,
            schedule=schedule,
            input_vector_type="received_vector",
        )

        def theirs(peer: ldpc.BpDecoder = peer) -> list[np.ndarray]:
            return [peer.decode(row) for row in read]

        assert (code.decode(*received).payload == payload).all()
        assert (np.array(theirs()) == bits).all()
        compare(
            f"LDPC 4 KiB at {rber:g}: decode against ldpc, {schedule}",
            lambda: code.decode(*received),
            theirs,
            CODEWORDS,
        )


if __name__ == "__main__":
    print(f"{'per codeword':44} {'nandscape':>13} {'other':>13}")
    bch()
    low_density()
