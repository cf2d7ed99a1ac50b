# SPDX-License-Identifier: Apache-2.0
"""One measurement of `nandscape bench`. It runs in a separate process, so that the memory figure covers only this
measurement.

Takes a configuration as JSON on stdin and prints the figures as JSON. Imports only the modules that it needs.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import nandscape


def main() -> None:
    """Builds the configured device, runs its workload if asked to, and prints the figures."""
    case = json.load(sys.stdin)
    begin = time.perf_counter()
    simulation = nandscape.Simulation(nandscape.load(case["preset"], case["overrides"]))
    figures = {"construct_s": time.perf_counter() - begin}
    if case["run"]:
        begin, processor_begin = time.perf_counter(), time.process_time()
        simulation.run()
        figures["run_s"] = time.perf_counter() - begin
        figures["processor_s"] = time.process_time() - processor_begin
        stats = simulation.stats()
        figures["requests"] = stats["host"]["all"]["count"]
        figures["write_amplification"] = stats["controller"]["write_amplification"]
        figures["flash_pages"] = stats["nand"]["page_reads"] + stats["nand"]["page_programs"]
    if case["checkpoint"]:
        figures |= _checkpoint(simulation)
    print(json.dumps({**figures, "rss_mib": _peak_resident_mib()}))


def _checkpoint(simulation: nandscape.Simulation) -> dict[str, float]:
    """Saves the drive and restores it, and returns the times and the size of the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "drive"
        times = [time.perf_counter()]
        simulation.checkpoint(str(file))
        times.append(time.perf_counter())
        nandscape.Simulation.restore(str(file))
        times.append(time.perf_counter())
        size = file.stat().st_size / (1 << 20)
    return {"checkpoint_s": times[1] - times[0], "restore_s": times[2] - times[1], "checkpoint_mib": size}


def _peak_resident_mib() -> float:
    # getrusage() is not suitable, since its peak includes the memory of the parent process that started this process.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024


if __name__ == "__main__":
    main()
