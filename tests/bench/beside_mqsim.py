# SPDX-License-Identifier: Apache-2.0
"""Compares the simulation speed with that of MQSim (github.com/CMU-SAFARI/MQSim), which you build elsewhere.

Both simulate the drive of tests/fidelity/mqsim, which makes them do the same physical work: equal times of every part,
no ECC, no cache, no suspension. A rate is the number of requests between a short and a long run, divided by the
difference of their user times, so that starting up does not count. Runs of the two simulators alternate. Prints the
median of the ratios and their range.

    python tests/bench/beside_mqsim.py PATH_OF_MQSIM [--pairs 5]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import nandscape as ns

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "python"))
from mqsim_files import write_device, write_workload  # noqa: E402

DEVICE = {
    "PCIe_Lane_Bandwidth": 1.0,
    "Enabled_Preconditioning": "false",
    "IO_Queue_Depth": 65535,
    "Queue_Fetch_Size": 512,
    "Caching_Mechanism": "SIMPLE",
    "Ideal_Mapping_Table": "true",
    "Plane_Allocation_Scheme": "CWDP",
    "Transaction_Scheduling_Policy": "OUT_OF_ORDER",
    "Static_Wearleveling_Enabled": "false",
    "Preemptible_GC_Enabled": "false",
    "Flash_Channel_Count": 4,
    "Chip_No_Per_Channel": 4,
    "Channel_Transfer_Rate": 1000,
    "CMD_Suspension_Support": "NONE",
    "Page_Read_Latency_LSB": 78000,
    "Page_Read_Latency_CSB": 117000,
    "Page_Read_Latency_MSB": 78000,
    "Page_Program_Latency_LSB": 700000,
    "Page_Program_Latency_CSB": 700000,
    "Page_Program_Latency_MSB": 700000,
    "Block_Erase_Latency": 5000000,
    "Page_No_Per_Block": 576,
    "Page_Capacity": 16384,
}
FLOW = {
    "Device_Level_Data_Caching_Mode": "TURNED_OFF",
    "Channel_IDs": "0,1,2,3",
    "Chip_IDs": "0,1,2,3",
    "Initial_Occupancy_Percentage": 100,
    "Address_Distribution": "RANDOM_UNIFORM",
    "Address_Alignment_Unit": 32,
    "Average_Request_Size": 32,
    "Average_No_of_Reqs_in_Queue": 64,
}


class Load(NamedTuple):
    """A workload of uniformly random requests for pages of 16 KiB at queue depth 64, and the size of its drive."""

    name: str
    read_percent: int
    footprint_percent: int
    blocks_per_plane: int
    over_provisioning: float
    requests: tuple[int, int]  # of the short and of the long run


# MQSim fails an assertion of its own when it collects garbage on a full drive, so the random writes use a part of the
# drive. Both drives begin empty, and the short run overwrites this part twice.
LOADS = (
    Load("random reads", 100, 1, 1888, 0.07, (500_000, 4_500_000)),
    Load("70 % reads, 30 % writes", 70, 1, 1888, 0.07, (500_000, 3_500_000)),
    Load("random writes with collection", 0, 70, 64, 0.12, (1_500_000, 2_000_000)),
)


def user_seconds(command: list[str], folder: Path) -> float:
    """Runs the command and returns its user time."""
    with (folder / "output").open("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        last_lines = "".join(output.readlines()[-5:])
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}\n{last_lines}")
    return usage.ru_utime


def mqsim(program: Path, load: Load, folder: Path) -> Callable[[int], float]:
    """Returns a function that runs MQSim and returns its user time."""
    device = write_device(
        folder / "ssdconfig.xml",
        **DEVICE,
        Overprovisioning_Ratio=load.over_provisioning,
        Block_No_Per_Plane=load.blocks_per_plane,
        GC_Block_Selection_Policy="RGA",
    )

    def run(requests: int) -> float:
        changes = {
            "Read_Percentage": load.read_percent,
            "Working_Set_Percentage": load.footprint_percent,
            "Total_Requests_To_Generate": requests,
        }
        workload = write_workload(folder / "workload.xml", [FLOW | changes])
        return user_seconds([str(program), "-i", str(device), "-w", str(workload)], folder)

    return run


def nandscape(load: Load, folder: Path) -> Callable[[int], float]:
    """Returns a function that runs our simulator and returns its user time."""
    changes: dict[str, Any] = {
        "simulation.request_log": False,
        "controller.mapping.over_provisioning": load.over_provisioning,
        "nand.geometry.blocks_per_plane": load.blocks_per_plane,
        "host.workload.read_percent": load.read_percent,
        "host.workload.footprint_fraction": load.footprint_percent / 100,
        "host.workload.queue_depth": 64,
    }
    if load.read_percent == 0:
        changes["controller.precondition.occupancy"] = 0.0

    def run(requests: int) -> float:
        config = ns.load(TESTS / "fidelity" / "mqsim" / "device.yaml", changes | {"host.workload.requests": requests})
        path = folder / "drive.yaml"
        path.write_text(config.to_yaml(), encoding="utf-8")
        return user_seconds([sys.executable, "-W", "ignore", "-m", "nandscape", "run", str(path)], folder)

    return run


def compare(program: Path, load: Load, pairs: int) -> None:
    """Prints the rates of both simulators and their ratio."""
    rates: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as name:
        simulators = (nandscape(load, Path(name)), mqsim(program, load, Path(name)))
        for _ in range(pairs):
            short, long = ([run(requests) for run in simulators] for requests in load.requests)
            ours, theirs = (
                (load.requests[1] - load.requests[0]) / (most - least) for least, most in zip(short, long, strict=True)
            )
            rates.append((ours, theirs))
    ratios = sorted(ours / theirs for ours, theirs in rates)
    ours, theirs = (median(column) for column in zip(*rates, strict=True))
    print(
        f"{load.name:30} {ours:11,.0f} pages/s, MQSim {theirs:9,.0f} pages/s: {median(ratios):.2f} times as fast"
        f" ({ratios[0]:.2f} to {ratios[-1]:.2f})",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mqsim", type=Path, help="MQSim's program")
    parser.add_argument("--pairs", type=int, default=5, help="alternating runs of each simulator (default: 5)")
    options = parser.parse_args()
    for load in LOADS:
        compare(options.mqsim.resolve(), load, options.pairs)


if __name__ == "__main__":
    main()
