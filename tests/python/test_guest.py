# SPDX-License-Identifier: Apache-2.0
"""A Linux guest on the simulated drive. Most tests need the guest's kernel, which `make guest` builds."""

from __future__ import annotations

import json
import shutil
import statistics

import pytest

import nandscape as ns
from nandscape.cli.main import main
from nandscape.guest.machine import folder

kernel = pytest.mark.skipif(not (folder() / "linux").exists(), reason="no kernel: make guest")

# A small drive with a volatile cache, so that only flushes make writes durable.
DRIVE = {
    "extends": "default",
    "channel": {"count": 2},
    "nand": {"geometry": {"chips_per_channel": 1, "dies_per_chip": 1, "blocks_per_plane": 64, "pages_per_block": 264}},
    "controller": {"mapping": {"over_provisioning": 0.2}, "precondition": {"occupancy": 0}},
}
MIB = 1024 * 1024

# Reads 4-KiB blocks with O_DIRECT, and prints the latency of each in ns.
TIMED_READS = """
import mmap, os, time
drive = os.open("/dev/nvme0n1", os.O_RDONLY | os.O_DIRECT)
into = mmap.mmap(-1, 4096)
for block in range(0, 2000, 20):
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    os.preadv(drive, [into], block * 4096)
    print(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - begin)
"""


@pytest.fixture
def guest():
    with ns.Guest(DRIVE) as booted:
        yield booted


# --- without a kernel


def test_a_missing_kernel_is_told(tmp_path, monkeypatch):
    with pytest.raises(ns.GuestError, match="`make guest` builds it once"):
        ns.Guest(DRIVE, kernel=tmp_path / "linux")
    monkeypatch.setenv("NANDSCAPE_GUEST", str(tmp_path))
    with pytest.raises(ns.GuestError, match=str(tmp_path)):
        ns.Guest(DRIVE)


@pytest.mark.parametrize("memory", ["256", "0M", "1T", "-1M", "M"])
def test_a_size_of_memory_has_a_unit(memory):
    with pytest.raises(ns.GuestError, match="such as 256M"):
        ns.Guest(DRIVE, memory=memory)


def test_a_root_is_a_folder(tmp_path):
    with pytest.raises(ns.GuestError, match="is not a folder"):
        ns.Guest(DRIVE, root=tmp_path / "nothing")


def test_the_port_takes_no_workloads():
    simulation = ns.Simulation(ns.load(DRIVE).override({"simulation.blocks.host.kind": "pci_port"}))
    for call in (simulation.run, simulation.flush):
        with pytest.raises(ns.RequestError, match="it is for a Linux guest"):
            call()


# --- with a kernel


@kernel
def test_the_guests_driver_finds_the_drive_and_its_data_survive(guest):
    partitions = guest.run("cat /proc/partitions")
    assert f"{guest.simulation.capacity_bytes // 1024} nvme0n1" in partitions
    output = guest.run(
        "dd if=/dev/urandom of=/tmp/given bs=4k count=1000 && "
        "dd if=/tmp/given of=/dev/nvme0n1 bs=4k oflag=direct && "
        "dd if=/dev/nvme0n1 of=/tmp/found bs=4k count=1000 iflag=direct && "
        "cmp /tmp/given /tmp/found && echo alike"
    )
    assert output.endswith("alike\n")
    traffic = guest.traffic
    assert traffic["refused_dma"] == 0
    assert 2000 <= traffic["interrupts"] < 2050
    assert traffic["register_writes"] >= 4000  # two doorbells for each command
    assert guest.simulation.stats()["controller"]["cache"]["read_hits"] == 1000


@kernel
def test_file_systems_are_sound(guest):
    for make, check in (("mkfs.ext4 -q -F", "fsck.ext4 -fn"), ("mkfs.xfs -q -f", "xfs_repair -n")):
        if guest.run(f"command -v {make.split()[0]} {check.split()[0]} | wc -l") != "2\n":
            continue
        guest.run(
            f"{make} /dev/nvme0n1 && mount /dev/nvme0n1 /mnt && cp /bin/sh /mnt && sync && "
            "echo 3 >/proc/sys/vm/drop_caches && cmp /bin/sh /mnt/sh && rm /mnt/sh && umount /mnt && "
            f"{check} /dev/nvme0n1"
        )


@kernel
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fio") is None, reason="no fio is installed")
def test_fio_finds_what_it_has_written(guest):
    guest.run("mkfs.ext4 -q -F /dev/nvme0n1 && mount /dev/nvme0n1 /mnt")
    output = guest.run(
        "fio --name=v --directory=/mnt --direct=1 --rw=randrw --bs=4k --size=64M --io_size=40M --ioengine=libaio "
        "--iodepth=16 --verify=crc32c --verify_fatal=1 --fsync=100 --output-format=json"
    )
    job = json.loads(output[output.index("{") :])["jobs"][0]
    assert job["error"] == 0
    assert job["read"]["total_ios"] + job["write"]["total_ios"] >= 10_000
    guest.run("umount /mnt && fsck.ext4 -fn /dev/nvme0n1")


