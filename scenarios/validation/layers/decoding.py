# SPDX-License-Identifier: Apache-2.0
"""Closed forms for reads of subpages, for the median wordline of each layer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import prod
from statistics import mean
from typing import NamedTuple

import nandscape as ns
from layers.decoders import ASSUMED, Decoder
from layers.device import LAYERS, PAGE_BYTES, PARITY_BYTES, SUBPAGE_BYTES, T_READ_US, drive

PAGES_OF_WORDLINE = 3
SUBPAGES = PAGE_BYTES // SUBPAGE_BYTES
QUARTER = LAYERS // 4
MOST_LEVELS = 7
# Section II-B, Figure 2(b): reads until subpages of layers A, B and C are decoded, at 15 days.
READS_OF_LAYERS = (1, 4, 6)


@cache
def cells() -> ns.Cells:
    return ns.Cells(drive(ASSUMED.changes))


@cache
def page_error_rate(layer: int, page: int) -> float:
    """The raw bit error rate of a plain read."""
    return cells().rber(page, layer=layer)


def error_rate(layer: int) -> float:
    """The mean error rate of plain reads, over the pages of a wordline."""
    return mean(page_error_rate(layer, page) for page in range(PAGES_OF_WORDLINE))


def error_rate_of_quarter(quarter: int) -> float:
    return mean(error_rate(layer) for layer in layers_of(quarter))


def layers_of(quarter: int) -> range:
    return range(quarter * QUARTER, (quarter + 1) * QUARTER)


@cache
def layers_by_strength() -> tuple[int, ...]:
    """The layers, ordered from the fewest errors to the most."""
    return tuple(sorted(range(LAYERS), key=error_rate))


@cache
def quarters_by_strength() -> tuple[int, ...]:
    return tuple(sorted(range(4), key=error_rate_of_quarter))


@cache
def layer_groups() -> list[int]:
    """The quarter of the layers that holds each subpage of a fullpage.

    As in section III-B, L1 and L2 go to the second and third strongest quarters, and L3 goes to the strongest quarter.
    L4 goes to the weakest quarter and borrows parity from the page of L3. In the study the strongest layers are 12 to
    23; here errors grow towards layer 0.
    """
    strongest, second, third, weakest = quarters_by_strength()
    return [second, third, strongest, weakest]


class Subpage(NamedTuple):
    """A subpage that borrows parity (1), lends it (-1), or has its own (0)."""

    layer: int
    borrowed: int = 0


@cache
def still_failing(decoder: Decoder, subpage: Subpage, page: int) -> list[float]:
    """The probability that the first n reads of a subpage fail, for each n from 0 on.

    Each read has one more sensing level. A codeword that has failed so far is also among the worst in the next read, so
    the probability that all reads fail is the smallest of their failure probabilities.
    """
    rber = page_error_rate(subpage.layer, page)
    failing = [1.0]
    for levels in range(1, MOST_LEVELS + 1):
        failing.append(min(failing[-1], decoder.failure(rber, levels, subpage.borrowed)))
    return failing


class Effort(NamedTuple):
    """The number of reads, their sensing time and its mean square. A read with k sensing levels takes k tR."""

    reads: float
    sense_us: float
    square_us2: float


def effort_until_all(decoder: Decoder, subpages: Sequence[Subpage]) -> Effort:
    """The effort until all subpages are decoded, averaged over the pages of a wordline.

    The subpages lie in pages of the same type, are read together, and fail independently.
    """
    efforts = []
    for page, t_read_us in enumerate(T_READ_US):
        each = (still_failing(decoder, subpage, page) for subpage in subpages)
        needed = [1 - prod(1 - chance for chance in chances) for chances in zip(*each, strict=True)]
        # The first n reads take 1, 3, 6 ... tR.
        times_us = [t_read_us * n * (n + 1) / 2 for n in range(1, MOST_LEVELS + 1)]
        suffices = [needed[n] - needed[n + 1] for n in range(MOST_LEVELS - 1)] + [needed[MOST_LEVELS - 1]]
        efforts.append(
            Effort(
                sum(needed[:MOST_LEVELS]),
                sum(chance * time for chance, time in zip(suffices, times_us, strict=True)),
                sum(chance * time**2 for chance, time in zip(suffices, times_us, strict=True)),
            )
        )
    return _mean(efforts)


def _mean(efforts: Iterable[Effort]) -> Effort:
    return Effort(*(mean(values) for values in zip(*efforts, strict=True)))


def reads_of_layer(decoder: Decoder, layer: int) -> float:
    """The mean number of reads until a subpage with its own parity is decoded."""
    return effort_until_all(decoder, [Subpage(layer)]).reads


def reads_of_weak_subpage(decoder: Decoder, borrowed: int) -> float:
    """The number of reads until L4 of a fullpage is decoded, averaged over the layers of the weakest quarter."""
    weakest = layers_of(quarters_by_strength()[-1])
    return _mean(effort_until_all(decoder, [Subpage(layer, borrowed)]) for layer in weakest).reads


@cache
def effort_of_fullpage(decoder: Decoder) -> Effort:
    """The effort for a fullpage that spans four layers, averaged over its positions in the quarters."""
    parity = [0, 0, -1, 1]
    return _mean(
        effort_until_all(
            decoder,
            [Subpage(group * QUARTER + k, borrowed) for group, borrowed in zip(layer_groups(), parity, strict=True)],
        )
        for k in range(QUARTER)
    )


@cache
def effort_in_one_page(decoder: Decoder) -> Effort:
    """The effort for a fullpage that lies in one page, averaged over the layers."""
    return _mean(effort_until_all(decoder, [Subpage(layer)] * SUBPAGES) for layer in range(LAYERS))


def sensed_less(decoder: Decoder) -> float:
    """The share of its sensing time that a fullpage saves if it spans four layers instead of lying in one page."""
    return 1 - effort_of_fullpage(decoder).sense_us / effort_in_one_page(decoder).sense_us


def latency_less(decoder: Decoder, fullpage_percent: float, busy: float) -> float:
    """The share of the mean read latency that placement saves if `fullpage_percent` of the reads read fullpages.

    Reads arrive at random at dies that are busy with reads for the share `busy` of the time without placement (M/G/1
    queues). Programs yield to them. Placement does not change the time of a read on the bus and in the decoder.
    """
    whole, spread = effort_in_one_page(decoder), effort_of_fullpage(decoder)
    share = fullpage_percent / 100
    rate = busy / whole.sense_us

    def latency_us(share: float) -> float:
        mixed = Effort(*(share * part + (1 - share) * other for part, other in zip(spread, whole, strict=True)))
        queued_us = rate * mixed.square_us2 / (2 * (1 - rate * mixed.sense_us))
        return queued_us + mixed.sense_us + mixed.reads * delivery_us()

    return 1 - latency_us(share) / latency_us(0)


@cache
def delivery_us() -> float:
    """The time that a page takes on the bus, at one byte per transfer, and in the decoder."""
    config = drive(ASSUMED.changes)
    page_bytes = PAGE_BYTES + SUBPAGES * PARITY_BYTES
    return page_bytes / config["channel.rate_mt_s"] + config["ecc.t_decode_us"]
