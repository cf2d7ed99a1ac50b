# SPDX-License-Identifier: Apache-2.0
"""nandscape: a virtual prototype of a NAND SSD, from the threshold voltage of a cell to an NVMe completion.

>>> import nandscape as ns
>>> cfg = ns.load("bare", {"nand.timing.t_prog_us": 900})
>>> result = ns.run(cfg, workload=ns.synthetic(read_percent=70, requests=10_000))
>>> result.stats["host"]["read"]["latency_us"]["p99"]
"""

from typing import TYPE_CHECKING, Any

from nandscape import _core, data, policies, retention_relaxation
from nandscape._core import __version__
from nandscape.ceilings import Ceilings, ceilings
from nandscape.config import Config, load
from nandscape.errors import (
    BusyError,
    ConfigError,
    ConfigWarning,
    Error,
    InputError,
    ProtocolError,
    RequestError,
    SaturationWarning,
    TransientWarning,
)
from nandscape.given_requests import requests
from nandscape.importing import Imported, import_fio, import_mqsim
from nandscape.read_timing import ReadTimingTable, read_timing_table
from nandscape.result import Result
from nandscape.simulation import Command, Simulation, run, steady_state
from nandscape.workload import profile, profile_figures, synthetic, trace, volume

if TYPE_CHECKING:
    from nandscape import content, pictures
    from nandscape.blocks import Blocks
    from nandscape.cells import Cells
    from nandscape.drive_life import Endurance, endurance
    from nandscape.ecc import Code, CodeTable, code_table, codes, sensed_llr, tolerable_rber, uber
    from nandscape.exploration.confidence import Comparison, compare
    from nandscape.exploration.exploring import Exploration, explore
    from nandscape.exploration.frame import Sweep
    from nandscape.exploration.sweeping import SweepInterrupted, sweep
    from nandscape.guest import Guest, GuestError
    from nandscape.listings import Parameter, Statistic, parameters, presets, statistics
    from nandscape.nbd.server import NbdServer, serve
    from nandscape.reporting.page import report
    from nandscape.trace_requirements import RetentionRequirements, retention_requirements

if data.installed_presets.is_dir():
    _core.set_preset_folder(str(data.installed_presets))
    _core.set_cell_set_folder(str(data.installed_cell_sets))
    _core.set_code_table_folder(str(data.installed_code_tables))
    _core.set_read_timing_table_folder(str(data.installed_read_timing_tables))
    _core.set_workload_profile_folder(str(data.installed_profiles))

# The modules of these names are imported on first use, because they need packages that are optional or slow to import,
# such as NumPy.
_LATER_MODULES = ("content", "pictures")
_LATER = {
    "Blocks": "blocks",
    "Cells": "cells",
    "Code": "ecc",
    "CodeTable": "ecc",
    "Comparison": "exploration.confidence",
    "Endurance": "drive_life",
    "Exploration": "exploration.exploring",
    "Parameter": "listings",
    "NbdServer": "nbd.server",
    "Guest": "guest",
    "GuestError": "guest",
    "RetentionRequirements": "trace_requirements",
    "Statistic": "listings",
    "Sweep": "exploration.frame",
    "SweepInterrupted": "exploration.sweeping",
    "code_table": "ecc",
    "codes": "ecc",
    "compare": "exploration.confidence",
    "endurance": "drive_life",
    "explore": "exploration.exploring",
    "parameters": "listings",
    "presets": "listings",
    "report": "reporting.page",
    "retention_requirements": "trace_requirements",
    "sensed_llr": "ecc",
    "statistics": "listings",
    "serve": "nbd.server",
    "sweep": "exploration.sweeping",
    "tolerable_rber": "ecc",
    "uber": "ecc",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _LATER_MODULES:
        return import_module(f"nandscape.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'nandscape' has no attribute {name!r}")
    return getattr(import_module(f"nandscape.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_LATER_MODULES})


__all__ = [
    "Blocks",
    "BusyError",
    "Ceilings",
    "Cells",
    "Code",
    "CodeTable",
    "Command",
    "Comparison",
    "Config",
    "ConfigError",
    "ConfigWarning",
    "Endurance",
    "Error",
    "Exploration",
    "Guest",
    "GuestError",
    "Imported",
    "InputError",
    "NbdServer",
    "Parameter",
    "ProtocolError",
    "ReadTimingTable",
    "RequestError",
    "Result",
    "RetentionRequirements",
    "SaturationWarning",
    "Simulation",
    "Statistic",
    "Sweep",
    "SweepInterrupted",
    "TransientWarning",
    "__version__",
    "ceilings",
    "code_table",
    "codes",
    "compare",
    "content",
    "endurance",
    "explore",
    "import_fio",
    "import_mqsim",
    "load",
    "parameters",
    "pictures",
    "policies",
    "presets",
    "profile",
    "profile_figures",
    "read_timing_table",
    "report",
    "requests",
    "retention_relaxation",
    "retention_requirements",
    "run",
    "sensed_llr",
    "serve",
    "statistics",
    "steady_state",
    "sweep",
    "synthetic",
    "tolerable_rber",
    "trace",
    "uber",
    "volume",
]
