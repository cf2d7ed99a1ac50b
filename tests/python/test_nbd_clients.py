# SPDX-License-Identifier: Apache-2.0
"""Tests that programs which know nothing of nandscape use its drives: those of libnbd and QEMU, and fio.

A test is skipped without its program. `make nbd` installs all of them.
"""

import json
import shutil
import signal
import subprocess

import numpy as np
import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nbd_client import BLOCK, CheckedWorkload, Client
from test_nbd_server import Served, small_drive

pytestmark = pytest.mark.nbd
MIB = 1 << 20


def needs(*programs):
    missing = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed; make nbd installs it")


@pytest.fixture
def server():
    with ns.serve(small_drive("cached")) as running:
        yield running


def run(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs("nbdinfo")
def test_nbdinfo_sees_what_the_drive_can_do(server):
    told = json.loads(run("nbdinfo", "--json", server.uri))
    assert told["protocol"] == "newstyle-fixed"
    (export,) = told["exports"]
    assert export["export-size"] == server.simulation.capacity_bytes
    abilities = ["flush", "fua", "multi_conn", "trim", "zero", "fast_zero"]
    assert all(export[f"can_{ability}"] for ability in abilities)
    assert not export["is_read_only"]
    assert [export[f"block_size_{which}"] for which in ("minimum", "preferred", "maximum")] == [512, 4096, 32 * MIB]
    assert len(json.loads(run("nbdinfo", "--json", "--list", server.uri))["exports"]) == 1


@needs("nbdcopy")
@pytest.mark.parametrize("connections", [1, 4])
def test_nbdcopy_there_and_back(server, tmp_path, connections):
    image = tmp_path / "image"
    data = np.random.default_rng(1).bytes(32 * MIB) + bytes(8 * MIB) + np.random.default_rng(2).bytes(MIB)
    image.write_bytes(data)
    run("nbdcopy", f"--connections={connections}", "--flush", image, server.uri)
    run("nbdcopy", f"--connections={connections}", server.uri, tmp_path / "copy")
    with (tmp_path / "copy").open("rb") as copy:
        assert copy.read(len(data)) == data
    assert (tmp_path / "copy").stat().st_size == server.simulation.capacity_bytes


@needs("qemu-io")
def test_qemu_io(server):
    commands = [
        "write -P 1 0 1M",
        "write -f -P 2 512k 64k",
        "read -P 1 0 512k",
        "read -P 2 512k 64k",
        "write -z 4k 8k",
        "read -P 0 4k 8k",
        "write -zu 1k 3k",
        "read -P 0 1k 3k",
        "discard 64k 64k",
        "read -P 0 64k 64k",
        "aio_write -P 3 2M 1M",
        "aio_read -P 1 128k 256k",
        "aio_flush",
        "read -P 3 2M 1M",
        "flush",
    ]
    words = [word for command in commands for word in ("-c", command)]
    told = run("qemu-io", "-f", "raw", *words, server.uri)
    assert "failed" not in told
    server.power_cut()
    server.power_on()
    assert "failed" not in run(
        "qemu-io", "-f", "raw", "-r", "-c", "read -P 3 2M 1M", "-c", "read -P 0 1k 3k", server.uri
    )


@needs("qemu-img")
def test_qemu_img_converts_and_compares(server, tmp_path):
    image, disk = tmp_path / "image", tmp_path / "disk.qcow2"
    image.write_bytes(np.random.default_rng(1).bytes(8 * MIB))
    run("truncate", "-s", server.simulation.capacity_bytes, image)
    run("qemu-img", "convert", "-f", "raw", "-O", "qcow2", image, disk)
    run("qemu-img", "convert", "-n", "-W", "-f", "qcow2", "-O", "raw", disk, server.uri)
    run("qemu-img", "compare", "-f", "raw", "-F", "raw", image, server.uri)


class FioRound:
    """A job of fio that writes each of `blocks` blocks once in random order, flushes, and reads them back, from
    `offset` onward."""

    def __init__(self, folder, blocks, seed, offset=16 * MIB):
        self._folder = folder
        self._words = (
            "--rw=randwrite --bs=4k --iodepth=32 --fsync=512 --end_fsync=1 --verify=crc32c --verify_fatal=1 "
            f"--verify_state_save=0 --offset={offset} --size={blocks * BLOCK} --randseed={seed + 1}"
        ).split()

    def write_and_verify(self, uri):
        """Returns the numbers of writes and of reads."""
        return self._run(uri, "--do_verify=1")

    def verify(self, uri):
        return self._run(uri, "--verify_only=1")

    def _run(self, uri, how):
        # fio writes a message before its JSON if both go to stdout.
        output = self._folder / "fio.json"
        form = ["--output-format=json", f"--output={output}"]
        run("fio", *form, "--name=verified", "--ioengine=nbd", f"--uri={uri}", how, *self._words)
        told = json.loads(output.read_text())
        (job,) = told["jobs"]
        assert job["error"] == 0
        return job["write"]["total_ios"], job["read"]["total_ios"]


@needs("fio")
def test_fio_verifies_what_it_wrote_across_power_cuts(server, tmp_path):
    """20,000 operations of fio. At each cut, another client's requests are under way."""
    work = CheckedWorkload(blocks=300, seed=5)
    for seed in range(4):
        fio = FioRound(tmp_path, 2500, seed)
        assert fio.write_and_verify(server.uri) == (2500, 2500)
        work.run([Client(server.path), Client(server.path)], requests=500, depth=32)
        server.power_cut()
        work.lose_power()
        server.power_on()
        fio.verify(server.uri)
        with Client(server.path) as client:
            work.check_all(client)
    assert work.failed > 0
    assert server.call(ns.Simulation.stats)["controller"]["power_loss"]["lost_promised_sectors"] == 0


@needs("fio")
@pytest.mark.slow
def test_a_million_operations_of_fio(tmp_path):
    """1,000,000 operations of fio with flushes, in rounds. Between the rounds, a client of ours writes with and without
    FUA, and the power is cut under it: by turns, the server goes on, or it ends and another goes on with the flash."""
    keys = [f"--set={key}={value}" for key, value in SMALL_DEVICE.items()]
    image = tmp_path / "drive"
    served = Served(tmp_path, "cached", *keys, "--set=simulation.request_log=false", "--checkpoint", image)
    uri = f"nbd+unix:///?socket={served.path}"
    work = CheckedWorkload(blocks=2000, seed=6)
    operations = 0
    for seed in range(10):
        fio = FioRound(tmp_path, 50_000, seed)
        operations += sum(fio.write_and_verify(uri))
        work.run([Client(served.path), Client(served.path)], requests=5000, depth=32)
        if seed % 2 == 0:
            served.process.send_signal(signal.SIGUSR1)
            work.lose_power()
        else:
            served.process.send_signal(signal.SIGQUIT)
            work.lose_power()
            assert served.process.wait(300) == 0
            served = Served(tmp_path, "--restore", image, "--checkpoint", image)
        fio.verify(uri)
        with Client(served.path) as client:
            work.check_all(client)
    assert operations == 1_000_000
    assert work.failed > 0
    served.end(signal.SIGINT)