@kernel
def test_two_runs_are_identical():
    def one():
        with ns.Guest(DRIVE) as guest:
            outputs = [
                guest.run("mkfs.ext4 -q -F /dev/nvme0n1 && blkid /dev/nvme0n1; cat /proc/uptime /proc/self/stat")
            ]
            outputs.append(guest.run("dd if=/dev/urandom bs=1k count=100 | tee /dev/nvme0n1 | sha1sum; dmesg"))
            outputs += [guest.now_us, guest.traffic]
        stats = guest.simulation.stats()
        del stats["simulation"]["wall_s"]
        return outputs, json.dumps(stats), guest.kernel_log

    assert one() == one()


@kernel
def test_latencies_are_the_drives_and_a_constant_of_the_driver():
    config = ns.load(DRIVE).override({"simulation.data": "stored", "controller.cache.policy": "none"})
    with ns.Guest(config) as guest:
        guest.run("dd if=/dev/zero of=/dev/nvme0n1 bs=1M count=8 oflag=direct && sync && sleep 1")
        seen = [int(line) / 1000 for line in guest.run(f"python3 -c '{TIMED_READS}'").split()]
    drive = ns.Simulation(config)
    for k in range(8):
        drive.write(k * 2048, bytes(MIB))
    drive.flush()
    drive.run_until("2s")
    own = []
    for block in range(0, 2000, 20):
        drive.read(block * 8, 4096)
        own.append(drive.last_latency_us)
    difference = statistics.mean(seen) - statistics.mean(own)
    # The driver's way to the doorbell and back has a few readings of the clock, of 256 ns each.
    assert 0 < difference < 3
    assert statistics.stdev(seen) < statistics.stdev(own) + 1


@kernel
def test_a_failed_command_gives_its_output(guest):
    with pytest.raises(ns.GuestError, match="status 3") as raised:
        guest.run("echo before; exit 3")
    assert raised.value.output == "before\n"
    assert guest.run("echo before; exit 3", check=False) == "before\n"


@kernel
def test_time_passes_as_told(guest):
    begin = guest.now_us
    assert guest.run_for("5ms") is False
    assert guest.now_us == pytest.approx(begin + 5000, abs=1)
    guest.start("sleep 1; echo over")
    with pytest.raises(ns.GuestError, match="wait"):
        guest.start("true")
    assert guest.run_for("100ms")
    assert guest.wait() == "over\n"
    assert guest.now_us - begin == pytest.approx(1.005e6, rel=0.02)


@kernel
def test_what_happens_to_the_drive_meanwhile_takes_none_of_the_guests_time(guest):
    guest.run("dd if=/dev/zero of=/dev/nvme0n1 bs=64k count=16 oflag=direct")
    begin = guest.now_us
    guest.simulation.advance("30d")
    assert guest.now_us == begin
    guest.run("dd if=/dev/nvme0n1 of=/dev/null bs=64k count=16 iflag=direct")
    assert guest.now_us - begin < 1e6


@kernel
def test_the_end_of_the_kernel_is_an_error(guest):
    with pytest.raises(ns.GuestError, match="kernel has ended"):
        guest.run("/run/nandscape/busybox poweroff -f")
    with pytest.raises(ns.GuestError, match="does not run"):
        guest.run("true")
    guest.boot()
    assert guest.run("echo again") == "again\n"


@kernel
def test_a_checkpoint_is_refused(guest, tmp_path):
    with pytest.raises(ns.RequestError, match=r"pci_port \(simulation.blocks.host\)"):
        guest.simulation.checkpoint(tmp_path / "drive")


@kernel
def test_the_drive_goes_under_the_running_guest_and_comes_back(guest):
    guest.start("while dd if=/dev/zero of=/dev/nvme0n1 bs=64k count=100 oflag=direct; do true; done")
    assert guest.run_for("3ms")
    guest.power_cut()
    assert "Input/output error" in guest.wait(check=False)  # after the driver's timeout of 30 s
    assert "controller is down" in guest.run("dmesg")
    guest.power_on()
    guest.run("dd if=/dev/nvme0n1 of=/dev/null bs=64k count=16 iflag=direct")


@kernel
def test_what_was_synced_is_there_after_a_power_failure(guest):
    guest.run("mkfs.ext4 -q -F /dev/nvme0n1 && mount /dev/nvme0n1 /mnt")
    guest.start(
        "n=0; while true; do n=$((n+1)); echo $n >>/mnt/log; sync /mnt/log && echo $n >/run/nandscape/session/n; done"
    )
    assert guest.run_for("60ms")
    promised = int(guest._path("command").with_name("n").read_text() or 0)
    guest.power_cut()
    guest.kill()
    guest.simulation.power_on()
    guest.boot()
    found = guest.run(
        "mount /dev/nvme0n1 /mnt && cat /mnt/log && umount /mnt && fsck.ext4 -fn /dev/nvme0n1 >/dev/null 2>&1"
    )
    lines = [int(line) for line in found.split()]
    assert lines == list(range(1, len(lines) + 1))
    assert len(lines) >= promised > 10


@kernel
def test_the_command_line_prints_what_both_saw(capsys, tmp_path):
    file = tmp_path / "guest.json"
    arguments = ["bare", "--run", "dd if=/dev/zero of=/dev/nvme0n1 bs=64k count=16 oflag=direct", "--json", str(file)]
    assert main(["guest", *arguments, "--set", "controller.precondition.occupancy=0"]) == 0
    printed = capsys.readouterr()
    assert "1048576 bytes" in printed.out
    assert "guest: sectors written" in printed.err
    assert json.loads(file.read_text())["seen"]["sectors_written"] == 2048
