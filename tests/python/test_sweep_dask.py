# SPDX-License-Identifier: Apache-2.0
"""Tests of a sweep on a Dask cluster that consists of a scheduler and two workers, all processes on this machine."""

import os
import subprocess
import sys

import pytest

import nandscape as ns

distributed = pytest.importorskip("distributed")
pytest.importorskip("pandas")

DEPTH = "host.workload.queue_depth"


@pytest.fixture
def cluster(tmp_path):
    """The file from which a client learns the address of the scheduler. Both workers are connected when the test
    starts.
    """
    file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", file, "--no-dashboard"]
    commands = [["scheduler", "--host", "127.0.0.1", "--port", "0", *common]]
    commands += [["worker", *common, "--nthreads", "1", "--no-nanny", "--local-directory", tmp_path / n] for n in "ab"]
    processes = []
    try:
        for command in commands:
            program = [sys.executable, "-m", "dask", *map(str, command)]
            log = (tmp_path / f"log-{len(processes)}").open("w")
            processes.append(subprocess.Popen(program, stdout=log, stderr=log))
        yield file
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def test_two_workers_give_the_table_that_processes_give(small, cluster, tmp_path):
    grid = {DEPTH: [1, 2, 4, 8, 16, 32], "nand.timing.t_prog_us": [500, 900]}
    metrics = {"iops": "host.iops", "reads": "host.read", "worker": lambda _: os.getpid()}
    with distributed.Client(scheduler_file=str(cluster), timeout=30) as client:
        client.wait_for_workers(2, timeout=30)
        table = ns.sweep(small, grid, executor=client.get_executor(), metrics=metrics, store=tmp_path / "store")
    assert table["error"].isna().all()
    assert table["worker"].nunique() == 2
    assert os.getpid() not in table["worker"].tolist()
    again = ns.sweep(small, grid, metrics={"iops": "host.iops", "reads": "host.read"})
    columns = [*grid, "seed", *again.metrics]
    assert table[columns].equals(again[columns])
