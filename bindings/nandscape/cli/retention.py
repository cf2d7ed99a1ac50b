# SPDX-License-Identifier: Apache-2.0
"""`nandscape retention`: reports how long the data of a trace must be retained, and what a drive can gain from shorter
retention."""

from __future__ import annotations

import argparse
import json
import re
import sys
from math import ceil, floor
from pathlib import Path
from typing import Any, TextIO

import nandscape as ns
from nandscape.cli.number_types import several, whole
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import figures, width_of
from nandscape.files import check_outputs, replacing
from nandscape.trace_requirements import SECTOR_BYTES, RetentionRequirements
from nandscape.units import hours

WEEK_S = 7 * 86400
WEEKS_OF_PERIODS = (1, 5)  # check periods, in weeks, of drives that guarantee a retention of 2 and 10 weeks
MOST_PERIODS = 10**12
UNITS_S = {"w": WEEK_S, "d": 86400, "h": 3600, "min": 60, "s": 1, "ms": 1e-3, "us": 1e-6}
UNITS_BYTES = {"": 1} | {
    f"{prefix}{infix}B": base ** (power + 1)
    for power, prefix in enumerate("KMGTP")
    for infix, base in (("i", 1 << 10), ("", 1000))
}
MARK_WORDS = {"1s": "1 s", "1min": "1 min", "1h": "1 h", "1d": "1 day", "1w": "1 week"}

DESCRIPTION = """\
Tells how long the data of a workload have to be kept. A written sector is
required until it is overwritten; for the last write of each sector that time is
not known. Prints the amounts that the trace writes, the shares of the written
sectors by the time they are required, and projections beyond the trace: a lower
bound of the share overwritten within a period, and an upper bound of the data
written again by a drive that guarantees a page for only two such periods.

Amounts: N counts each written sector, W counts each distinct sector once, A is
the capacity of the disk. Within the span of the trace 1 - W/N is overwritten;
within k spans at least that, and at least 1 - A/(k N) (Liu, Yang and Wu, FAST
2012, equations 13 to 18). Memory grows with W, not with the length of the
trace.
"""
EXAMPLES = """
nandscape retention volume.csv.gz --skip 7h      # leave out the first 7 hours
nandscape retention volume.csv.gz --capacity 66.3GiB --periods 1,5
nandscape retention blk.txt --format blkparse --plot required.png
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `retention` with its arguments to the parser."""
    parser = add_command(
        commands,
        "retention",
        "tell how long the data of a trace have to be kept",
        EXAMPLES,
        description=DESCRIPTION,
    )
    parser.add_argument("trace", metavar="TRACE", help="a trace, plain or compressed with gzip, xz or zstd")
    parser.add_argument(
        "--format", metavar="NAME", default="auto", help="format of its records (default: auto, found from its lines)"
    )
    parser.add_argument("--device", metavar="NAME", default="", help="only the records of this device (default: all)")
    parser.add_argument(
        "--skip", metavar="TIME", type=_time, default="0s", help="time to leave out at the beginning, such as 7h"
    )
    parser.add_argument(
        "--capacity",
        metavar="SIZE",
        type=_size,
        help="capacity of the disk, such as 66.3GiB; an address past it is an error (default: up to the highest "
        "address)",
    )
    parser.add_argument(
        "--periods",
        metavar="K,K,...",
        type=several(whole(1, MOST_PERIODS)),
        help="lengths of a period in spans of the trace (default: 1, and the numbers that reach 1 and 5 weeks)",
    )
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE, or - for stdout")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the share of the sectors over the time they are required"
    )
    parser.set_defaults(command=retention)


