# SPDX-License-Identifier: Apache-2.0
"""Tests that each command ends before a host would time it out, even with power cuts, failures and full drives."""

import random

import pytest

import nandscape as ns
from drawn_drives import DrawnDrive

LONGEST_US = 10e6
ENDS = {"ok", "unrecovered_read_error", "write_protected"}

TWO_PLANES = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 12,
    "nand.geometry.pages_per_block": 12,
    "controller.mapping.over_provisioning": 1.5,
    "controller.garbage_collection.start_free_blocks": 2,
    "controller.precondition.distribution": "steady_state",
    "controller.power_loss.protection": "none",
}
STRIPES = {
    **TWO_PLANES,
    "channel.count": 4,
    "controller.parity.stripe_dies": 2,
}


class Drive:
    """A drive under random use. Checks that each command ends."""

    def __init__(self, device, seed):
        self.draw = random.Random(seed)
        self.simulation = ns.Simulation(ns.load("bare", device))
        self.sectors = self.simulation.capacity_bytes // 512
        self.read_only = False
        self.longest_us = 0.0

    def end(self, commands):
        for command in commands:
            begin = self.simulation.now_us
            while not command.done:
                assert self.simulation.now_us - begin < LONGEST_US, "a command takes for ever"
                self.simulation.run_until(f"{self.simulation.now_us + 2e5:.3f}us")
            self.longest_us = max(self.longest_us, command.latency_us)
            assert command.status in ENDS
            self.read_only |= command.status == "write_protected"

    def write(self, sectors=8, share=1.0, fua=False):
        places = max(1, int(self.sectors * share) // sectors)
        return self.simulation.start_write(self.draw.randrange(places) * sectors, bytes(512 * sectors), fua=fua)

    def stalls(self):
        return self.simulation.stats()["controller"]["stalls"]


def test_with_parity_failed_programs_keep_no_command():
    for seed in range(4):
        drive = Drive(STRIPES, seed)
        for n in range(300):
            drive.end([drive.write(share=1 / 8)])
            if n % 2:
                drive.end([drive.simulation.start_flush()])
            if n % 50 == 49:
                drive.simulation.fail_next(0, "program", 1)
        assert drive.stalls() == 0
        assert not drive.read_only


@pytest.mark.parametrize(("policy", "seed"), [("greedy", 16), ("greedy", 24), ("fifo", 0), ("fifo", 1), ("fifo", 2)])
def test_blocks_that_fail_keep_no_command(policy, seed):
    device = {
        **TWO_PLANES,
        "controller.garbage_collection.policy": policy,
        "controller.streams.policy": "hot_cold",
        "simulation.seed": seed,
    }
    drive = Drive(device, seed)
    for _ in range(3000):
        commands = [drive.write()]
        if drive.draw.random() < 0.5:
            commands.append(drive.simulation.start_flush())
        drive.end(commands)
        if drive.read_only:
            break
        if drive.draw.random() < 0.02:
            drive.simulation.fail_block(drive.draw.randrange(24))
    assert drive.read_only
    assert drive.stalls() == 0


@pytest.mark.parametrize("seed", [52, 148, 304, 387, 484, 499, 647, 681])
def test_drawn_drives_end_all_commands(seed):
    drive = DrawnDrive(seed, cuts=False)
    drive.use(1500)
    assert drive.complaint is None, drive.device


@pytest.mark.parametrize("seed", [1017, 1123, 1249, 1269, 4368, 4559, 4699, 4763, 5190, 5247, 5255])
def test_drawn_drives_stand_power_cuts(seed):
    drive = DrawnDrive(seed)
    drive.use(1000)
    assert drive.complaint is None, drive.device
