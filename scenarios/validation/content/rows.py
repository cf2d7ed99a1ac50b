# SPDX-License-Identifier: Apache-2.0
"""The compared figures of sections III to V of Sha et al., and experiments on the assumptions behind our results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from comparison.published import Mean, Published
from comparison.rows import Row
from content.gains import ALIKE, SEGMENTS, BySegments, Experiments, Gains
from nandscape import content

PUBLISHED = Published(__file__)
TABLES = 0.1  # relative tolerance for the values of Tables II and III
KINDS = ("write", "read")


@dataclass(frozen=True)
class Results:
    """The results of all runs. `gains` holds the gains of each seed. `by_segments` holds, for each seed, the gains by
    number of counted segments. `mean_cdber` is the mean CDBER at the default ISPP step, divided by the highest CDBER
    that the code corrects."""

    gains: Sequence[Mapping[str, Gains]]
    by_segments: Sequence[BySegments]
    experiments: Experiments
    mean_cdber: float

    def over_seeds(self, kind: str, figure: Callable[[Gains], float]) -> Mean:
        return Mean.of([figure(gains[kind]) for gains in self.gains])


def tables() -> list[Row]:
    """Returns the rows of Tables II and III."""
    speeds, codes = content.write_speeds(), content.segment_codes()
    rows = []
    for name, table in (("table_ii", speeds), ("table_iii", codes)):
        for page in ("msb", "lsb"):
            key, ours = f"{name}_{page}", table.most_weak_cells(page)[1:].tolist()
            off = _furthest(ours, key)
            rows.append(PUBLISHED.row(key, ours, within=off <= TABLES, off=100 * off, tables=100 * TABLES))
    program_us = speeds.program_us.tolist()
    return [
        *rows,
        PUBLISHED.row("program_us", program_us, within=_furthest(program_us, "program_us") <= 0.01),
        PUBLISHED.row("decode_us", codes.decode_us.tolist()),
    ]


def _furthest(ours: Sequence[float], key: str) -> float:
    """Returns the largest relative difference between our figures and the published ones."""
    return max(abs(a / b - 1) for a, b in zip(ours, PUBLISHED.paper(key), strict=True))


def rows(results: Results) -> list[Row]:
    """Returns the rows of the figures that `device.py` calculates."""
    return [*_gains(results), *_segments(results), *_motivation(results)]


def _gains(results: Results) -> list[Row]:
    def of_kind(kind: str) -> dict[str, Mean]:
        """Returns the figures of writes or of reads, by their keys in the table of published figures."""
        pages = ("lsb", "msb", "both")
        by_page = {f"{kind}_{page}": results.over_seeds(kind, lambda g, p=page: g.by_page[p]) for page in pages}
        return by_page | {
            f"{kind}_optimal": results.over_seeds(kind, lambda g: g.optimal),
            f"{kind}_mapped": results.over_seeds(kind, lambda g: g.mapped_by_share),
        }

    most_used = np.argsort(np.mean([g["read"].used for g in results.gains], axis=0))[-2:]
    levels = results.over_seeds("write", lambda g: 100 * float(g.used[1:5].sum()))
    codes = sorted(2 ** int(code) for code in most_used)
    return PUBLISHED.rows(of_kind("write") | {"levels_s2_to_s5": levels} | of_kind("read") | {"most_used_codes": codes})


def _segments(results: Results) -> list[Row]:
    gain = np.mean([b.gain for b in results.by_segments], axis=0)
    codes = np.mean([b.codes for b in results.by_segments], axis=0)
    heavy = 100 * codes[:, :2].sum(axis=1)  # pages encoded with codes of one or two segments
    rising = bool(np.all(np.diff(heavy[3:]) > 0))
    return [
        PUBLISHED.row("best_segments", SEGMENTS[int(np.argmax(gain))]),
        PUBLISHED.row("lightest_codes", float(codes[:, 4:].sum())),
        PUBLISHED.row("heavier_codes", heavy[3:].tolist(), within=rising),
    ]


def _motivation(results: Results) -> list[Row]:
    speeds = content.write_speeds()
    (_, _), _, (left_01, _), (left_00, _) = speeds.errors(0)
    worst = [speeds.correctable_ber, left_00, left_01]
    return [
        PUBLISHED.row("order_of_figure_3", worst, within=worst == sorted(worst, reverse=True)),
        PUBLISHED.row("margin", results.mean_cdber),
    ]


def experiment_rows(results: Results) -> list[Row]:
    """Returns the rows of the experiments on our assumptions. There are no published figures for them, so we set the
    limits.
    """
    done = results.experiments
    plain = results.gains[0]
    mapped, by_share = (
        {kind: mean(getattr(g[kind], figure) for g in results.gains) for kind in KINDS}
        for figure in ("mapped", "mapped_by_share")
    )
    alike = {kind: gains.mapped_by_share for kind, gains in done.alike_pages.items()}
    words = {"spread": 100 * ALIKE.of_pages, "segments": 100 * ALIKE.of_segments}
    return [
        PUBLISHED.row(key, ours, limits=limits, **words)
        for key, ours, limits in (
            ("printed_table_1", done.printed_table_1["write"].by_page["lsb"], (None, plain["write"].by_page["lsb"])),
            ("read_slower_bus", done.slower_bus["read"].by_page["both"], (None, plain["read"].by_page["both"])),
            ("read_mapped_alike", alike["read"], (None, by_share["read"] / 2)),
            ("write_mapped_alike", alike["write"], (None, by_share["write"] / 2)),
            ("write_optimal_fine", done.fine_steps, (plain["write"].optimal, None)),
            *((f"{kind}_best_mapping", mapped[kind], (by_share[kind], None)) for kind in KINDS),
            ("read_own_segments", done.own_segments, (0, None)),
        )
    ]
