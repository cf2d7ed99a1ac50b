# SPDX-License-Identifier: Apache-2.0
"""Converts MQSim's drive: its flash, channels and controller."""

from __future__ import annotations

import math
from fractions import Fraction

from nandscape.importing.elements import Element
from nandscape.importing.imported import Imported

CODINGS = {"SLC": "slc", "MLC": "mlc_12", "TLC": "tlc_124"}
PAGE_TYPES = {"slc": ["LSB"], "mlc_12": ["LSB", "MSB"], "tlc_124": ["LSB", "CSB", "MSB"]}
INTERFACES = {533: "nv_ddr2", 1600: "nv_ddr3", 3600: "nv_ddr4"}  # interface of the flash, by its highest rate in MT/s
# MQSim begins to collect garbage when a plane has fewer free blocks than this, even if GC_Exec_Threshold asks for a
# smaller number. The value is MQSim's limit on simultaneous collections in a plane.
LEAST_START_FREE_BLOCKS = 10
SECTOR_BYTES = 512
LONGEST_ENTRY_BYTES = 8
NS_PER_US = 1000


def set_device(imported: Imported, device: Element) -> None:
    """Sets the keys for <Device_Parameter_Set>, except those of its host interface."""
    memory = device.take("Memory_Type")
    memory.choice({"FLASH": None})
    values = imported.values
    values["simulation.seed"] = device.take("Seed").whole()
    values["simulation.cells"] = "ideal"
    values["ecc.t_decode_us"] = 0
    imported.remarks.append("MQSim has no errors and no ECC: cells are ideal and decoding takes no time")
    flash = device.take("Flash_Parameter_Set")
    _set_geometry(imported, device, flash)
    _set_timing(imported, flash)
    _set_channels(imported, device)
    _set_suspension(imported, device, flash)
    _set_mapping(imported, device, flash)
    _set_collection(imported, device, flash)
    _set_cache(imported, device)
    _set_wear_levelling(imported, device)
    device.find("Enabled_Preconditioning")  # marked as used here, but its meaning depends on the flows
    values["controller.precondition.occupancy"] = 0
    values["controller.scheduler.policy"] = device.take("Transaction_Scheduling_Policy").choice(
        {"OUT_OF_ORDER": "out_of_order", "PRIORITY_OUT_OF_ORDER": "priority", "FLIN": "flin"}
    )
    imported.remarks += [element.remark("no counterpart") for element in device.left() + flash.left()]


def _set_geometry(imported: Imported, device: Element, flash: Element) -> None:
    values = imported.values
    values["channel.count"] = device.take("Flash_Channel_Count").whole()
    keys = {
        "dies_per_chip": "Die_No_Per_Chip",
        "planes_per_die": "Plane_No_Per_Die",
        "blocks_per_plane": "Block_No_Per_Plane",
        "pages_per_block": "Page_No_Per_Block",
        "page_bytes": "Page_Capacity",
        "spare_bytes": "Page_Metadat_Capacity",
    }
    values["nand.geometry.chips_per_channel"] = device.take("Chip_No_Per_Channel").whole()
    for key, name in keys.items():
        values[f"nand.geometry.{key}"] = flash.take(name).whole()


def _set_timing(imported: Imported, flash: Element) -> None:
    values = imported.values
    coding = flash.take("Flash_Technology").choice(CODINGS)
    page_types = PAGE_TYPES[coding]
    for name in ("LSB", "CSB", "MSB"):  # latencies of page types that these cells do not have are ignored
        flash.find(f"Page_Read_Latency_{name}")
        flash.find(f"Page_Program_Latency_{name}")
    values["nand.coding"] = coding
    values["nand.timing.read"] = "per_page_type"
    values["nand.timing.t_read_us"] = [
        flash.take(f"Page_Read_Latency_{name}").number() / NS_PER_US for name in page_types
    ]
    programs = [flash.take(f"Page_Program_Latency_{name}") for name in page_types]
    times_us = [program.number() / NS_PER_US for program in programs]
    values["nand.timing.program"] = "given"
    values["nand.timing.t_prog_us"] = sum(times_us) / len(times_us)
    if len(set(times_us)) > 1:
        imported.remarks.append(programs[0].remark("pages of all types take the mean program time"))
    values["nand.timing.t_bers_us"] = flash.take("Block_Erase_Latency").number() / NS_PER_US


def _set_channels(imported: Imported, device: Element) -> None:
    values = imported.values
    rate = device.take("Channel_Transfer_Rate")
    rate_mt_s = rate.whole()
    if rate_mt_s == 0:
        raise rate.error("expected a rate in MT/s that is not 0")
    device.take("Flash_Comm_Protocol").choice({"NVDDR2": None})
    interface = next((name for limit, name in INTERFACES.items() if rate_mt_s <= limit), "nv_ddr4")
    if interface != "nv_ddr2":
        imported.remarks.append(rate.remark(f"{rate_mt_s} MT/s is beyond NV-DDR2; the interface is {interface}"))
    # MQSim counts whole nanoseconds.
    transfer_ns = 1000 // rate_mt_s
    if transfer_ns * rate_mt_s != 1000:
        taken = f"{1000 / transfer_ns:.4g} MT/s" if transfer_ns else "no time at all"
        imported.remarks.append(rate.remark(f"used exactly; MQSim counts whole nanoseconds, which makes it {taken}"))
    values["channel.interface"] = interface
    values["channel.rate_mt_s"] = rate_mt_s
    values["channel.width_bits"] = 8 * device.take("Flash_Channel_Width").whole()
    values["channel.transfer_spare"] = False


