# SPDX-License-Identifier: Apache-2.0
"""Converts MQSim's host and host interface."""

from __future__ import annotations

from nandscape.importing.elements import Element
from nandscape.importing.imported import Imported

# The rate of one lane for each generation of PCI Express, without packet headers.
LANE_GB_S = {1: 0.25, 2: 0.5, 3: 0.985, 4: 1.969, 5: 3.938}
CLOSE = 0.02
MOST_DRIVER_ENTRIES = 16384


def set_host(imported: Imported, host: Element, device: Element) -> None:
    """Sets the keys of the PCI Express link and of the NVMe queues."""
    interface = device.take("HostInterface_Type")
    if interface.choice({"NVME": False, "SATA": True}):
        raise interface.error("there is no SATA drive here; only NVME can be imported")
    lane = host.take("PCIe_Lane_Bandwidth")
    wanted = lane.number()
    generation = min(LANE_GB_S, key=lambda number: abs(LANE_GB_S[number] - wanted))
    if abs(LANE_GB_S[generation] - wanted) > CLOSE * wanted:
        nearest = f"{LANE_GB_S[generation]:g} GB/s"
        imported.remarks.append(
            lane.remark(f"{wanted:g} GB/s is not a PCI Express rate; generation {generation} has {nearest}")
        )
    imported.values["host.link.generation"] = generation
    imported.values["host.link.lanes"] = host.take("PCIe_Lane_Count").whole()
    imported.remarks += [
        element.remark("no counterpart") for element in host.left() if element.name != "SATA_Processing_Delay"
    ]
    depth = device.take("IO_Queue_Depth").whole()
    imported.values["host.nvme.queue_entries"] = depth
    imported.values["host.driver.queue_entries"] = min(depth, MOST_DRIVER_ENTRIES)
