# SPDX-License-Identifier: Apache-2.0
"""The figures of sections III to V of Sha et al., and what they hang on.

Means over the traditional case are held to 4 points, further gains, which are smaller, to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np
from physics.rows import Row, exactly, limited, near
from physics.sha import LEVELS_FITTED, PULSES_FITTED
from shared.seeds import over_seeds

from content import published
from content.gains import ALIKE, BySegments, Experiments, Gains
from nandscape import content

POINTS = 4
FURTHER_POINTS = 3
TABLES = 0.1  # relative
SPREAD_FITTED = "the standard deviation of a state's share from page to page"
WORDS = {"lsb": "LSB pages only", "msb": "MSB pages only", "both": "both"}


@dataclass(frozen=True)
class Results:
    """By seed."""

    gains: Sequence[Gains]
    by_segments: Sequence[BySegments]
    experiments: Experiments
    mean_cdber: float  # of pages with the device's own step, over the correctable one


def tables() -> list[Row]:
    """Tables II and III."""
    speeds, codes = content.write_speeds(), content.segment_codes()
    rows = []
    for table, source in ((speeds, "Table II"), (codes, "Table III")):
        printed = published.WEAK_CELLS_BY_STEP if source == "Table II" else published.WEAK_CELLS_BY_CODE
        for page in ("msb", "lsb"):
            ours = table.most_weak_cells(page)[1:].tolist()
            off = max(abs(a / b - 1) for a, b in zip(ours, printed[page], strict=True))
            of = "01" if page == "msb" else "01 and 00"
            rows.append(
                Row(
                    f"content.{source.lower().replace(' ', '_')}_{page}",
                    f"most cells in {of} of an {page.upper()} page, {source}; within {100 * off:.1f} %",
                    ours,
                    list(printed[page]),
                    "cells",
                    f"±{100 * TABLES:g} % each",
                    off <= TABLES,
                    source,
                    fitted=LEVELS_FITTED,
                )
            )
    program_us = speeds.program_us.tolist()
    within = all(abs(a / b - 1) <= 0.01 for a, b in zip(program_us, published.PROGRAM_US, strict=True))
    return [
        *rows,
        Row(
            "content.program_us",
            "latency of programming, by step",
            program_us,
            list(published.PROGRAM_US),
            "µs",
            "±1 % each",
            within,
            "Table II",
            fitted=PULSES_FITTED,
        ),
        Row(
            "content.decode_us",
            "latency of decoding a segment, by code",
            codes.decode_us.tolist(),
            list(published.DECODE_US),
            "µs",
            "exact",
            tuple(codes.decode_us) == published.DECODE_US,
            "Table III",
            by_construction="decoding times are taken from Table III",
        ),
    ]


def rows(results: Results) -> list[Row]:
    """All but the tables."""
    return [*_writes(results), *_reads(results), *_segments(results), *_motivation(results)]


def _over_seeds(
    name: str,
    figure: str,
    values: Sequence[float],
    paper: float,
    source: str,
    *,
    points: float = POINTS,
    fitted: str = "",
) -> Row:
    ours, spread = over_seeds(lambda seed: values[seed], range(len(values)))
    return near(f"content.{name}", figure + spread, ours, paper, source, unit="%", absolute=points, fitted=fitted)


def _writes(results: Results) -> list[Row]:
    source = "section V-B1, Figure 10"
    return [
        *_of_latency("write", results, source, "section V-B4, Figure 14"),
        _over_seeds(
            "levels_s2_to_s5",
            "writes at levels S2 to S5",
            [100 * float(g.levels[1:5].sum()) for g in results.gains],
            published.S2_TO_S5,
            source,
            fitted=SPREAD_FITTED,
        ),
    ]


def _reads(results: Results) -> list[Row]:
    source = "section V-B2, Figure 11"
    most_used = np.argsort(np.mean([g.codes for g in results.gains], axis=0))[-2:]
    return [
        *_of_latency("read", results, source, "section V-B4, Figure 15"),
        exactly(
            "content.most_used_codes",
            "segments of the two codes that most pages have",
            sorted(2 ** int(code) for code in most_used),
            list(published.MOST_USED_CODES),
            source,
        ),
    ]


def _of_latency(kind: str, results: Results, source: str, source_of_mapping: str) -> list[Row]:
    """Of writes or reads: by pages, and further with the exact CDBER and with state mapping."""
    gains = results.gains
    paper = {"write": published.WRITE, "read": published.READ}[kind]
    return [
        *(
            _over_seeds(
                f"{kind}_{page}",
                f"{kind} latency less, {words}",
                [getattr(g, kind)[page] for g in gains],
                paper[page],
                source,
            )
            for page, words in WORDS.items()
        ),
        _over_seeds(
            f"{kind}_optimal",
            f"{kind} latency further less with the exact CDBER",
            [g.optimal[kind] for g in gains],
            published.OPTIMAL[kind],
            source,
            points=FURTHER_POINTS,
        ),
        _over_seeds(
            f"{kind}_mapped",
            f"{kind} latency further less with state mapping, rule of Figure 7",
            [g.mapped_by_share[kind] for g in gains],
            published.MAPPED[kind],
            source_of_mapping,
            points=FURTHER_POINTS,
        ),
    ]


def _segments(results: Results) -> list[Row]:
    gain = np.mean([b.gain for b in results.by_segments], axis=0)
    codes = np.mean([b.codes for b in results.by_segments], axis=0)
    source = "section V-B2, Figure 12"
    heavy = 100 * codes[:, :2].sum(axis=1)  # those of one or two segments
    return [
        exactly(
            "content.best_segments",
            "segments with the largest gain, of 1 to 32",
            published.SEGMENTS[int(np.argmax(gain))],
            published.BEST_SEGMENTS,
            source,
        ),
        exactly(
            "content.lightest_codes",
            "pages with one of the two lightest codes, whatever the number of segments",
            float(codes[:, 4:].sum()),
            0.0,
            source + ": not used",
            "%",
        ),
        Row(
            "content.heavier_codes",
            "pages with BCH of 29 or 55 errors, by 8, 16 and 32 segments",
            heavy[3:].tolist(),
            "more with the number of segments",
            "%",
            "rising",
            bool(np.all(np.diff(heavy[3:]) > 0)),
            source,
        ),
    ]


def _motivation(results: Results) -> list[Row]:
    speeds = content.write_speeds()
    (_, _), _, (left_01, _), (left_00, _) = speeds.errors(0)
    worst = [speeds.correctable_ber, left_00, left_01]
    return [
        Row(
            "content.order_of_figure_3",
            "correctable BER, worst CDBER of LSB and of MSB pages",
            worst,
            "descending",
            "",
            "order",
            worst == sorted(worst, reverse=True),
            "section IV-A2, Figure 3",
        ),
        limited(
            "content.margin",
            "mean CDBER of a page over the correctable BER",
            results.mean_cdber,
            "far below 1",
            (None, 0.5),
            "half of it",
            "section IV-A2, Figure 3",
        ),
    ]


def experiment_rows(results: Results) -> list[Row]:
    """What the figures hang on; limits are ours."""
    done = results.experiments
    plain = results.gains[0]
    printed, slower, alike = done.printed_table_1, done.slower_bus, done.alike_pages
    mapped = {kind: mean(g.mapped[kind] for g in results.gains) for kind in ("write", "read")}
    by_share = {kind: mean(g.mapped_by_share[kind] for g in results.gains) for kind in ("write", "read")}
    spread = f"{100 * ALIKE.of_pages:g} % from page to page, {100 * ALIKE.of_segments:g} % between segments"
    return [
        limited(
            "content.printed_table_1",
            "write latency less, LSB pages only, with Table I as printed",
            printed.write["lsb"],
            published.WRITE["lsb"],
            (None, plain.write["lsb"]),
            "with 11 and 00 exchanged it is more, and nearer",
            "Table I",
            unit="%",
        ),
        limited(
            "content.read_slower_bus",
            "read latency less, both, at 25 ns a byte",
            slower.read["both"],
            published.READ["both"],
            (None, plain.read["both"]),
            "gains shrink with the transfer",
            "section V-B2",
            unit="%",
        ),
        limited(
            "content.read_mapped_alike",
            f"read latency further less with state mapping, of pages that differ by {spread}",
            alike.mapped_by_share["read"],
            published.MAPPED["read"],
            (None, by_share["read"] / 2),
            "alike pages leave little to map",
            "section V-B4, Figure 15",
            unit="%",
        ),
        limited(
            "content.write_mapped_alike",
            "the same of writes",
            alike.mapped_by_share["write"],
            published.MAPPED["write"],
            (None, by_share["write"] / 2),
            "what leaves reads as they are leaves little for writes",
            "section V-B4, Figure 14",
            unit="%",
        ),
        limited(
            "content.write_optimal_fine",
            "write latency further less with the exact CDBER and steps by 20 mV",
            done.fine_steps,
            published.OPTIMAL["write"],
            (plain.optimal["write"], None),
            "the steps of Table II are among them",
            "section IV-B1: by a small step each time",
            unit="%",
        ),
        *(
            limited(
                f"content.{kind}_best_mapping",
                f"{kind} latency further less with the best of the 24 mappings",
                mapped[kind],
                published.MAPPED[kind],
                (by_share[kind], None),
                "the rule of Figure 7 is one of them",
                "not in the paper",
                unit="%",
            )
            for kind in ("write", "read")
        ),
        limited(
            "content.read_own_segments",
            "read latency further less where a code is judged by its own segments",
            done.own_segments,
            "",
            (0, None),
            "the worst of fewer segments is no worse",
            "not in the paper",
            unit="%",
        ),
    ]