def retention(options: argparse.Namespace) -> None:
    """Runs `nandscape retention` with the parsed arguments. With `--json -`, the JSON is written to stdout and the
    tables are printed to stderr."""
    check_outputs(options.json, options.plot)
    trace = ns.trace(options.trace, format=options.format, device=options.device)
    required = ns.retention_requirements(trace, skip=options.skip, capacity_bytes=options.capacity)
    periods = (options.periods or _usual_periods(required)) if required.span_s > 0 else []
    if options.plot:
        from nandscape import pictures

        pictures.save(pictures.retention_requirements({Path(options.trace).name: required}), options.plot)
    if options.json:
        text = json.dumps(required.to_dict() | {"periods": _projected(required, periods)}, indent=2) + "\n"
        if options.json == "-":
            sys.stdout.write(text)
        else:
            with replacing(options.json) as temporary:
                temporary.write_text(text, encoding="utf-8")
    _print(required, periods, options, sys.stderr if options.json == "-" else sys.stdout)


def _usual_periods(required: RetentionRequirements) -> list[int]:
    return sorted({1, *(_spans_in(weeks * WEEK_S, required.span_s) for weeks in WEEKS_OF_PERIODS)})


def _spans_in(seconds: float, span_s: float) -> int:
    """Returns the number of spans that cover `seconds`. A one-week trace ends slightly early, at its last record, so
    spans that are up to 1 % short of `seconds` suffice."""
    spans = seconds / span_s
    whole = round(spans)
    return whole if 0 < whole <= spans <= 1.01 * whole else ceil(spans)


def _projected(required: RetentionRequirements, periods: list[int]) -> list[dict[str, float]]:
    return [
        {
            "periods": k,
            "period_s": k * required.span_s,
            "least_share_overwritten": required.least_share(k),
            "reprogramming_bytes_per_s": required.reprogramming_bytes_per_s(k),
            "extra_writes_per_year": required.extra_writes_per_year(k),
        }
        for k in periods
    ]


def _print(required: RetentionRequirements, periods: list[int], options: argparse.Namespace, file: TextIO) -> None:
    amounts = [
        ["written (N)", _bytes(required.written_bytes)],
        ["distinct (W)", _bytes(required.distinct_bytes)],
        ["capacity (A)" if options.capacity else "highest address (A)", _bytes(required.capacity_bytes)],
        ["span (T1)", _duration(required.span_s)],
        ["writes", f"{required.writes:,}"],
    ]
    shares = [[f"at most {MARK_WORDS[mark]}", _percent(share)] for mark, share in required.share_within.items()]
    shares.append(["not known", _percent(required.share_unknown)])
    width = width_of(file)
    tables = [figures(["amount", ""], amounts, width)]
    tables.append(figures(["required for", "of the written sectors"], shares, width))
    if periods:
        columns = ["period", "length", "overwritten within it", "written again", "extra writes of a cell"]
        projected = [
            [
                str(row["periods"]),
                _duration(row["period_s"]),
                f"at least {_percent(floor(1000 * row['least_share_overwritten']) / 1000)}",
                f"at most {_bytes(row['reprogramming_bytes_per_s'])}/s",
                f"at most {row['extra_writes_per_year']:,.1f} a year",
            ]
            for row in _projected(required, periods)
        ]
        tables.append(figures(columns, projected, width))
    print("\n\n".join(tables), file=file)
    if required.reordered:
        print(f"\n{required.reordered:,} records are earlier than a record before them.", file=file)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _bytes(amount: float) -> str:
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if amount >= UNITS_BYTES[unit]:
            return f"{amount / UNITS_BYTES[unit]:,.2f} {unit}"
    return f"{amount:,.0f} B"


def _duration(seconds: float) -> str:
    for unit, length in UNITS_S.items():
        if seconds >= length:
            return f"{seconds / length:,.3g} {unit}"
    return f"{seconds:g} s"


def _time(text: str) -> str:
    try:
        hours(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d{1,18}(?:\.\d{0,18})?)\s*([A-Za-z]*)", text.strip())
    if match is None or match[2] not in UNITS_BYTES:
        units = ", ".join(unit for unit in UNITS_BYTES if unit)
        raise argparse.ArgumentTypeError(f"'{text}' is not a size: give bytes, or a number and one of {units}")
    size = round(float(match[1]) * UNITS_BYTES[match[2]])
    if not SECTOR_BYTES <= size < 1 << 63:
        raise argparse.ArgumentTypeError(f"'{text}': a disk holds {SECTOR_BYTES} bytes to 8 EiB")
    return size
