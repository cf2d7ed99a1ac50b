# SPDX-License-Identifier: Apache-2.0
"""`nandscape compare`: prints by how much two runs, or two groups of runs, differ."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from nandscape import Error, differences, key_figures, unknown
from nandscape.cli.parsers import add_command
from nandscape.cli.saved import loaded
from nandscape.cli.tables import print_figures, print_rows
from nandscape.exploration.points import SEED
from nandscape.key_figures import KeyFigure
from nandscape.result import Result

Sides = tuple[Sequence[Result], Sequence[Result]]

DESCRIPTION = """\
Compares two saved runs, or the runs of two drives with several seeds each: the
keys that differ, and the key figures of both with their difference. With
several seeds the figures are means, and a difference is real if its confidence
interval excludes 0. Runs of the same seeds are compared in pairs.
"""
EXAMPLES = """
nandscape compare before.npz after.npz
nandscape compare before-?.npz --with after-?.npz      # several seeds each
nandscape compare before.npz after.npz --metric host.iops --metric ecc
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `compare` with its arguments to the parser."""
    parser = add_command(
        commands, "compare", "compare saved runs and tell whether their differences are chance", EXAMPLES,
        description=DESCRIPTION,
    )  # fmt: skip
    parser.add_argument("runs", metavar="RUN", nargs="+", help="results saved by `nandscape run`, .npz or .json")
    parser.add_argument(
        "--with", dest="others", metavar="RUN", nargs="+", default=[], help="results of the other drive"
    )
    parser.add_argument(
        "--metric", metavar="NAME", action="append", help="a statistic, or a group of them (default: key figures)"
    )
    parser.add_argument(
        "--level", metavar="SHARE", type=float, default=0.95, help="confidence level, between 0 and 1 (default: 0.95)"
    )
    parser.set_defaults(command=compare)


def compare(options: argparse.Namespace) -> None:
    """Runs `nandscape compare` with the parsed arguments."""
    from nandscape.exploration.confidence import check_level

    if not options.others and len(options.runs) != 2:
        raise Error(f"two runs are compared, not {len(options.runs)}; for groups, name the second after --with")
    try:
        check_level(options.level)
    except ValueError as error:
        raise Error(f"--level: {error}") from None
    files = [options.runs, options.others] if options.others else [options.runs[:1], options.runs[1:]]
    results = loaded([*files[0], *files[1]])
    names = list(results)
    a, b = names[: len(files[0])], names[len(files[0]) :]
    sides = ([results[name] for name in a], [results[name] for name in b])
    for words, side in zip(("the first drive", "the other drive"), sides, strict=True):
        _check_one_drive(words, side)
    single = len(a) == len(b) == 1
    heads = (a[0], b[0]) if single else ("first", "other")
    figures = _chosen(options.metric, [result.stats for side in sides for result in side])
    several = min(len(a), len(b)) > 1
    rows, footer = _intervals(sides, figures, options.level) if several else _differences(sides, figures)
    _print_keys(heads, sides)
    print_figures(["", *heads, *(("difference", "real") if several else ("difference", "relative"))], rows)
    print(f"\n{footer}")
    if reasons := _reasons(sides, figures):
        print(f"{unknown.DASH} is not known: {'; '.join(reasons)}.")


def _differences(sides: Sides, figures: Sequence[KeyFigure]) -> tuple[list[list[str]], str]:
    """Returns the rows of a table without confidence intervals, and the line below the table."""
    rows = [_row(figure, sides) for figure in figures]
    return rows, "Use several seeds of each drive to tell whether a difference is chance; see --with."


def _reasons(sides: Sides, figures: Sequence[KeyFigure]) -> list[str]:
    """Returns lines that say how many samples the unknown figures need."""
    missing = [figure.name for figure in figures if _is_unknown(figure, sides)]
    return list(dict.fromkeys(filter(None, map(unknown.needs, missing))))


def _is_unknown(figure: KeyFigure, sides: Sides) -> bool:
    """Returns whether the figure is unknown in any run."""
    return any(math.isnan(figure.of_result(result)) for side in sides for result in side)


def _check_one_drive(words: str, side: Sequence[Result]) -> None:
    """Raises `Error` if the runs of one side differ in anything but their seeds."""
    different = differences.differing(differences.values_by_key([result.config for result in side]))
    others = [key for key in different if key != SEED]
    if others:
        first, second = list(dict.fromkeys(map(differences.shown, different[others[0]])))[:2]
        raise Error(f"runs of {words} differ in {others[0]} ({first}, {second}); they may differ only in their seeds")


def _print_keys(heads: tuple[str, str], sides: Sides) -> None:
    table = differences.differing(differences.values_by_key([side[0].config for side in sides]))
    rows = [[key, *map(differences.shown, values)] for key, values in table.items() if key != SEED]
    if rows:
        print_rows(["key", *heads], rows)
    else:
        print("The configurations differ only in the seed." if table else "The configurations are the same.")
    print()


def _chosen(metrics: Sequence[str] | None, statistics: list[Any]) -> list[KeyFigure]:
    from nandscape.exploration.metrics import check_names, flat

    if metrics is None:
        return key_figures.shown(statistics)
    check_names({name: name for name in metrics}, statistics)
    names = dict.fromkeys(name for tree in statistics for name, _ in flat(tree))
    return [
        KeyFigure("", name, name, ",.6g")
        for metric in metrics
        for name in names
        if name == metric or name.startswith(f"{metric}.")
    ]


def _row(figure: KeyFigure, sides: Sides) -> list[str]:
    a, b = (fmean(map(figure.of_result, side)) for side in sides)
    difference = figure.text(b - a)
    if b > a:
        difference = f"+{difference}"
    return [figure.title, *_texts(figure, sides), difference, _relative(b - a, a)]


def _texts(figure: KeyFigure, sides: Sides) -> list[str]:
    return [figure.text_of([result.stats for result in side]) for side in sides]


def _relative(difference: float, a: float) -> str:
    return unknown.DASH if not a or math.isnan(difference) else f"{difference / abs(a):+.1%}"


def _intervals(sides: Sides, figures: Sequence[KeyFigure], level: float) -> tuple[list[list[str]], str]:
    """Returns the rows of a table with confidence intervals, from several seeds of each drive, and the line below the
    table."""
    from nandscape.exploration.confidence import compare as compared

    rows, paired = [], False
    for figure in figures:
        if _is_unknown(figure, sides):
            rows.append([figure.title, *_texts(figure, sides), unknown.DASH, unknown.DASH])
            continue
        try:
            found = compared(sides[0], sides[1], figure.of_result, level=level)
        except ValueError as error:
            raise Error(f"{figure.name}: {error}") from None
        paired = found.paired
        reach = (found.high - found.low) / 2
        change = _relative(found.difference, found.mean_a)
        if change != unknown.DASH:
            change += f" ± {reach / abs(found.mean_a):.1%}"
        rows.append([figure.title, *_texts(figure, sides), change, "yes" if found.real else "no"])
    pairs = "in pairs of the same seed" if paired else "not in pairs, since their seeds differ"
    return rows, f"Means of {len(sides[0])} and {len(sides[1])} runs, {pairs}; intervals at {level:.6g}."
