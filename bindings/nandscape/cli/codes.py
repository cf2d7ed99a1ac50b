# SPDX-License-Identifier: Apache-2.0
"""`nandscape codes`: lists error-correcting codes and the raw bit error rates that they tolerate."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import nandscape as ns
from nandscape import _core
from nandscape.cli.parsers import add_command
from nandscape.cli.reference import add_json, print_list

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UBER = 1e-16  # the UBER that JESD218 requires of enterprise drives


def add_commands(commands: Any) -> None:
    """Adds the subcommand `codes` with its arguments to the parser."""
    parser = add_command(
        commands,
        "codes",
        "list error-correcting codes and the raw bit error rates they tolerate",
        "nandscape codes\nnandscape run default --set ecc.codec=ldpc_4096_512 --set ecc.decoder=table",
    )
    add_json(parser)
    parser.set_defaults(command=print_codes)


def print_codes(options: argparse.Namespace) -> None:
    """Prints the codes of `nandscape.codes`: their numbers of bits per codeword and payload, and the raw bit error
    rates at which hard reads can be decoded.

    The RBER at an UBER is printed with its 95 % bounds, the bounds of the UBER at that RBER, and the decades over which
    the UBER is extrapolated."""
    columns = (
        "code",
        "rate",
        "n",
        "k",
        "t",
        "levels measured",
        "RBER at FER 1e-2",
        f"RBER at UBER {UBER:.0e}",
        "RBER bounds",
        "UBER bounds",
        "decades extrapolated",
    )
    measured = {name for name, _ in _core.list_code_tables()}
    print_list(columns, [_row(ns.Code(name), name in measured) for name in ns.codes()], options.json)


def _row(code: ns.Code, measured: bool) -> tuple[str, ...]:
    t = "" if code.correctable_bits is None else str(code.correctable_bits)
    bits = (f"{code.rate:.3f}", str(code.codeword_bits), str(8 * code.payload_bytes), t)
    if not measured:
        return (code.name, *bits, "none", *[""] * 5)
    table = ns.code_table(code.name)
    rber = table.rber_at_uber(UBER)
    decades = float(table.extrapolated_decades(rber))
    rates = (
        f"{table.rber_at(1e-2):.2e}",
        f"{rber:.2e}",
        _between(*table.rber_bounds_at_uber(UBER)),
        _between(*table.uber_bounds(rber)),
        f"{decades:.1f}" if decades else "none",
    )
    return (code.name, *bits, ",".join(map(str, table.levels)), *rates)


def _between(low: NDArray[np.float64], high: NDArray[np.float64]) -> str:
    return f"{low:.2e} to {high:.2e}"
