# SPDX-License-Identifier: Apache-2.0
"""Tests of the closed forms that the layer scenario uses for known deviations, and checks that its figures can fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from layers.decoders import (
    ASSUMED,
    CODEWORD_BITS,
    LDPC,
    LESS_BORROWED,
    capacity_ratio,
    parity_bits_needed,
    rate_of_capacity,
)
from layers.decoding import SUBPAGES, Subpage, effort_in_one_page, latency_less, reads_of_weak_subpage, still_failing
from layers.device import LAYERS, PAYLOAD_BITS, T_READ_US
from layers.rows import ldpc_rows, system_rows
from layers.runs import Case, Outcome, Plan, Results, cases, trials

REQUESTS, SEEDS = 100, 1


def test_capacity_is_that_of_the_binary_symmetric_channel():
    assert rate_of_capacity(0.5) == pytest.approx(0.1100279, rel=1e-6), "half of the bits at an error rate of 11 %"
    assert capacity_ratio(0) == 1
    for rber in (0.0028, 0.0078, 0.02):
        parity = parity_bits_needed(rber)
        assert rate_of_capacity(PAYLOAD_BITS / (PAYLOAD_BITS + parity)) == pytest.approx(rber, rel=1e-6)


def test_codewords_fail_as_often_as_their_errors_exceed_the_limit():
    errors = np.random.default_rng(1).binomial(CODEWORD_BITS, 0.0066, 200_000)
    share = (errors > ASSUMED.error_rates[0] * CODEWORD_BITS).mean()
    assert ASSUMED.failure(0.0066, levels=1, borrowed=0) == pytest.approx(share, abs=0.005)
    assert ASSUMED.failure(0.0066, levels=2, borrowed=0) < share / 2
    for borrowed in (-1, 1):
        rber = 0.0066 * ASSUMED.gain**borrowed
        # At a higher error rate, the number of errors varies less relative to its mean, so the share differs slightly.
        assert ASSUMED.failure(rber, levels=1, borrowed=borrowed) == pytest.approx(share, abs=0.1)


def test_borrowed_parity_saves_reads_of_weak_subpages_the_more_of_it_there_is():
    reads = [reads_of_weak_subpage(LDPC, 0), *(reads_of_weak_subpage(code, 1) for code in reversed(LESS_BORROWED))]
    reads.append(reads_of_weak_subpage(LDPC, 1))
    assert reads == sorted(reads, reverse=True)
    assert reads_of_weak_subpage(ASSUMED, 1) < reads_of_weak_subpage(ASSUMED, 0) / 2


def test_reads_of_one_page_are_those_of_drawn_ones_and_wait_as_in_queues():
    rng = np.random.default_rng(1)
    reads = 100_000
    # The subpages are read until the worst codeword is decoded.
    chances = rng.random((reads, SUBPAGES)).min(axis=1)
    drawn = zip(rng.integers(LAYERS, size=reads), rng.integers(len(T_READ_US), size=reads), chances, strict=True)
    sense_us = np.empty(reads)
    for number, (layer, page, chance) in enumerate(drawn):
        failing = still_failing(ASSUMED, Subpage(int(layer)), int(page))
        levels = 1 + sum(failed > chance for failed in failing[1:-1])
        sense_us[number] = T_READ_US[page] * levels * (levels + 1) / 2
    effort = effort_in_one_page(ASSUMED)
    assert effort.sense_us == pytest.approx(sense_us.mean(), rel=0.02)
    assert effort.square_us2 == pytest.approx((sense_us**2).mean(), rel=0.04)

    busy = 0.4
    between_us = rng.exponential(effort.sense_us / busy, reads)
    waited_us = wait = 0.0
    for sense, between in zip(sense_us, between_us, strict=True):
        waited_us += wait
        wait = max(wait + sense - between, 0.0)
    queued_us = busy / effort.sense_us * effort.square_us2 / (2 * (1 - busy))
    assert queued_us == pytest.approx(waited_us / reads, rel=0.1)


def test_placement_gains_with_its_share_and_with_the_load():
    assert latency_less(ASSUMED, 0, 0.4) == 0
    assert 0 < latency_less(ASSUMED, 50, 0) < latency_less(ASSUMED, 50, 0.4) < latency_less(ASSUMED, 100, 0.4)
    assert latency_less(LESS_BORROWED[-1], 50, 0.4) < 0


def outcomes_of(read_us: Callable[[Case], float]) -> list[tuple[Case, Outcome]]:
    plans = {(trial.decoder.name, trial.workload): Plan(1000, 50, 0.3) for trial in trials(REQUESTS)}
    return [
        (
            case,
            Outcome(
                read_us=read_us(case),
                write_us=50,
                requests_per_s=1000,
                reads=100,
                pieces=10,
                fullpages=5,
                lone_reads=5,
                programmed_pages=100,
                subpages_per_operation=1,
                first_reads=np.full(10, read_us(case)),
            ),
        )
        for case in cases(plans, REQUESTS, SEEDS)
    ]


def standings(read_us: Callable[[Case], float]) -> dict[str, str]:
    outcomes = outcomes_of(read_us)
    by_decoder = {decoder: Results(outcomes, decoder) for decoder in (LDPC, *LESS_BORROWED)}
    rows = [*system_rows(Results(outcomes), quick=False), *ldpc_rows(by_decoder, quick=False)]
    return {row.name.removeprefix("nie_2020."): row.standing for row in rows}


def test_gains_stand_where_closed_forms_have_them():
    def read_us(case: Case) -> float:
        if case.scheme != "SRS+FPA":
            return {"SOML": 1000, "SRS": 990}[case.scheme]
        return 990 * (1 - latency_less(case.decoder, 50, 0.3))

    stand = standings(read_us)
    assert stand["order_of_schemes"] == "within"
    for borrowed in (128, 64, 32):
        assert stand[f"ldpc_mean_reduction_srs_fpa_{borrowed}_bytes"] == "predicted"


def test_gains_of_the_wrong_sign_fail():
    stand = standings(lambda case: {"SOML": 1000, "SRS": 1010, "SRS+FPA": 1040}[case.scheme])
    for name in (
        "mean_reduction_srs_fpa",
        "mean_reduction_srs",
        "order_of_schemes",
        "ldpc_mean_reduction_srs_fpa_128_bytes",
        "ldpc_mean_reduction_srs",
    ):
        assert stand[name] == "outside", name
