# SPDX-License-Identifier: Apache-2.0
"""The permission to load libraries that a saved result or a checkpoint names."""

from __future__ import annotations

import argparse


def add_permission(parser: argparse.ArgumentParser) -> None:
    """Adds --allow-plugins."""
    parser.add_argument(
        "--allow-plugins",
        action="store_true",
        help="load the libraries that a saved result or a checkpoint names (ecc.plugin): their code runs as yours",
    )