def _set_suspension(imported: Imported, device: Element, flash: Element) -> None:
    values = imported.values
    mode = flash.take("CMD_Suspension_Support").choice(
        {"NONE": "none", "PROGRAM": "program", "ERASE": "erase", "PROGRAM_ERASE": "program_erase"}
    )
    values["controller.scheduler.suspend"] = mode
    erase, program = flash.take("Suspend_Erase_Time"), flash.take("Suspend_Program_Time")
    values["nand.timing.t_suspend_us"] = (program if mode == "program" else erase).number() / NS_PER_US
    values["nand.timing.t_resume_us"] = 0
    if mode == "program_erase" and program.number() != erase.number():
        imported.remarks.append(program.remark("suspending a program takes the time of suspending an erase"))


def _set_mapping(imported: Imported, device: Element, flash: Element) -> None:
    values = imported.values
    mapping = device.take("Address_Mapping")
    if mapping.choice({"PAGE_LEVEL": False, "HYBRID": True}):
        raise mapping.error("only PAGE_LEVEL can be imported; there is no hybrid mapping here")
    spare = device.take("Overprovisioning_Ratio")
    if spare.number() >= 1:
        raise spare.error("expected a share of the flash below 1")
    share = Fraction(str(spare.number()))
    # In MQSim, the value is a share of the flash. In nandscape, the key is a share of the exported capacity.
    values["controller.mapping.over_provisioning"] = float(share / (1 - share))
    values["controller.mapping.allocation"] = device.take("Plane_Allocation_Scheme").text.upper()
    values["controller.mapping.unit_bytes"] = 0
    _set_mapping_cache(imported, device, flash)


def _set_mapping_cache(imported: Imported, device: Element, flash: Element) -> None:
    values = imported.values
    capacity = device.take("CMT_Capacity").whole()
    if device.take("Ideal_Mapping_Table").boolean():
        values["controller.mapping.cache_bytes"] = 0  # 0 means that the whole mapping is in memory
        return
    values["controller.mapping.cache_bytes"] = capacity
    page = flash.take("Page_Capacity")
    shape = ("chips_per_channel", "dies_per_chip", "planes_per_die", "blocks_per_plane", "pages_per_block")
    pages = values["channel.count"] * math.prod(values[f"nand.geometry.{key}"] for key in shape)
    # An entry holds the address of a page, and one bit for each sector of the page.
    entry_bytes = math.ceil((math.log2(max(pages, 1)) + page.whole() // SECTOR_BYTES) / 8)
    values["controller.mapping.entry_bytes"] = max(1, min(entry_bytes, LONGEST_ENTRY_BYTES))
    if entry_bytes > LONGEST_ENTRY_BYTES:
        imported.remarks.append(page.remark(f"a mapping entry has {entry_bytes} bytes in MQSim, 8 here"))


def _set_collection(imported: Imported, device: Element, flash: Element) -> None:
    values = imported.values
    blocks = flash.take("Block_No_Per_Plane").whole()
    policy = device.take("GC_Block_Selection_Policy").choice(
        {
            "GREEDY": "greedy",
            "RGA": "d_choices",
            "RANDOM": "random",
            "RANDOM_P": "random_p",
            "RANDOM_PP": "random_pp",
            "FIFO": "fifo",
        }
    )
    values["controller.garbage_collection.policy"] = policy
    if policy == "d_choices":
        values["controller.garbage_collection.candidates"] = max(1, int(math.log2(max(blocks, 1))))
    threshold = device.take("GC_Exec_Threshold")
    if threshold.number() > 1:
        raise threshold.error("expected a share of a plane's blocks, at most 1")
    values["controller.garbage_collection.start_free_blocks"] = max(
        int(threshold.number() * blocks), LEAST_START_FREE_BLOCKS
    )
    values["controller.garbage_collection.preemptible"] = device.take("Preemptible_GC_Enabled").boolean()
    values["controller.garbage_collection.copyback"] = device.take("Use_Copyback_for_GC").boolean()


def _set_wear_levelling(imported: Imported, device: Element) -> None:
    values = imported.values
    dynamic, static = device.take("Dynamic_Wearleveling_Enabled"), device.take("Static_Wearleveling_Enabled")
    threshold = device.take("Static_Wearleveling_Threshold").whole()
    values["controller.wear_levelling.free_block"] = "least_worn" if dynamic.boolean() else "fifo"
    values["controller.wear_levelling.static_threshold"] = threshold if static.boolean() else 0
    # MQSim does not pass these three settings to its wear-levelling unit, which therefore runs with its defaults of
    # true, true and 100.
    if (dynamic.boolean(), static.boolean(), threshold) != (True, True, 100):
        imported.remarks.append(dynamic.remark("used as written; MQSim itself always levels with true, true and 100"))


def _set_cache(imported: Imported, device: Element) -> None:
    values = imported.values
    values["controller.cache.capacity_bytes"] = device.take("Data_Cache_Capacity").whole()
    values["controller.dram.row_bytes"] = device.take("Data_Cache_DRAM_Row_Size").whole()
    rate = device.take("Data_Cache_DRAM_Data_Rate")
    # In MQSim, two bursts of an access last as long as one transfer at this rate, so the rate here is twice as high.
    values["controller.dram.rate_mt_s"] = 2 * rate.whole()
    imported.remarks.append(
        rate.remark(f"used as {2 * rate.whole()} MT/s: MQSim moves two bursts in the time of a transfer")
    )
    values["controller.dram.bus_bits"] = 8 * device.take("Data_Cache_DRAM_Data_Busrt_Size").whole()
    for key, name in {"t_rcd_ns": "tRCD", "t_cl_ns": "tCL", "t_rp_ns": "tRP"}.items():
        values[f"controller.dram.{key}"] = device.take(f"Data_Cache_DRAM_{name}").number()
    values["controller.dram.t_rfc_ns"] = 0  # MQSim's DRAM is never refreshed
