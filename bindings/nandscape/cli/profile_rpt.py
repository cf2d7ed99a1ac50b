# SPDX-License-Identifier: Apache-2.0
"""`nandscape profile-rpt`: profiles cells for adaptive read-retry and writes a read-timing parameter table."""

from __future__ import annotations

import argparse
import os
import shlex
import textwrap
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import nandscape as ns
from nandscape import _core
from nandscape.cli import configuration
from nandscape.cli.number_types import real, several, whole
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import print_figures
from nandscape.files import check_folders, replacing
from nandscape.progress import StepBar

MOST_CYCLES = 1_000_000
MOST_MONTHS = 1200
WHOLE_PHASE = 255  # the whole tPRE in the units of reductions, which are 1/255 of tPRE

EXAMPLES = """
nandscape profile-rpt
nandscape profile-rpt bare --pe 0,3000 --retention-months 0,6,12
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `profile-rpt` with its arguments to the parser."""
    parser = add_command(
        commands,
        "profile-rpt",
        "profile how far tPRE may be shortened, for adaptive read-retry",
        EXAMPLES,
    )
    configuration.add_arguments(parser, optional=True)
    parser.add_argument(
        "--pe",
        metavar="N,N,...",
        type=several(whole(0, MOST_CYCLES)),
        default=[0, 1000, 2000],
        help="program/erase cycles, the rows of the table (default: 0,1000,2000)",
    )
    parser.add_argument(
        "--retention-months",
        metavar="N,N,...",
        type=several(real(0, MOST_MONTHS)),
        default=[0, 3, 6, 9, 12],
        help="months at 30 °C, the columns of the table (default: 0,3,6,9,12)",
    )
    parser.add_argument(
        "--margin",
        metavar="ERRORS",
        type=whole(0),
        default=14,
        help="correctable errors of a codeword that the final step must leave unused (default: 14)",
    )
    parser.add_argument(
        "--correctable",
        metavar="ERRORS",
        type=whole(1),
        help="errors that the ECC corrects in a codeword (default: those of the configured code)",
    )
    parser.add_argument(
        "--pages",
        metavar="N",
        type=whole(1),
        default=10_000_000,
        help="number of pages; the worst of them must keep the margin (default: 10000000)",
    )
    parser.add_argument(
        "--blocks", metavar="N", type=whole(1), default=64, help="simulated blocks to profile (default: 64)"
    )
    parser.add_argument(
        "--temperature",
        metavar="C",
        type=real(-273, 1000),
        default=85.0,
        help="temperature of the reads in °C (default: 85)",
    )
    parser.add_argument(
        "--parts", metavar="N", type=whole(2), default=15, help="shorten tPRE in steps of 1/N (default: 15)"
    )
    parser.add_argument(
        "--output", metavar="FILE", type=Path, help="write the table to FILE (default: the cell set's name.yaml)"
    )
    parser.add_argument(
        "--threads",
        metavar="N",
        type=whole(1),
        default=os.cpu_count() or 1,
        help="threads to use (default: all cores)",
    )
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=profile, config="bare")


def profile(options: argparse.Namespace) -> None:
    """Profiles the cells, writes the table to the output file and prints it. The contents of the file do not depend on
    the number of threads."""
    config = configuration.chosen(options)
    output = options.output or Path(f"{Path(config['nand.cells.set']).stem}.yaml")
    check_folders(output)
    if options.correctable is None:
        options.correctable = _core.guaranteed_correctable(config._core)
    goal = _core.ReadTimingGoal(options.correctable, options.margin, options.pages, options.temperature, options.parts)
    study = _core.ReadTimingStudy(config._core, goal, options.blocks)

    reductions = _profile(study, options)
    with replacing(output) as temporary:
        temporary.write_text(_file_text(options, config, study.sampled_pages, reductions), encoding="utf-8")
    _print(ns.read_timing_table(output), config["nand.cells.set"])
    print(f"{output} written.")


def _profile(study: _core.ReadTimingStudy, options: argparse.Namespace) -> list[list[int]]:
    """Computes the reductions of tPRE for all P/E cycles and ages, row by row."""
    conditions = list(product(options.pe, options.retention_months))
    with StepBar(len(conditions), shown=not options.no_progress) as bar, ThreadPoolExecutor(options.threads) as pool:
        found = pool.map(lambda condition: study.precharge_reduction(*condition), conditions)
        reductions = []
        try:
            for cycles, months in conditions:
                bar.step(f"{cycles} P/E cycles, {months:g} months")
                reductions.append(next(found))
        except KeyboardInterrupt:
            study.call_off()
            raise
    columns = len(options.retention_months)
    return [reductions[first : first + columns] for first in range(0, len(reductions), columns)]


def _file_text(options: argparse.Namespace, config: ns.Config, sampled: int, reductions: list[list[int]]) -> str:
    cycles, months = _list(options.pe), _list(options.retention_months)
    made_with = {
        "pe": cycles,
        "retention-months": months,
        "margin": options.margin,
        "correctable": options.correctable,
        "pages": options.pages,
        "blocks": options.blocks,
        "temperature": f"{options.temperature:g}",
        "parts": options.parts,
    }
    command = ["nandscape", "profile-rpt", options.config]
    command += [f"--set={assignment}" for assignment in options.overrides]
    command += [f"--{name}={value}" for name, value in made_with.items()]
    cells, timing = config["nand.cells.set"], config["nand.timing"]
    about = (
        f"With these reductions the worst of {options.pages:,} pages, read at {options.temperature:g} C, leaves "
        f"{options.margin} of the {options.correctable} errors that the ECC corrects in a codeword. Profiled on "
        f"{sampled:,} pages of {options.blocks} simulated blocks, coding {config['nand.coding']}, tPRE "
        f"{timing['t_pre_us']:g} us, tEVAL {timing['t_eval_us']:g} us, tDISCH {timing['t_disch_us']:g} us, seed "
        f"{config['simulation.seed']}, by nandscape {ns.__version__}:"
    )
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f"# How far tPRE may be shortened in the steps of a read-retry of {cells}.",
        "#",
        *_comment(about),
        "#",
        *_comment(shlex.join(command)),
        f"pe_cycles: [{', '.join(cycles.split(','))}]",
        f"retention_months: [{', '.join(months.split(','))}]  # at 30 C",
        "# In 255ths of tPRE: a row for each number of P/E cycles, a column for each age.",
        "precharge_reduction:",
        *(f"  - [{', '.join(f'{reduction:3}' for reduction in row)}]" for row in reductions),
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, 117, break_long_words=False, break_on_hyphens=False)]


def _list(numbers: list[Any]) -> str:
    return ",".join(f"{number:.12g}" for number in numbers)


def _print(table: ns.ReadTimingTable, cells: str) -> None:
    rows = [
        [f"{cycles:g}", *(f"{100 * int(reduction) / WHOLE_PHASE:.1f}" for reduction in reductions)]
        for cycles, reductions in zip(table.pe_cycles, table.grid, strict=True)
    ]
    print(f"{cells}: reduction of tPRE in the steps of a read-retry, in percent")
    print_figures(["P/E cycles", *(f"{months:g} months" for months in table.retention_months)], rows)
