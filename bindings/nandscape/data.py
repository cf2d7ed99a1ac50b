# SPDX-License-Identifier: Apache-2.0
"""Paths of files that come with nandscape. They are inside the package if it is installed, and in the source tree if
nandscape runs from there."""

from pathlib import Path

_package = Path(__file__).parent
_sources = _package.parent.parent

installed_presets = _package / "presets"
installed_cell_sets = _package / "cells"
installed_code_tables = _package / "codes"
installed_read_timing_tables = _package / "read_timing"
installed_profiles = _package / "profiles"
guest_folder = _sources / "build" / "guest"


def bundled_trace() -> Path:
    """Returns the path of the trace that comes with nandscape. It contains the block requests of a PostgreSQL server
    that runs the benchmark pgbench."""
    name = Path("traces", "pgbench.csv.zst")
    installed = _package / name
    return installed if installed.exists() else _sources / "scenarios" / name
