# SPDX-License-Identifier: Apache-2.0
"""The option with which the user permits the loading of libraries that a saved result or a checkpoint names."""

from __future__ import annotations

import argparse


def add_permission(parser: argparse.ArgumentParser) -> None:
    """Adds the option --allow-plugins to the parser of a command."""
    parser.add_argument(
        "--allow-plugins",
        action="store_true",
        help="load libraries named by a saved result or a checkpoint (ecc.plugin); their code has your permissions",
    )
