# SPDX-License-Identifier: Apache-2.0
"""Tests our AXI4-Lite master against AxiLiteRam of cocotbext-axi, and our slave against its AxiLiteMaster.

Both sides pause at random.
"""

import logging
import random
import warnings

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiLiteRam, AxiResp

OKAY = 0
RAM_BYTES = 2048


def pauses(seed, share):
    generator = random.Random(seed)
    while True:
        yield generator.random() < share


def pause(made, share):
    """Pauses each channel independently, in random cycles. `share` is the probability of a pause in a cycle."""
    channels = [made.write_if.aw_channel, made.write_if.w_channel, made.write_if.b_channel]
    channels += [made.read_if.ar_channel, made.read_if.r_channel]
    for number, channel in enumerate(channels):
        channel.set_pause_generator(pauses(number, share))


async def begin(dut):
    dut.aresetn.value = 0
    dut.begin_access.value = 0
    warnings.simplefilter("ignore", DeprecationWarning)  # cocotb warns about cocotbext-axi
    logging.getLogger("cocotb.axi_lite_designs").setLevel(logging.ERROR)  # suppresses a log line for every access
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())


async def release_reset(dut):
    for _ in range(4):
        await RisingEdge(dut.aclk)
    dut.aresetn.value = 1
    for _ in range(2):
        await RisingEdge(dut.aclk)


async def access(dut, write, address, data=0, strobes=0xF):
    dut.access_write.value = write
    dut.access_address.value = address
    dut.access_data.value = data
    dut.access_strobes.value = strobes
    dut.begin_access.value = 1
    await RisingEdge(dut.aclk)
    dut.begin_access.value = 0
    for _ in range(1000):
        await RisingEdge(dut.aclk)
        if dut.access_ended.value == 1:
            return int(dut.access_response.value), int(dut.access_read.value)
    raise AssertionError(f"access of {address:#x} does not end")


async def ram(dut):
    await begin(dut)
    made = AxiLiteRam(AxiLiteBus.from_prefix(dut, "m_axi"), dut.aclk, dut.aresetn, False, size=RAM_BYTES)
    await release_reset(dut)
    return made


@cocotb.test()
async def master_against_ram(dut):
    made = await ram(dut)
    model = bytearray(RAM_BYTES)
    generator = random.Random(1)
    for share in (0, 0.3, 0.8):
        pause(made, share)
        for _ in range(400):
            address = 4 * generator.randrange(16 if generator.random() < 0.9 else RAM_BYTES // 4)
            if generator.random() < 0.5:
                data, strobes = generator.getrandbits(32), generator.getrandbits(4)
                response, _ = await access(dut, 1, address, data, strobes)
                for k in range(4):
                    if strobes >> k & 1:
                        model[address + k] = data >> 8 * k & 0xFF
            else:
                response, read = await access(dut, 0, address)
                assert read == int.from_bytes(model[address : address + 4], "little")
            assert response == OKAY
        assert made.read(0, RAM_BYTES) == bytes(model)


@cocotb.test()
async def master_is_reset(dut):
    made = await ram(dut)
    pause(made, 0.5)
    generator = random.Random(2)
    for k in range(40):
        dut.access_write.value = generator.randrange(2)
        dut.access_address.value = 0x40
        dut.access_strobes.value = 0
        dut.begin_access.value = 1
        await RisingEdge(dut.aclk)
        dut.begin_access.value = 0
        for _ in range(generator.randrange(8)):
            await RisingEdge(dut.aclk)
        dut.aresetn.value = 0
        await release_reset(dut)
        assert (await access(dut, 1, 0x40, k))[0] == OKAY
        assert await access(dut, 0, 0x40) == (OKAY, k)


async def master(dut):
    await begin(dut)
    made = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.aclk, dut.aresetn, False)
    await release_reset(dut)
    return made


@cocotb.test()
async def slave_against_master(dut):
    made = await master(dut)
    await made.write(0, bytes(RAM_BYTES))
    model = bytearray(RAM_BYTES)
    generator = random.Random(3)
    for share in (0, 0.3, 0.8):
        pause(made, share)
        for _ in range(150):
            length = generator.randrange(1, 24)
            address = generator.randrange(RAM_BYTES - length)
            if generator.random() < 0.5:
                data = generator.randbytes(length)
                assert (await made.write(address, data)).resp == AxiResp.OKAY
                model[address : address + length] = data
            else:
                read = await made.read(address, length)
                assert read.resp == AxiResp.OKAY
                assert read.data == bytes(model[address : address + length])
    assert (await made.read(0, RAM_BYTES)).data == bytes(model)


@cocotb.test()
async def slave_takes_reads_beside_writes(dut):
    made = await master(dut)
    pause(made, 0.3)
    generator = random.Random(4)
    for _ in range(100):
        first, second = generator.randbytes(16), generator.randbytes(16)
        await made.write(0x100, first)
        reading = cocotb.start_soon(made.read(0x100, 16))
        writing = cocotb.start_soon(made.write(0x200, second))
        assert (await reading).data == first
        await writing
        assert (await made.read(0x200, 16)).data == second


@cocotb.test()
async def slave_says_what_fails(dut):
    made = await master(dut)
    for address, response in ((0x7FC, AxiResp.OKAY), (0x800, AxiResp.SLVERR), (0x1000, AxiResp.DECERR)):
        assert (await made.write(address, bytes(4))).resp == response
        assert (await made.read(address, 4)).resp == response


@cocotb.test()
async def slave_is_reset(dut):
    made = await master(dut)
    pause(made, 0.5)
    generator = random.Random(5)
    for k in range(40):
        cocotb.start_soon(made.read(0, 64) if generator.random() < 0.5 else made.write(0x400, bytes(64)))
        for _ in range(generator.randrange(40)):
            await RisingEdge(dut.aclk)
        dut.aresetn.value = 0
        await release_reset(dut)
        await made.write(0x10, k.to_bytes(4, "little"))
        assert (await made.read(0x10, 4)).data == k.to_bytes(4, "little")
    await Timer(1, "us")
