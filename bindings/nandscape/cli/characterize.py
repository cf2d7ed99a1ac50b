# SPDX-License-Identifier: Apache-2.0
"""`nandscape characterize-ecc`: measures the failure rate of a code, with its real decoder."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import nandscape as ns
from nandscape import _core
from nandscape.cli.number_types import real, several, whole
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import print_figures
from nandscape.files import check_outputs
from nandscape.progress import MeasurementBar

FRAME_ERROR_RATES = (1e-2, 1e-3, 1e-4, 1e-5)
SAVE_EVERY_S = 5

EXAMPLES = """
nandscape characterize-ecc bch_1024_72 --quick
nandscape characterize-ecc ldpc_4096_512 --levels 1,3 --plot failures.png
nandscape characterize-ecc ldpc_4096_512 --frame-error-rate 1e-6
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `characterize-ecc` with its arguments to the parser."""
    parser = add_command(commands, "characterize-ecc", "measure the failure rate of a code by its raw errors", EXAMPLES)
    parser.add_argument("code", metavar="CODE", help="a code, such as bch_1024_72 or ldpc_4096_512")
    parser.add_argument(
        "--levels",
        metavar="N,N,...",
        type=several(whole(1, 7)),
        default=list(range(1, 8)),
        help="numbers of sensing levels of a read, 1 to 7 (default: all); 1 is a hard read",
    )
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the table to FILE (default: CODE.yaml)")
    parser.add_argument(
        "--frame-error-rate",
        metavar="RATE",
        type=real(0, 1, ends=False),
        help="lowest frame error rate to measure (default: 1e-5)",
    )
    parser.add_argument(
        "--confidence",
        metavar="SHARE",
        type=real(0, 1, ends=False),
        help="relative standard error at that rate (default: 0.1)",
    )
    parser.add_argument(
        "--frames", metavar="N", type=whole(1), help="minimum frames for each number of errors (default: 128)"
    )
    parser.add_argument("--quick", action="store_true", help="measure down to 1e-3 within 0.3, with at least 32 frames")
    parser.add_argument("--seed", metavar="N", type=whole(1), default=1, help="seed of the random frames (default: 1)")
    parser.add_argument(
        "--threads", metavar="N", type=whole(1), default=os.cpu_count() or 1, help="threads to use (default: all cores)"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw frame error rates as a picture")
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(command=characterize)


def characterize(options: argparse.Namespace) -> None:
    """Runs `nandscape characterize-ecc` with the parsed arguments. On Ctrl-C, saves the measurements made so far and
    raises KeyboardInterrupt again."""
    output = options.output or Path(f"{options.code}.yaml")
    check_outputs(output, options.plot)

    rate = options.frame_error_rate or (1e-3 if options.quick else 1e-5)
    error = options.confidence or (0.3 if options.quick else 0.1)
    goal = _core.CharacterisationGoal(rate, error, options.frames or (32 if options.quick else 128))
    run = _core.CodeCharacterisation(options.code, str(output), options.seed, options.threads)
    levels = [1] if run.algebraic else options.levels
    if all(run.finished(level, goal) for level in levels):
        print(f"{output} is complete already.")
    else:
        _measure(run, levels, goal, rate, error, output, progress=not options.no_progress)
        print(f"{output} written.")
    table = ns.code_table(output)
    print_rates(table)
    if options.plot:
        from nandscape import pictures

        pictures.save(pictures.frame_error_rates([table]), options.plot)


def _measure(
    run: _core.CodeCharacterisation,
    levels: list[int],
    goal: _core.CharacterisationGoal,
    rate: float,
    error: float,
    output: Path,
    progress: bool,
) -> None:
    try:
        with MeasurementBar(shown=progress) as bar:
            saved = time.monotonic()
            for level in levels:
                while run.advance(level, goal):
                    # The progress is the share of the needed frames that have been measured. The relative error falls
                    # with the square root of the number of frames.
                    known = (error / max(error, run.relative_error(level, rate))) ** 2
                    bar.update(f"{level} sensing level{'s' * (level > 1)}", known, run.frames(level))
                    if time.monotonic() - saved > SAVE_EVERY_S:
                        run.save()
                        saved = time.monotonic()
    except KeyboardInterrupt:
        run.save()
        print(f"nandscape: {output} keeps the measurements; the same command goes on from them", file=sys.stderr)
        raise
    run.save()


def print_rates(table: ns.CodeTable) -> None:
    """Prints a table with one row for each number of sensing levels: the RBER at each frame error rate, and the
    iterations and the time of the decoder at the first of these rates."""
    code = ns.Code(table.code)
    rows = []
    for levels in table.levels:
        rbers = [_rber_at(table, rate, levels) for rate in FRAME_ERROR_RATES]
        at_first = ["-", "-"]
        if rbers[0]:
            iterations = float(table.mean_iterations_at(rbers[0], levels))
            at_first = [f"{iterations:.1f}", f"{decode_us(code, rbers[0], levels):,.0f}"]
        rows.append([str(levels), *(f"{rber:.3e}" if rber else "-" for rber in rbers), *at_first])
    if code.correctable_bits is not None:
        user_bits = 8 * code.payload_bytes
        closed = [
            _core.tolerable_rber(rate / user_bits, code.codeword_bits, user_bits, code.correctable_bits)
            for rate in FRAME_ERROR_RATES
        ]
        rows.append(["closed form", *(f"{rber:.3e}" for rber in closed), "", ""])
    print(f"{table.code}: raw bit error rate at each frame error rate")
    print_figures(["levels", *(f"{rate:.0e}" for rate in FRAME_ERROR_RATES), "iterations", "decode (µs)"], rows)
    print(f"Iterations and time are of one codeword at the rate {FRAME_ERROR_RATES[0]:.0e}, on this machine.")


def decode_us(code: ns.Code, rber: float, levels: int, codewords: int = 32) -> float:
    """Measures the mean time in microseconds to decode a codeword with random errors at the raw bit error rate
    `rber`."""
    random = np.random.default_rng(1)
    payload = random.integers(0, 256, (codewords, code.payload_bytes), dtype=np.uint8)
    bits = code.codeword(payload, code.encode(payload))
    if levels > 1:
        llr = ns.sensed_llr(bits, rber, levels)
        begin = time.perf_counter()
        code.decode_soft(llr)
    else:
        read = code.split(bits ^ (random.random(bits.shape) < rber))
        begin = time.perf_counter()
        code.decode(*read)
    return (time.perf_counter() - begin) / codewords * 1e6


def _rber_at(table: ns.CodeTable, rate: float, levels: int) -> float | None:
    try:
        return float(table.rber_at(rate, levels))
    except ValueError:
        return None  # the code was not measured down to this failure rate
