# SPDX-License-Identifier: Apache-2.0
"""The permission to load libraries that a saved result or a checkpoint names."""

from __future__ import annotations

import argparse


def add_permission(parser: argparse.ArgumentParser) -> None:
    """Adds --allow-plugins."""
    parser.add_argument(
        "--allow-plugins",
        action="store_true",
        help="load libraries named by a saved result or a checkpoint (ecc.plugin); their code has your permissions",
    )
