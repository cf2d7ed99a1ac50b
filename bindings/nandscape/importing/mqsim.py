# SPDX-License-Identifier: Apache-2.0
"""MQSim experiments [Tavakkol et al., FAST 2018]: ssdconfig.xml and workload.xml."""

from __future__ import annotations

import os

from nandscape.errors import InputError
from nandscape.importing.elements import Element, read_elements
from nandscape.importing.imported import Imported
from nandscape.importing.mqsim_device import set_device
from nandscape.importing.mqsim_flows import set_flows, set_without_flows
from nandscape.importing.mqsim_host import set_host

PRESET = "bare"  # like MQSim, this preset has no cell errors and no mapping units smaller than a page


def import_mqsim(
    device: str | os.PathLike[str], workload: str | os.PathLike[str] | None = None, *, scenario: int | None = None
) -> Imported:
    """Converts the drive of an ssdconfig.xml and, with a workload.xml, the flows of one of its scenarios.

    `scenario`: the number of the scenario, counted from 1. It may be left out if the file has only one scenario.

    Raises `InputError` for a file of any other kind and for a setting that has no counterpart and would change the
    experiment, `ConfigError` for a drive that cannot be built here, and OSError for a file that cannot be read.
    """
    root = read_elements(device, "Execution_Parameter_Set")
    sources = [os.path.basename(file) for file in (device, workload) if file is not None]
    imported = Imported(PRESET, [os.fsdecode(source) for source in sources])
    parameters = root.take("Device_Parameter_Set")
    set_host(imported, root.take("Host_Parameter_Set"), parameters)
    set_device(imported, parameters)
    if workload is not None:
        set_flows(imported, parameters, _flows(workload, scenario))
    elif scenario is not None:
        raise InputError("a scenario is given without a workload file")
    else:
        set_without_flows(imported, parameters)
    imported.config()
    return imported


def _flows(workload: str | os.PathLike[str], scenario: int | None) -> list[Element]:
    root = read_elements(workload, "MQSim_IO_Scenarios")
    scenarios = [child for child in root.children if child.name == "IO_Scenario"]
    if not scenarios:
        raise root.error("it has no <IO_Scenario>")
    if scenario is None:
        if len(scenarios) > 1:
            raise root.error(f"it has {len(scenarios)} scenarios, each a run of its own; choose one by number, from 1")
        scenario = 1
    if not 1 <= scenario <= len(scenarios):
        raise root.error(f"there is no scenario {scenario}; it has {len(scenarios)}")
    flows = scenarios[scenario - 1].children
    if not flows:
        raise scenarios[scenario - 1].error("it has no flow")
    return flows
