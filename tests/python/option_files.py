# SPDX-License-Identifier: Apache-2.0
"""Creates the files that parameters name, for option_scenarios.py: traces in every format, a code table, and
plug-ins.
"""

from __future__ import annotations

import functools
import os
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import nandscape as ns

FOLDER = tempfile.TemporaryDirectory(prefix="nandscape-options-")
ROOT = Path(__file__).parents[2]
CODE_TABLES = ROOT / "platform" / "codes"

TRACES: dict[str, str | bytes] = {
    "msr": "128166372003061629,src1,0,Read,8192,4096,1331\n128166372003061639,src1,1,Write,512,1024,2000\n",
    "spc": "0,256,8192,W,0.551706\n1,48,512,r,0.554041\n",
    "ascii": "100 0 304 8 0\n1100 2 16 8 1\n",  # also a valid DiskSim trace, but its fields then have another meaning
    "disksim": "7961.833 0 2048 8 0\n8346.206001 1 1024 16 3\n",
    "fio": "fio version 3 iolog\n0 /dev/sdb add\n10 /dev/sdb write 0 4096\n25 /dev/sdb read 8192 512\n",
    "fio with waits": (
        "fio version 2 iolog\n/dev/sdb add\n/dev/sdb write 0 4096\n/dev/sdb wait 5 0\n"
        "/dev/sdb read 0 4096\n/dev/sdb wait 7 0\n/dev/sdb read 4096 4096\n"
    ),
    "blkparse": (
        "  8,0 3 1 0.000000000 697 Q W 2234 + 8 [a]\n  8,0 3 4 0.000005000 697 D W 2234 + 8 [a]\n"
        "  8,0 1 5 0.001000000 698 Q R 64 + 16 [b]\n  8,0 1 6 0.002000000 698 C R 64 + 16 [b]\n"
    ),
    # Each quantity is in two columns with different values, so that the choice of the column matters. The requests are
    # reads, writes, flushes and trims.
    "csv": "time_us,time_ms,operation,op,offset,lba,size_bytes,sectors,device,disk\n"
    + "".join(
        f"{90 * k},{k},{'rwft'[k % 4]},{'wr'[k % 2]},{512 * k},{40 * k},{1024 * k},8,{k % 2},{k % 3}\n"
        for k in range(1, 50)
    ),
    "csv of a larger device": "time_us,op,offset,size\n0,r,0,4096\n9,r,1000000000000,4096\n",
    "csv without a header": "".join(f"{90 * k} {'rw'[k % 2]} {8 * k} {16 * k}\n" for k in range(1, 50)),
    "csv with a blank operation": "time_us,op,offset,size\n0,r,0,4096\n9,,0,4096\n",
    "alibaba": "0,R,8192,4096,1577808000000626\n1,W,512,8192,1577808000001626\n",
    "tencent": "1538323200,128,128,0,1063\n1538323200,256,8,1,1107\n",
    "systor17": "1456135200.013118000,0.001,W,4,1024,4096\n1456135200.014118000,0.0002,R,0,8192,512\n",
    "fiu": (
        "89966607371969 4253 nfsd 508 8 W 6 0 531e779fbc5ba1d5f6a2c9b1d8a70e3f\n"
        "89966608371969 20782 gzip 2832 8 R 6 0 56f11b711d91a065a2b6458eca924523\n"
    ),
    "vscsi": b"".join(
        struct.pack("<IIIHHQQ", k, 4096, 1, command, 1 << 8, 64 * k, 1000 * k) for k, command in enumerate([0x28, 0x2A])
    ),
    "oracle_general": b"".join(struct.pack("<IQIq", 0, 4096 * k, 4096, -1) for k in range(1, 9)),
    # The sizes of the queued, dispatched and completed events differ, so that the choice of the event matters.
    "blktrace": b"".join(
        struct.pack("<IIQQIIIIIHH", 0x65617407, k, 1000 * k, 64 * k, 4096 << k, action | 1 << 16, 697, 8 << 20, 3, 0, 0)
        for k, action in enumerate([1 | 1 << 20, 7 | 1 << 22, 8 | 1 << 23])
    ),
}
TRACE_FORMATS = [
    *("msr", "spc", "ascii", "disksim", "fio", "blkparse", "csv"),
    *("alibaba", "tencent", "systor17", "fiu", "vscsi", "oracle_general", "blktrace"),
]
# The words for read and write, for the formats in which the user can choose these words.
OPERATION_WORDS = {
    "msr": ("read", "write"),
    "spc": ("r", "w"),
    "fio": ("read", "write"),
    "fiu": ("r", "w"),
    "csv": ("r", "w"),
}


def trace(name: str, **options: Any) -> dict[str, Any]:
    """Writes the named trace to a file and returns the configuration keys that make it the workload."""
    return {"host.workload": [ns.trace(_file(name, TRACES[name]), **options)]}


def half_of_trace(name: str) -> str:
    """Writes the first half of a trace to a file and returns the path of the file."""
    lines = str(TRACES[name]).splitlines(keepends=True)
    return _file(f"half of {name}", "".join(lines[: len(lines) // 2]))


def slower_table(code: str) -> str:
    """Writes a copy of a code's table in which the decoder takes twice as many iterations, and returns its path."""
    lines = (CODE_TABLES / f"{code}.yaml").read_text().splitlines()
    for k, line in enumerate(lines):
        if line.startswith("  - ["):
            row = [int(number) for number in line.strip("- []").split(",")]
            lines[k] = f"  - {[*row[:-2], 2 * row[-2], 4 * row[-1]]}"
    return _file(f"{code}.yaml", "\n".join(lines) + "\n")


def uniform_read_timing(reduction: int) -> str:
    """Writes a read-timing table with the same precharge reduction for all conditions, and returns its path."""
    text = f"pe_cycles: [100000]\nretention_months: [1000]\nprecharge_reduction: [[{reduction}]]\n"
    return _file("uniform_read_timing.yaml", text)


@functools.cache
def plugin(name: str) -> str:
    """Compiles the plug-in from its source in tests/plugin, in the same way as the author of a plug-in would. Returns
    the path of the library.
    """
    library = Path(FOLDER.name) / f"{name}.so"
    source = ROOT / "tests" / "plugin" / f"{name}.cpp"
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-I", ROOT / "models", source, "-o", library]
    subprocess.run(command, check=True)
    return str(library)


def _file(name: str, content: str | bytes) -> str:
    path = Path(FOLDER.name) / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)
