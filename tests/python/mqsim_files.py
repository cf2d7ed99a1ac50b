# SPDX-License-Identifier: Apache-2.0
"""Writes ssdconfig.xml and workload.xml files as MQSim reads them, for tests of the import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

HOST = {"PCIe_Lane_Bandwidth": 0.985, "PCIe_Lane_Count": 4, "SATA_Processing_Delay": 400000}
DEVICE = {
    "Seed": 42,
    "Enabled_Preconditioning": "true",
    "Memory_Type": "FLASH",
    "HostInterface_Type": "NVME",
    "IO_Queue_Depth": 1024,
    "Queue_Fetch_Size": 64,
    "Caching_Mechanism": "ADVANCED",
    "Data_Cache_Capacity": 1 << 24,
    "Data_Cache_DRAM_Row_Size": 8192,
    "Data_Cache_DRAM_Data_Rate": 800,
    "Data_Cache_DRAM_Data_Busrt_Size": 4,
    "Data_Cache_DRAM_tRCD": 13,
    "Data_Cache_DRAM_tCL": 14,
    "Data_Cache_DRAM_tRP": 15,
    "Address_Mapping": "PAGE_LEVEL",
    "Ideal_Mapping_Table": "false",
    "CMT_Capacity": 1 << 20,
    "Plane_Allocation_Scheme": "CDWP",
    "Transaction_Scheduling_Policy": "PRIORITY_OUT_OF_ORDER",
    "Overprovisioning_Ratio": 0.2,
    "GC_Exec_Threshold": 0.05,
    "GC_Block_Selection_Policy": "GREEDY",
    "Use_Copyback_for_GC": "false",
    "Preemptible_GC_Enabled": "true",
    "GC_Hard_Threshold": 0.005,
    "Dynamic_Wearleveling_Enabled": "true",
    "Static_Wearleveling_Enabled": "true",
    "Static_Wearleveling_Threshold": 100,
    "Flash_Channel_Count": 2,
    "Flash_Channel_Width": 1,
    "Channel_Transfer_Rate": 500,
    "Chip_No_Per_Channel": 2,
    "Flash_Comm_Protocol": "NVDDR2",
}
FLASH = {
    "Flash_Technology": "TLC",
    "CMD_Suspension_Support": "ERASE",
    "Page_Read_Latency_LSB": 50000,
    "Page_Read_Latency_CSB": 60000,
    "Page_Read_Latency_MSB": 70000,
    "Page_Program_Latency_LSB": 600000,
    "Page_Program_Latency_CSB": 600000,
    "Page_Program_Latency_MSB": 600000,
    "Block_Erase_Latency": 3800000,
    "Block_PE_Cycles_Limit": 10000,
    "Suspend_Erase_Time": 70000,
    "Suspend_Program_Time": 10000,
    "Die_No_Per_Chip": 1,
    "Plane_No_Per_Die": 2,
    "Block_No_Per_Plane": 128,
    "Page_No_Per_Block": 64,
    "Page_Capacity": 8192,
    "Page_Metadat_Capacity": 448,
}
SYNTHETIC = {
    "Priority_Class": "HIGH",
    "Device_Level_Data_Caching_Mode": "WRITE_CACHE",
    "Channel_IDs": "0,1",
    "Chip_IDs": "0,1",
    "Die_IDs": "0",
    "Plane_IDs": "0,1",
    "Initial_Occupancy_Percentage": 70,
    "Working_Set_Percentage": 50,
    "Synthetic_Generator_Type": "QUEUE_DEPTH",
    "Read_Percentage": 60,
    "Address_Distribution": "RANDOM_HOTCOLD",
    "Percentage_of_Hot_Region": 20,
    "Generated_Aligned_Addresses": "true",
    "Address_Alignment_Unit": 16,
    "Request_Size_Distribution": "FIXED",
    "Average_Request_Size": 16,
    "Variance_Request_Size": 0,
    "Seed": 798,
    "Average_No_of_Reqs_in_Queue": 8,
    "Bandwidth": 0,
    "Stop_Time": 0,
    "Total_Requests_To_Generate": 400,
}


def _lines(elements: dict[str, Any]) -> str:
    return "".join(f"<{name}>{value}</{name}>\n" for name, value in elements.items() if value is not None)


def write_device(path: Path, **changes: Any) -> Path:
    """Writes an ssdconfig.xml with the given elements changed, on any level of the document. The value None removes an
    element.
    """
    host, device, flash = (
        {**part, **{k: v for k, v in changes.items() if k in part}} for part in (HOST, DEVICE, FLASH)
    )
    device |= {name: value for name, value in changes.items() if name not in {*HOST, *DEVICE, *FLASH}}
    path.write_text(
        "<Execution_Parameter_Set>\n"
        f"<Host_Parameter_Set>\n{_lines(host)}</Host_Parameter_Set>\n"
        f"<Device_Parameter_Set>\n{_lines(device)}"
        f"<Flash_Parameter_Set>\n{_lines(flash)}</Flash_Parameter_Set>\n"
        "</Device_Parameter_Set>\n</Execution_Parameter_Set>\n"
    )
    return path


def write_workload(path: Path, *scenarios: list[dict[str, Any]]) -> Path:
    """Writes a workload.xml. A flow with a File_Path replays a trace; every other flow is SYNTHETIC with the given
    elements changed.
    """
    text = ""
    for flows in scenarios:
        text += "<IO_Scenario>\n"
        for flow in flows:
            kind = "Trace_Based" if "File_Path" in flow else "Synthetic"
            elements = flow if "File_Path" in flow else SYNTHETIC | flow
            text += f"<IO_Flow_Parameter_Set_{kind}>\n{_lines(elements)}</IO_Flow_Parameter_Set_{kind}>\n"
        text += "</IO_Scenario>\n"
    path.write_text(f"<MQSim_IO_Scenarios>\n{text}</MQSim_IO_Scenarios>\n")
    return path
