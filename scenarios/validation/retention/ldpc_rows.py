# SPDX-License-Identifier: Apache-2.0
"""Figures 16 and 17 of Liu, Yang and Wu: the load of LDPC, in concatenated codes and in the relaxed design."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from comparison.rows import Row
from retention import expected
from retention.analysis_rows import PUBLISHED
from retention.arrivals import READ_SHARE, write_mb_per_s
from retention.published import LDPC_MB_PER_S, LIGHT, SIMULATED
from retention.results import Results
from retention.systems import ARCHITECTURES, BASELINE, BY_SOURCE, CONCATENATED


def rows(results: Results) -> list[Row]:
    least = {name: max(results.least_ldpc(name, workload) for workload in SIMULATED) for name in ARCHITECTURES}
    return PUBLISHED.rows(
        {
            "least_ldpc_concatenated": least[CONCATENATED],
            "least_ldpc_relaxed": least[BY_SOURCE],
            "relaxed_at_20": results.normalized(BY_SOURCE, 20),
            "better_at_10": 100 * (1 - results.normalized(BY_SOURCE, 10) / results.normalized(CONCATENATED, 10)),
            "concatenated_at_160": results.normalized(CONCATENATED, 160),
            "zigzag": results.normalized(CONCATENATED, 80) / results.normalized(CONCATENATED, 40),
            "closed_form.encoder": 100 * max(abs(ours / closed - 1) for ours, closed in _encoded(results)),
        }
    )


def _encoded(results: Results) -> Iterator[tuple[float, float]]:
    """Normalized response times of light workloads, and the closed form with the time of writes at the encoder."""
    for name, mb_per_s in product(LIGHT, LDPC_MB_PER_S):
        if write_mb_per_s(name) < 0.8 * mb_per_s:
            added_us = (1 - READ_SHARE) * expected.encoder_us(name, mb_per_s)
            yield results.normalized_of(CONCATENATED, name, mb_per_s), 1 + added_us / results.all_us(name, BASELINE)
