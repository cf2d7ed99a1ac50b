# SPDX-License-Identifier: Apache-2.0
"""`nandscape content`: counts cell states in files, page by page, and reports how fast to write and read the pages."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nandscape import content
from nandscape.cli.number_types import real
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import print_figures
from nandscape.content.files import FileContent, tables
from nandscape.errors import InputError
from nandscape.files import check_outputs, replacing
from nandscape.progress import BytesBar

MOST_PAGE_BYTES = 65536

EXAMPLES = """
nandscape content database.db mail.mbox
nandscape content --wordlines --page-bytes 16384 disk.img --plot states.png
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `content` with its arguments to the parser."""
    parser = add_command(
        commands,
        "content",
        "count cell states in files, and tell how fast their pages could be written and read",
        EXAMPLES,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="files of any size; - is the standard input")
    parser.add_argument(
        "--page-bytes",
        metavar="N",
        type=_page_bytes,
        default=4096,
        help="page size, a multiple of 4096 (default: 4096)",
    )
    parser.add_argument(
        "--wordlines",
        action="store_true",
        help="two successive pages share their cells, as on a drive; without it two neighbouring bits of a page share "
        "a cell, as in the paper",
    )
    parser.add_argument(
        "--pe", metavar="N", type=real(0, 1e6), default=15000, help="program/erase cycles (default: 15000)"
    )
    parser.add_argument(
        "--months", metavar="N", type=real(0, 1200), default=12, help="retention months at 30 °C (default: 12)"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to FILE")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the states over the pages as a picture")
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=print_content)


def print_content(options: argparse.Namespace) -> None:
    """Runs `nandscape content` with the parsed arguments."""
    check_outputs(options.json, options.plot)
    _check_files(options.files)

    looked_up = tables(options.page_bytes, wordlines=options.wordlines, pe_cycles=options.pe, months=options.months)
    counted = {}
    with BytesBar(_sizes(options.files), shown=not options.no_progress) as bar:
        for name in options.files:
            of_file = FileContent(options.page_bytes, *looked_up, paired=options.wordlines)
            bar.begin(name)
            with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
                of_file.read(file, bar.advance)
            if of_file.wordlines == 0:
                raise InputError(
                    f"{name}: {of_file.bytes_left_over} bytes are less than {of_file.wordline_bytes}, "
                    f"{'the two pages of a wordline' if options.wordlines else 'a page'}"
                )
            counted[name] = of_file
    entries = {name: of_file.to_dict() for name, of_file in counted.items()}
    _print({_shown(name): entry for name, entry in entries.items()})
    if options.json:
        with replacing(options.json) as temporary:
            temporary.write_text(json.dumps(_document(options, entries), indent=2) + "\n", encoding="utf-8")
        print(f"{options.json} written.")
    if options.plot:
        from nandscape import pictures

        shares = {_shown(name): of_file.shares_by_page for name, of_file in counted.items()}
        pictures.save(pictures.state_shares(shares), options.plot)
        print(f"{options.plot} written.")


def _check_files(names: Sequence[str]) -> None:
    for name in names:
        if os.path.isdir(name):
            raise InputError(f"{name}: is a folder; name its files, as in {os.path.join(name, '*')}")
        if name != "-" and not os.path.exists(name):
            raise FileNotFoundError(f"{name}: there is no such file")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError(f"{min(twice)}: named twice")


def _sizes(names: Sequence[str]) -> int | None:
    """Returns the total size of the files in bytes, or None if one of them is not a regular file."""
    if not all(os.path.isfile(name) for name in names):
        return None
    return sum(os.path.getsize(name) for name in names)


def _shown(name: str) -> str:
    """Returns the name of a file on one line, with unprintable characters replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)


def _document(options: argparse.Namespace, entries: dict[str, Any]) -> dict[str, Any]:
    return {
        "page_bytes": options.page_bytes,
        "cells": "wordlines" if options.wordlines else "neighbouring bits",
        "pe_cycles": options.pe,
        "months": options.months,
        "files": entries,
    }


def _print(entries: dict[str, Any]) -> None:
    rows = [
        [name, f"{entry['pages']:,}"]
        + [f"{100 * state['mean']:.1f} ± {100 * state['deviation']:.1f}" for state in entry["states"].values()]
        for name, entry in entries.items()
    ]
    print("Cells by state, in percent: mean of the pages ± standard deviation")
    print_figures(["file", "pages", *content.STATES], rows)
    for title, by, time, unit in (
        ("Pages by the largest ISPP step that they tolerate, in percent", "pages_by_step_mv", "program_us", "mV"),
        ("Pages by the number of segments they can have, in percent", "pages_by_segments", "decode_us", ""),
    ):
        first = next(iter(entries.values()))["plain"]
        columns = ["file", "states", *(f"{name} {unit}".strip() for name in first[by])]
        columns.append("program (µs)" if time == "program_us" else "decode a segment (µs)")
        rows = [
            [name, how, *(f"{100 * share:.1f}" for share in entry[how][by].values()), f"{entry[how][time]:.1f}"]
            for name, entry in entries.items()
            for how in ("plain", "mapped")
        ]
        print(f"\n{title}")
        print_figures(columns, rows, keys=2)


def _page_bytes(text: str) -> int:
    if not text.isdecimal() or int(text) % 4096 or not 4096 <= int(text) <= MOST_PAGE_BYTES:
        raise argparse.ArgumentTypeError(f"a page has a multiple of 4096 bytes, up to {MOST_PAGE_BYTES}, not {text}")
    return int(text)
