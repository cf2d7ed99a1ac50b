# SPDX-License-Identifier: Apache-2.0
"""How many reads subpages take by the layer that they lie in: closed forms for each layer's median wordline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import zip_longest
from math import exp
from statistics import mean
from typing import NamedTuple

import nandscape as ns
from layers.device import LAYERS, PARITY_BYTES, STORAGE_C, STORAGE_DAYS, SUBPAGE_BYTES, drive

BOLTZMANN_EV_PER_K = 8.617e-5
DAYS_PER_MONTH = 730 / 24
PAGES_OF_WORDLINE = 3
QUARTER = LAYERS // 4
MOST_LEVELS = 7
MOST_STEPS = 10  # of the retry table that are looked at


@cache
def cells() -> ns.Cells:
    return ns.Cells(drive({}))


@cache
def months() -> float:
    """The age of the data, as time at 30 C, in which cells count."""
    activation_ev = cells().config["nand.cells.retention.activation_energy_ev"]
    speed = exp(activation_ev / BOLTZMANN_EV_PER_K * (1 / (273.15 + 30) - 1 / (273.15 + STORAGE_C)))
    return STORAGE_DAYS / DAYS_PER_MONTH * speed


def error_rate(layer: int) -> float:
    """Of plain reads, the mean over the pages of a wordline."""
    return mean(cells().rber(page, months=months(), layer=layer) for page in range(PAGES_OF_WORDLINE))


@cache
def layers_by_strength() -> tuple[int, ...]:
    """Layers from the one with the fewest errors on."""
    return tuple(sorted(range(LAYERS), key=error_rate))


@cache
def layer_groups() -> list[int]:
    """The quarter of the layers that each subpage of a fullpage goes to.

    By strength as in section III-B: L1 and L2 to the second and third strongest, L3 to the strongest, L4, whose parity
    reaches into the strongest one's page, to the weakest. There the strongest layers are 12 to 23; here errors grow
    towards layer 0.
    """
    weakness = [sum(error_rate(layer) for layer in range(q * QUARTER, (q + 1) * QUARTER)) for q in range(4)]
    strongest, second, third, weakest = sorted(range(4), key=weakness.__getitem__)
    return [second, third, strongest, weakest]


@cache
def still_failing(layer: int, page: int, parity_bytes: int, errors: float = 1) -> list[float]:
    """The probability that so many reads of a subpage have not sufficed, from 0 reads on, at so many times its errors.

    They have one sensing level after the other at each retry step. A codeword that has failed so far is one of the
    worst at the next read, too: the probability that all reads up to one fail is the least of theirs.
    """
    table = ns.code_table(f"ldpc_{SUBPAGE_BYTES}_{parity_bytes}")
    failing = [1.0]
    for step in range(MOST_STEPS):
        rber = errors * cells().rber(page, months=months(), layer=layer, retry_step=step)
        for levels in range(1, MOST_LEVELS + 1):
            failing.append(min(failing[-1], float(table.frame_error_rate(rber, levels))))
    return failing


class Effort(NamedTuple):
    """Reads, and the array time of all of them in tR: one with k sensing levels takes k."""

    reads: float
    senses: float


def effort_until_all(subpages: Sequence[tuple[int, int]], errors: float = 1) -> Effort:
    """What it takes until all subpages are decoded, given as layers and parity bytes, the mean over pages.

    They lie in the same page of their wordlines and are read together; the worst of them decides.
    """
    efforts = []
    for page in range(PAGES_OF_WORDLINE):
        each = (still_failing(layer, page, parity_bytes, errors) for layer, parity_bytes in subpages)
        needed = [max(chances) for chances in zip_longest(*each, fillvalue=0.0)]
        efforts.append(Effort(sum(needed), sum(chance * (n % MOST_LEVELS + 1) for n, chance in enumerate(needed))))
    return _mean(efforts)


def _mean(efforts: Iterable[Effort]) -> Effort:
    return Effort(*(mean(values) for values in zip(*efforts, strict=True)))


def reads_of_layer(layer: int) -> float:
    """Of a subpage with parity of its own."""
    return effort_until_all([(layer, PARITY_BYTES)]).reads


def reads_of_weak_subpage(borrowed_bytes: int, errors: float = 1) -> float:
    """Of L4 of a fullpage, with so much parity besides, the mean over the weakest layers."""
    weakest = layer_groups()[-1] * QUARTER
    parity_bytes = PARITY_BYTES + borrowed_bytes
    return mean(effort_until_all([(weakest + k, parity_bytes)], errors).reads for k in range(QUARTER))


def reads_at_lower_error_rates() -> float:
    """Of the same with parity of its own, where errors are fewer by as much as borrowed parity bears more of them."""
    return reads_of_weak_subpage(0, _rate_borne(0) / _rate_borne(borrowed_bytes()))


def effort_of_fullpage() -> Effort:
    """Over four layers, the mean over their places in the quarters."""
    borrowed = borrowed_bytes()
    parity = [PARITY_BYTES, PARITY_BYTES, PARITY_BYTES - borrowed, PARITY_BYTES + borrowed]
    return _mean(
        effort_until_all([(group * QUARTER + k, own) for group, own in zip(layer_groups(), parity, strict=True)])
        for k in range(QUARTER)
    )


def effort_in_one_page() -> Effort:
    """Of a fullpage in one page, the mean over the layers; its codewords have about as many errors as each other."""
    return _mean(effort_until_all([(layer, PARITY_BYTES)]) for layer in range(LAYERS))


def error_rates_borne() -> float:
    """Of codewords that borrow parity over those that lend it."""
    return _rate_borne(borrowed_bytes()) / _rate_borne(-borrowed_bytes())


def _rate_borne(borrowed_bytes: int) -> float:
    """At which one codeword in a hundred fails at a plain read."""
    return float(ns.code_table(f"ldpc_{SUBPAGE_BYTES}_{PARITY_BYTES + borrowed_bytes}").rber_at(1e-2))


def borrowed_bytes() -> int:
    return cells().config["controller.fullpages.borrowed_parity_bytes"]
