# SPDX-License-Identifier: Apache-2.0
"""Figures 16 and 17 of Liu, Yang and Wu: what LDPC has to encode, in concatenated codes and in the relaxed design."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from physics.rows import Row, exactly, limited, near

from retention import expected
from retention.arrivals import READ_SHARE, write_mb_per_s
from retention.published import BETTER_AT_10, LDPC_MB_PER_S, LEAST_LDPC, LIGHT, SIMULATED
from retention.results import Results
from retention.systems import ARCHITECTURES, BASELINE, BY_SOURCE, CONCATENATED

POINTS = 4


def rows(results: Results) -> list[Row]:
    least = {name: max(results.least_ldpc(name, workload) for workload in SIMULATED) for name in ARCHITECTURES}
    source = "section 6, Figure 17"
    return [
        exactly(
            "liu_2012.least_ldpc_concatenated",
            "least throughput of LDPC that no workload saturates, concatenated codes",
            least[CONCATENATED],
            LEAST_LDPC["concatenated"],
            "section 6, Figure 16",
            unit="MB/s",
        ),
        exactly(
            "liu_2012.least_ldpc_relaxed",
            "the same, RR-2week, which encodes what is written again and collected",
            least[BY_SOURCE],
            LEAST_LDPC["relaxed"],
            "section 6, Figure 16",
            unit="MB/s",
        ),
        limited(
            "liu_2012.relaxed_at_20",
            "RR-2week at 20 MB/s, mean response time over that of unlimited LDPC",
            results.normalized(BY_SOURCE, 20),
            "similar",
            (None, 1.05),
            "5 %",
            source,
        ),
        near(
            "liu_2012.better_at_10",
            "RR-2week, mean normalized response time less than of concatenated codes, LDPC of 10 MB/s (equation 19)",
            100 * (1 - results.normalized(BY_SOURCE, 10) / results.normalized(CONCATENATED, 10)),
            BETTER_AT_10,
            source,
            unit="%",
            absolute=POINTS,
        ),
        limited(
            "liu_2012.concatenated_at_160",
            "concatenated codes at 160 MB/s, mean response time over that of unlimited LDPC",
            results.normalized(CONCATENATED, 160),
            "similar",
            (1, 1.1),
            "10 %",
            source,
        ),
        limited(
            "liu_2012.zigzag",
            "mean normalized response time of concatenated codes at 80 MB/s over that at 40 MB/s",
            results.normalized(CONCATENATED, 80) / results.normalized(CONCATENATED, 40),
            "zigzag from 5 to 80 MB/s",
            (1.01, None),
            "at 80 MB/s hd2 is among the workloads, which saturates 40 MB/s",
            source,
        ),
        limited(
            "closed_form.encoder",
            "normalized response time of a light workload that keeps the encoder busy less than 80 % of the time, "
            "furthest from the closed form",
            100 * max(abs(ours / closed - 1) for ours, closed in _encoded(results)),
            "no figure",
            (None, 6),
            "the encoder spreads writes before they come to their channels",
            "expected.py",
            unit="%",
        ),
    ]


def _encoded(results: Results) -> Iterator[tuple[float, float]]:
    """Normalized response times of light workloads, and the closed form: what writes spend at the encoder."""
    for name, mb_per_s in product(LIGHT, LDPC_MB_PER_S):
        if write_mb_per_s(name) < 0.8 * mb_per_s:
            added_us = (1 - READ_SHARE) * expected.encoder_us(name, mb_per_s)
            yield results.normalized_of(CONCATENATED, name, mb_per_s), 1 + added_us / results.all_us(name, BASELINE)
