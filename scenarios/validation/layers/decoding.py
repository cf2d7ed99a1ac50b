# SPDX-License-Identifier: Apache-2.0
"""Closed forms for reads of subpages. Each layer is represented by its median wordline."""

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
# Section II-B, Figure 2(b): numbers of reads until subpages of layers A, B and C are decoded, for data that are 15 days
# old.
READS_OF_LAYERS = (1, 4, 6)


@cache
def cells() -> ns.Cells:
    return ns.Cells(drive(ASSUMED.changes))


@cache
def page_error_rate(layer: int, page: int) -> float:
    """Returns the raw bit error rate of a page in a read with one sensing level."""
    return cells().rber(page, layer=layer)


def error_rate(layer: int) -> float:
    """Returns the mean raw bit error rate of reads with one sensing level, over the pages of a wordline."""
    return mean(page_error_rate(layer, page) for page in range(PAGES_OF_WORDLINE))


def error_rate_of_quarter(quarter: int) -> float:
    return mean(error_rate(layer) for layer in layers_of(quarter))


def layers_of(quarter: int) -> range:
    return range(quarter * QUARTER, (quarter + 1) * QUARTER)


@cache
def layers_by_strength() -> tuple[int, ...]:
    """Returns the layers in order of their error rates, lowest first."""
    return tuple(sorted(range(LAYERS), key=error_rate))


@cache
def quarters_by_strength() -> tuple[int, ...]:
    return tuple(sorted(range(4), key=error_rate_of_quarter))


@cache
def layer_groups() -> list[int]:
    """Returns the quarter of the layers in which each of the subpages L1 to L4 of a fullpage is stored.

    As in section III-B, L1 and L2 are stored in the second and third strongest quarters, and L3 in the strongest
    quarter. L4 is stored in the weakest quarter and borrows parity from the page of L3. In the study, layers 12 to 23
    are the strongest; in our cell model, errors increase towards layer 0.
    """
    strongest, second, third, weakest = quarters_by_strength()
    return [second, third, strongest, weakest]


class Subpage(NamedTuple):
    """A subpage of a layer. `borrowed` is 1 if the subpage borrows parity, -1 if it lends parity, and 0 otherwise."""

    layer: int
    borrowed: int = 0


@cache
def still_failing(decoder: Decoder, subpage: Subpage, page: int) -> list[float]:
    """Returns, for each n from 0 on, the probability that the first n reads of a subpage all fail.

    Each read has one sensing level more than the previous read. A codeword that fails in one read is also among the
    worst in the next read. Therefore, the probability that all reads fail is the smallest of their failure
    probabilities.
    """
    rber = page_error_rate(subpage.layer, page)
    failing = [1.0]
    for levels in range(1, MOST_LEVELS + 1):
        failing.append(min(failing[-1], decoder.failure(rber, levels, subpage.borrowed)))
    return failing


class Effort(NamedTuple):
    """The mean number of reads, their mean sensing time, and the mean square of the sensing time. A read with k sensing
    levels takes k tR.
    """

    reads: float
    sense_us: float
    square_us2: float


def effort_until_all(decoder: Decoder, subpages: Sequence[Subpage]) -> Effort:
    """Returns the effort until all subpages are decoded, averaged over the pages of a wordline.

    The subpages lie in pages of the same type. They are read together, and their failures are independent.
    """
    efforts = []
    for page, t_read_us in enumerate(T_READ_US):
        each = (still_failing(decoder, subpage, page) for subpage in subpages)
        needed = [1 - prod(1 - chance for chance in chances) for chances in zip(*each, strict=True)]
        # The first n reads together take n (n + 1) / 2 tR: 1, 3, 6 and so on.
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
    """Returns the mean number of reads until a subpage that neither borrows nor lends parity is decoded."""
    return effort_until_all(decoder, [Subpage(layer)]).reads


def reads_of_weak_subpage(decoder: Decoder, borrowed: int) -> float:
    """Returns the mean number of reads until subpage L4 of a fullpage is decoded, over the layers of the weakest
    quarter.
    """
    weakest = layers_of(quarters_by_strength()[-1])
    return _mean(effort_until_all(decoder, [Subpage(layer, borrowed)]) for layer in weakest).reads


@cache
def effort_of_fullpage(decoder: Decoder) -> Effort:
    """Returns the effort to read a fullpage that spans four layers, averaged over its possible layers in the
    quarters.
    """
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
    """Returns the effort to read a fullpage that is stored in one page, averaged over the layers."""
    return _mean(effort_until_all(decoder, [Subpage(layer)] * SUBPAGES) for layer in range(LAYERS))


def sensed_less(decoder: Decoder) -> float:
    """Returns the share of the sensing time that is saved if a fullpage spans four layers and is not stored in one
    page.
    """
    return 1 - effort_of_fullpage(decoder).sense_us / effort_in_one_page(decoder).sense_us


def latency_less(decoder: Decoder, fullpage_percent: float, busy: float) -> float:
    """Returns the share of the mean read latency that placement over four layers saves, if `fullpage_percent` of the
    reads are reads of fullpages.

    Reads arrive at random at the dies, which are M/G/1 queues. `busy` is the share of time for which the dies are busy
    with reads without placement. Programs yield to reads. Placement does not change the time of a read on the bus and
    in the decoder.
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
    """Returns the time in µs for which a page occupies the bus, at one byte per transfer, plus its decoding time."""
    config = drive(ASSUMED.changes)
    page_bytes = PAGE_BYTES + SUBPAGES * PARITY_BYTES
    return page_bytes / config["channel.rate_mt_s"] + config["ecc.t_decode_us"]
