# SPDX-License-Identifier: Apache-2.0
"""MQSim's flows. Each flow becomes a workload on a separate part of the drive."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any

from nandscape.config import load, raw_bytes
from nandscape.importing.elements import Element
from nandscape.importing.imported import Imported

SECTOR_BYTES = 512
MOST_IN_FLIGHT = 65535
REQUESTS = 10**12  # number of requests of a flow that only a time limit ends
PRIORITIES = {name.upper(): name for name in ("urgent", "high", "medium", "low")}
CACHES = {"TURNED_OFF": "none", "WRITE_CACHE": "write_back", "READ_CACHE": "read", "WRITE_READ_CACHE": "read_write"}
# Replay speeds that correct the times of a trace, which are read as nanoseconds.
SPEEDS = {"PICOSECOND": 1e3, "NANOSECOND": 1.0, "MICROSECOND": 1e-3}


def set_flows(imported: Imported, device: Element, flows: list[Element]) -> None:
    """Sets the workloads, and the keys of the drive that depend on the workloads."""
    converters = {
        "IO_Flow_Parameter_Set_Synthetic": _synthetic,
        "IO_Flow_Parameter_Set_Trace_Based": _trace,
    }
    for flow in flows:
        if flow.name not in converters:
            raise flow.error(f"expected one of {', '.join(converters)}")
        _require_whole_drive(imported, flow)
    part = _bytes_per_flow(imported, len(flows))
    workloads = []
    for k, flow in enumerate(flows):
        workload = {"name": f"flow{k}"} | converters[flow.name](imported, flow, k * part, part)
        if (priority := flow.find("Priority_Class")) is not None:
            workload["priority"] = priority.choice(PRIORITIES)
        workloads.append(workload)
    imported.values["host.workload"] = workloads
    _set_cache_mode(imported, flows)
    _set_occupancy(imported, device, flows, workloads)
    imported.remarks += [element.remark("no counterpart") for flow in flows for element in flow.left()]


def set_without_flows(imported: Imported, device: Element) -> None:
    """Sets the keys of the drive that depend on flows to values for a drive without flows."""
    imported.values["controller.cache.policy"] = "write_back"
    imported.remarks.append("flows choose the mode of the cache; without them it caches writes")
    enabled = device.take("Enabled_Preconditioning")
    if enabled.boolean():
        imported.values["controller.precondition.occupancy"] = 1
        imported.values["controller.precondition.distribution"] = "steady_state"
        imported.remarks.append(
            enabled.remark("flows choose the share of the drive that holds data; without them it is full")
        )


def _require_whole_drive(imported: Imported, flow: Element) -> None:
    """Raises `InputError` for a flow that may use only a part of the flash in MQSim."""
    parts = {
        "Channel_IDs": "channel.count",
        "Chip_IDs": "nand.geometry.chips_per_channel",
        "Die_IDs": "nand.geometry.dies_per_chip",
        "Plane_IDs": "nand.geometry.planes_per_die",
    }
    for name, key in parts.items():
        ids = flow.find(name)
        if ids is None:
            continue
        given = {text.strip() for text in ids.text.split(",")}
        if given != {str(number) for number in range(imported.values[key])}:
            count = imported.values[key]
            raise ids.error(
                f"flows cannot be confined to a part of the flash here; the drive has {count}, name all of them"
            )


def _bytes_per_flow(imported: Imported, flows: int) -> int:
    """Returns the number of bytes of the drive that each flow uses. MQSim divides the drive equally among flows that
    may use all of the flash. Here each part is rounded down to whole pages."""
    config = load(imported.preset, imported.values)
    exported = Fraction(raw_bytes(config)) / (1 + Fraction(config["controller.mapping.over_provisioning"]))
    page = config["nand.geometry.page_bytes"]
    return int(exported / flows) // page * page


def _synthetic(imported: Imported, flow: Element, start: int, part: int) -> dict[str, Any]:
    workload: dict[str, Any] = {"kind": "synthetic", "read_percent": flow.take("Read_Percentage").whole()}
    sizes = flow.take("Request_Size_Distribution")
    if sizes.choice({"FIXED": False, "NORMAL": True}):
        raise sizes.error(
            "sizes of a normal distribution have no counterpart; write FIXED, and set block_mix afterwards"
        )
    flow.find("Variance_Request_Size")
    average = flow.take("Average_Request_Size")
    sectors = average.whole()
    if sectors == 0:
        raise average.error("expected a size in sectors that is not 0")
    workload["block_bytes"] = sectors * SECTOR_BYTES
    workload |= _addresses(flow)
    share = flow.take("Working_Set_Percentage").whole()
    page = imported.values["nand.geometry.page_bytes"]
    workload["footprint_start_bytes"] = start
    workload["footprint_bytes"] = part * (share if 1 <= share <= 100 else 100) // 100 // page * page
    return workload | _arrivals(imported, flow, sectors)


def _addresses(flow: Element) -> dict[str, Any]:
    pattern = flow.take("Address_Distribution").choice(
        {"STREAMING": "sequential", "RANDOM_UNIFORM": "uniform", "RANDOM_HOTCOLD": "hot_cold"}
    )
    addresses: dict[str, Any] = {"pattern": pattern}
    flow.find("Percentage_of_Hot_Region")
    if pattern == "hot_cold":
        # In MQSim, this percentage is the size of the hot region, and also the share of the requests that go to the
        # cold region.
        percent = flow.take("Percentage_of_Hot_Region").whole()
        addresses |= {"hot_space_percent": percent, "hot_access_percent": 100 - percent}
    unit = flow.find("Address_Alignment_Unit")
    aligned = flow.find("Generated_Aligned_Addresses")
    sectors = unit.whole() if unit is not None and aligned is not None and aligned.boolean() else 1
    return addresses | {"alignment_bytes": max(sectors, 1) * SECTOR_BYTES}


def _arrivals(imported: Imported, flow: Element, sectors: int) -> dict[str, Any]:
    by_rate = flow.take("Synthetic_Generator_Type").choice({"QUEUE_DEPTH": False, "BANDWIDTH": True})
    flow.find("Seed")
    in_queue, bandwidth = flow.find("Average_No_of_Reqs_in_Queue"), flow.find("Bandwidth")
    flow.find("Intensity")  # MQSim's own examples set this parameter, but it has no effect
    stop, total = flow.find("Stop_Time"), flow.find("Total_Requests_To_Generate")
    stop_ns = stop.whole() if stop is not None else 0
    requests = total.whole() if total is not None else 0
    arrivals: dict[str, Any] = {"pacing": "open" if by_rate else "closed"}
    if by_rate:
        given = bandwidth if bandwidth is not None else flow.take("Bandwidth")
        rate = given.whole() // SECTOR_BYTES // sectors
        if rate == 0:
            raise given.error("expected bytes per second for at least one request per second")
        arrivals |= {"arrival": "poisson", "rate_iops": rate, "queue_depth": MOST_IN_FLIGHT}
    else:
        depth = in_queue if in_queue is not None else flow.take("Average_No_of_Reqs_in_Queue")
        arrivals["queue_depth"] = depth.whole()
    if stop is not None and stop_ns > 0:
        if by_rate:
            requests = max(1, stop_ns * arrivals["rate_iops"] // 10**9)
            imported.remarks.append(stop.remark(f"the flow makes {requests} requests, the mean number in that time"))
        else:
            requests = requests or REQUESTS
            arrivals["duration_ms"] = stop_ns / 1e6
    arrivals["requests"] = max(1, requests)
    return arrivals


def _trace(imported: Imported, flow: Element, start: int, part: int) -> dict[str, Any]:
    file = flow.take("File_Path")
    # MQSim opens the trace relative to its working directory, which is usually the folder of its XML files.
    beside = Path(flow.file).parent / file.text
    workload: dict[str, Any] = {
        "kind": "trace",
        "path": os.path.abspath(beside) if beside.exists() else file.text,
        "format": "ascii",
        "read_code": 1,
        "address_policy": "wrap",
    }
    executed = flow.find("Percentage_To_Be_Executed")
    repeats = flow.find("Relay_Count")
    workload["repeat"] = max(1, repeats.whole()) if repeats is not None else 1
    if executed is not None and executed.whole() < 100 and workload["repeat"] == 1:
        raise executed.error("a share of a trace has no counterpart; write 100, and set `limit: REQUESTS` afterwards")
    unit = flow.find("Time_Unit")
    workload["speed"] = unit.choice(SPEEDS) if unit is not None else 1.0
    if start != 0 or part < _bytes_per_flow(imported, 1):
        imported.remarks.append(file.remark("its addresses span the whole drive; in MQSim each flow has a part of it"))
    return workload


def _set_cache_mode(imported: Imported, flows: list[Element]) -> None:
    modes = [flow.find("Device_Level_Data_Caching_Mode") for flow in flows]
    given = [mode for mode in modes if mode is not None]
    policies = [mode.choice(CACHES) for mode in given]
    for mode, policy in zip(given, policies, strict=True):
        if policy != policies[0]:
            raise mode.error(f"a drive has one cache here; all flows must have the mode {given[0].text} of the first")
    policy = policies[0] if policies else "none"
    if policy == "none":
        for key in [key for key in imported.values if key.startswith(("controller.cache.", "controller.dram."))]:
            del imported.values[key]
    imported.values["controller.cache.policy"] = policy


def _set_occupancy(imported: Imported, device: Element, flows: list[Element], workloads: list[dict[str, Any]]) -> None:
    """Sets the share of the drive that holds data when the simulation starts."""
    enabled = device.take("Enabled_Preconditioning")
    occupancies = [flow.find("Initial_Occupancy_Percentage") for flow in flows]
    values = imported.values
    if enabled.boolean():
        percents = [occupancy.whole() for occupancy in occupancies if occupancy is not None]
        if percents:
            values["controller.precondition.occupancy"] = sum(percents) / len(percents) / 100
        values["controller.precondition.distribution"] = "steady_state"
        if len(set(percents)) > 1 and occupancies[0] is not None:
            imported.remarks.append(occupancies[0].remark("the mean over all flows is used for the whole drive"))
    elif any(workload.get("read_percent", 100) > 0 for workload in workloads):
        # MQSim accesses the flash even for reads of pages that were never written.
        values["controller.precondition.occupancy"] = 1
        values["controller.precondition.invalid_page_ratio"] = 0
        imported.remarks.append(
            enabled.remark("the drive is full at the start, since reads of unwritten data do not access flash here")
        )
