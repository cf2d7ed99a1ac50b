# SPDX-License-Identifier: Apache-2.0
"""Tests of the NBD server with a simulated drive and a small client: data, simulated time, power cuts, and its end."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.nbd.pace import LockstepPace, pace_of
from nandscape.result import REQUEST_KINDS
from nbd_client import (
    BLOCK,
    EINVAL,
    EIO,
    EPERM,
    ESHUTDOWN,
    FLUSH,
    FUA,
    NO_HOLE,
    READ,
    TRIM,
    WRITE,
    WRITE_ZEROES,
    CheckedWorkload,
    Client,
    Closed,
    request,
)

STORED = {"simulation.data": "stored"}
MIB = 1 << 20


def small_drive(preset="bare", **changes):
    return ns.Simulation(ns.load(preset, SMALL_DEVICE | STORED | changes))


@pytest.fixture
def server():
    with ns.serve(small_drive("cached")) as running:
        yield running


def random_bytes(count, seed=1):
    return np.random.default_rng(seed).bytes(count)


# --- data


def test_a_client_reads_what_it_wrote(server):
    with Client(server.path) as client:
        assert client.size == server.simulation.capacity_bytes
        assert client.block_sizes == (512, 4096, 32 * MIB)
        data = random_bytes(3 * MIB + 512)
        client.write(512, data)
        assert client.read(0, 4 * MIB) == bytes(512) + data + bytes(MIB - 1024)


@pytest.mark.parametrize("kind", [TRIM, WRITE_ZEROES])
@pytest.mark.parametrize("flags", [0, FUA])
def test_zeroes(server, kind, flags):
    with Client(server.path) as client:
        client.write(0, random_bytes(MIB))
        assert client.do(kind, 512, MIB // 2, flags) == (0, b"")
        assert client.read(0, MIB) == random_bytes(MIB)[:512] + bytes(MIB // 2) + random_bytes(MIB)[MIB // 2 + 512 :]
        assert client.do(WRITE_ZEROES, 0, client.size // 512 * 512 if client.size < 2**32 else 2**31, NO_HOLE)[0] == 0
        assert client.read(0, MIB) == bytes(MIB)


def test_requests_of_any_size_at_the_same_time(server):
    """The largest requests do not fit into the socket, so replies are sent in pieces, while others arrive."""
    with Client(server.path) as client:
        sizes = [32 * MIB, 512, 5 * MIB, 65536, 32 * MIB]
        starts = np.cumsum([0, *sizes]).tolist()
        with ThreadPoolExecutor(1) as sender:
            for seed, (start, size) in enumerate(zip(starts, sizes, strict=False)):
                sender.submit(client.send, WRITE, start, size, 0, random_bytes(size, seed))
            assert sorted(client.reply()[1] for _ in sizes) == [0] * len(sizes)
        cookies = {
            client.send(READ, start, size): seed for seed, (start, size) in enumerate(zip(starts, sizes, strict=False))
        }
        for _ in sizes:
            cookie, error, data = client.reply()
            assert (error, data) == (0, random_bytes(sizes[cookies[cookie]], cookies[cookie]))


def test_more_requests_than_the_server_takes_at_once(server):
    written = random_bytes(MIB)
    with Client(server.path) as client, ThreadPoolExecutor(1) as sender:
        client.write(0, written)
        sending = sender.submit(lambda: [client.send(READ, 512 * (k % 2048), 512) for k in range(5000)])
        replies = [client.reply() for _ in range(5000)]
        assert {cookie for cookie, _, _ in replies} == set(sending.result())
        first = sending.result()[0]
        assert all(data == written[(c - first) % 2048 * 512 :][:512] for c, _, data in replies)


def test_errors_of_the_drive_reach_the_client():
    drive = small_drive()
    drive.write(0, random_bytes(16384))
    for die in range(4):
        drive.kill_die(die)
    with ns.serve(drive) as server, Client(server.path) as client:
        assert client.do(READ, 0, 16384)[0] == EIO
        assert client.do(READ, 0, 100)[0] == EINVAL


def test_a_read_only_drive():
    with ns.serve(small_drive(), read_only=True) as server, Client(server.path) as client:
        assert client.do(WRITE, 0, 512, 0, bytes(512))[0] == EPERM
        assert client.read(0, 512) == bytes(512)


def test_a_flush_covers_the_writes_of_all_connections(server):
    with Client(server.path) as one, Client(server.path) as other:
        assert one.flags & 1 << 8
        one.write(0, random_bytes(16384))
        assert other.do(FLUSH)[0] == 0
        server.power_cut()
    server.power_on()
    with Client(server.path) as client:
        assert client.read(0, 16384) == random_bytes(16384)


def test_random_requests_over_several_connections(server):
    clients = [Client(server.path) for _ in range(3)]
    work = CheckedWorkload(blocks=500, seed=3)
    work.run(clients, requests=5000, depth=40)
    work.finish()
    work.check_all(clients[0])


# --- simulated time


def test_latencies_are_those_of_the_drive_alone():
    """One request after the other: the socket takes no simulated time."""
    alone = small_drive()
    expected = [alone.write(0, random_bytes(65536)), alone.write(128, bytes(16384), fua=True), alone.flush()]
    alone.read(0, 65536)
    expected.append(alone.last_latency_us)
    with ns.serve(small_drive()) as server:
        with Client(server.path) as client:
            client.write(0, random_bytes(65536))
            client.write(65536, bytes(16384), FUA)
            client.do(FLUSH)
            client.read(0, 65536)
        assert list(server.call(ns.Simulation.result).latencies()) == expected


def test_requests_that_arrive_together_are_under_way_together():
    alone = small_drive()
    alone.write(0, random_bytes(MIB))
    begin = alone.now_us
    reads = [alone.start_read(32 * k, 16384) for k in range(32)]
    alone.wait_all()
    with ns.serve(small_drive()) as server:
        with Client(server.path) as client:
            client.write(0, random_bytes(MIB))
            client.do(FLUSH)
            start = server.call(lambda drive: drive.now_us)
            client.socket.sendall(b"".join(request(READ, k, 16384 * k, 16384) for k in range(32)))
            client._sent = dict.fromkeys(range(32), 16384)
            for _ in range(32):
                cookie, error, data = client.reply()
                assert (error, data) == (0, random_bytes(MIB)[16384 * cookie :][:16384])
            taken = server.call(lambda drive: drive.now_us) - start
        latencies = server.call(ns.Simulation.result).latencies("read")
    assert sorted(latencies) == pytest.approx(sorted(read.latency_us for read in reads), rel=1e-9)
    assert taken == pytest.approx(alone.now_us - begin, rel=0.01)
    assert taken < sum(latencies) / 4


def test_in_lockstep_a_client_keeps_its_queue_depth(monkeypatch):
    """The client of the socket gets the drive's answers at the same ticks as a closed loop in the simulation itself."""
    monkeypatch.setattr(LockstepPace, "patience_s", 60)
    depth, replies = 16, 400
    order = np.random.default_rng(1).permutation(1024).tolist()

    alone = small_drive("cached")
    alone.write(0, random_bytes(4 * MIB), fua=True)
    begun = [alone.start_read(8 * block, BLOCK) for block in order[:depth]]
    under_way = list(begun)
    while len(begun) < replies + depth:
        alone._core.wait_any()
        ended = [read for read in under_way if read.done]
        under_way = [read for read in under_way if not read.done]
        for _ in ended:
            begun.append(alone.start_read(8 * order[len(begun)], BLOCK))
            under_way.append(begun[-1])
    alone.wait_all()

    with ns.serve(small_drive("cached"), pace="lockstep") as server:
        client = Client(server.path)
        client.write(0, random_bytes(4 * MIB), FUA)
        waiting = iter(order)
        client.socket.sendall(b"".join(request(READ, k, BLOCK * next(waiting), BLOCK) for k in range(depth)))
        client._sent = dict.fromkeys(range(depth), BLOCK)
        client._cookie = depth
        for _ in range(replies):
            client.reply()
            client.send(READ, BLOCK * next(waiting), BLOCK)
        client.socket.close()
        log = server.call(ns.Simulation.result).requests
    latencies = dict(zip(log["first_lba"].tolist(), log["latency_ps"].tolist(), strict=True))
    # The last reads have no requests behind them, or others.
    for block, read in zip(order[: replies - depth], begun, strict=False):
        assert latencies[8 * block] == read._core.latency


def test_simulated_time_stands_still_without_requests(server):
    with Client(server.path) as client:
        client.write(0, bytes(4096))
        before = server.call(lambda drive: drive.now_us)
        Client(server.path).socket.close()
        assert server.call(lambda drive: drive.now_us) == before


def test_simulated_time_follows_the_wall_clock():
    slow = small_drive(**{"nand.timing.t_eval_us": 1000, "nand.timing.t_pre_us": 1000})
    with ns.serve(slow, pace="wall") as server, Client(server.path) as client:
        client.write(0, random_bytes(MIB))
        for _ in range(3):
            threading.Event().wait(0.03)
            begin = time.monotonic()
            client.read(0, 16384)
            took_us = 1e6 * (time.monotonic() - begin)
            assert took_us > server.call(ns.Simulation.result).latencies("read")[-1]
        moments = []
        for _ in range(3):
            threading.Event().wait(0.1)
            moments.append(server.call(lambda drive: drive.now_us))
        assert client.read(0, MIB) == random_bytes(MIB)
    # An idle drive is behind the clock by one sleep of the server at most.
    assert moments[2] - moments[0] > 0.5 * 200_000
    assert server.simulation.now_us >= moments[2]


def test_paces(monkeypatch):
    """The clocks of the two paces, at wall times in seconds and simulated times in microseconds."""
    wall = 0.0
    monkeypatch.setattr("time.monotonic_ns", lambda: round(wall * 1e9))
    us = 10**6
    free, following = pace_of("free"), pace_of("wall")
    assert free.idle_until(5 * us) == 5 * us
    assert following.idle_until(5 * us) == 5 * us
    wall = 0.001
    assert following.idle_until(5 * us) == 1005 * us
    assert following.limit(1005 * us) == 1005 * us
    wall = 0.003
    assert following.limit(1200 * us) == 3005 * us
    assert following.idle_until(1700 * us) == 1700 * us  # it was behind by 1.3 ms
    wall = 0.004
    assert following.idle_until(1700 * us) == 2700 * us
    wall = 5
    following.interrupted()
    assert following.limit(9000 * us) == 9000 * us
    slices = []
    while (limit := free.limit(0)) < 2**64 - 1:
        slices.append(limit)
    assert slices == [50 * us << k for k in range(len(slices))]
    free.ended()
    assert free.limit(7 * us) == 57 * us


def test_the_log_is_a_trace(tmp_path):
    log = tmp_path / "log.csv"
    with ns.serve(small_drive("cached"), log=log) as server:
        work = CheckedWorkload(blocks=200, seed=4)
        work.run([Client(server.path), Client(server.path)], requests=1000, depth=16)
        work.finish()
    header, *lines = log.read_text().splitlines()
    assert header == "time_us,operation,offset_bytes,size_bytes,forced,latency_us,status,connection"
    rows = [line.split(",") for line in lines]
    assert len(rows) == 1000
    assert {row[6] for row in rows} == {"ok"}
    assert {row[7] for row in rows} == {"1", "2"}
    starts = [float(row[0]) for row in rows]
    assert starts == sorted(starts)
    result = server.simulation.result()
    mean = np.mean([float(row[5]) for row in rows if row[1] == "read"])
    assert result.latencies("read").mean() == pytest.approx(mean, rel=1e-6)
    replayed = ns.run(ns.load("cached", SMALL_DEVICE), workload=ns.trace(str(log)))
    assert replayed.stats["host"]["read"]["count"] == sum(row[1] == "read" for row in rows)
    assert replayed.stats["host"]["write"]["count"] == sum(row[1] == "write" for row in rows)


# --- power


@pytest.mark.parametrize("preset", ["cached", "bare"])
@pytest.mark.parametrize("seed", range(3))
def test_a_power_cut_loses_nothing_that_is_durable(preset, seed):
    """Requests are under way at each cut. Without a volatile cache, in `bare`, a write is durable when it completes."""
    with ns.serve(small_drive(preset)) as server:
        durable = not server.call(ns.Simulation.identify)["volatile_write_cache"]
        assert durable == (preset == "bare")
        work = CheckedWorkload(blocks=300, seed=seed, always_durable=durable)
        for _ in range(4):
            clients = [Client(server.path) for _ in range(2)]
            work.run(clients, requests=600, depth=32)
            server.power_cut()
            work.lose_power()
            server.power_on()
            with Client(server.path) as client:
                work.check_all(client)
        assert work.failed > 0
    losses = server.simulation.stats()["controller"]["power_loss"]
    assert losses["lost_promised_sectors"] == 0


@pytest.mark.parametrize("kind", [TRIM, WRITE_ZEROES])
def test_a_forced_deallocation_is_durable(server, kind):
    with Client(server.path) as client:
        client.write(0, random_bytes(MIB), FUA)
        assert client.do(kind, 65536, 65536, FUA)[0] == 0
        kinds = server.call(ns.Simulation.result).requests["kind"]
        assert [REQUEST_KINDS[kind] for kind in kinds] == ["write", "trim", "flush"]
        server.power_cut()
    server.power_on()
    with Client(server.path) as client:
        assert client.read(0, MIB) == random_bytes(MIB)[:65536] + bytes(65536) + random_bytes(MIB)[131072:]


def test_clients_are_disconnected_when_the_power_fails(server):
    with Client(server.path) as client, Client(server.path) as idle:
        client.socket.sendall(b"".join(request(WRITE, k, 16384 * k, 16384, FUA, bytes(16384)) for k in range(64)))
        client._sent = dict.fromkeys(range(64), 0)
        errors = [client.reply()[1]]
        server.power_cut()
        errors += client.errors_until_closed()
        assert set(errors) == {0, ESHUTDOWN}
        with pytest.raises(Closed):
            idle.receive(1)
    assert not server.call(lambda drive: drive.has_power)
    # A client that connects meanwhile waits for the power.
    waiting = Client(server.path, handshake=False)
    waiting.socket.settimeout(0.1)
    with pytest.raises(TimeoutError):
        waiting.receive(1)
    server.power_on()
    waiting.socket.settimeout(60)
    waiting.shake_hands()
    assert waiting.do(READ, 0, 512)[0] == 0


def test_the_power_may_fail_and_return_while_nobody_is_connected(server):
    server.power_cut()
    with pytest.raises(ns.RequestError):
        server.power_cut()
    server.power_on()
    with Client(server.path) as client:
        assert client.read(0, 512) == bytes(512)


# --- the end


def test_a_server_that_stops_has_ended_its_requests():
    server = ns.serve(small_drive())
    client = Client(server.path)
    client.socket.sendall(b"".join(request(WRITE, k, 16384 * k, 16384, 0, random_bytes(16384, k)) for k in range(8)))
    client._sent = dict.fromkeys(range(8), 0)
    errors = [client.reply()[1]]
    server.stop()
    errors += client.errors_until_closed()
    assert set(errors) == {0}
    assert not os.path.exists(server.path)
    for k in range(len(errors)):
        assert server.simulation.read(32 * k, 16384) == random_bytes(16384, k)
    server.stop()  # once more has no effect
    with pytest.raises(ns.Error, match="has stopped"):
        server.power_cut()


def test_requests_of_a_client_that_has_left_end_too(tmp_path):
    server = ns.serve(small_drive())
    client = Client(server.path)
    client.socket.sendall(b"".join(request(WRITE, k, 16384 * k, 16384, 0, bytes(16384)) for k in range(8)))
    client._sent = dict.fromkeys(range(8), 0)
    client.reply()
    client.socket.close()
    server.stop()
    server.simulation.checkpoint(tmp_path / "drive")  # which takes a drive without commands under way


def test_a_client_that_takes_no_replies_does_not_hold_the_server():
    server = ns.serve(small_drive())
    client = Client(server.path)
    for _ in range(4):
        client.send(READ, 0, 32 * MIB)
    server.stop()
    client.socket.close()


def test_clients_that_leave_do_no_harm(server):
    for data in (b"", b"\0" * 3, b"\xff" * 100):
        rude = Client(server.path, handshake=False)
        rude.socket.sendall(data)
        rude.socket.close()
    leaving = Client(server.path)
    leaving.socket.sendall(b"".join(request(READ, k, 0, MIB) for k in range(20)))
    leaving.socket.close()
    halfway = Client(server.path)
    halfway.socket.sendall(request(WRITE, 1, 0, MIB, 0, bytes(1000)))
    halfway.socket.close()
    with Client(server.path) as client:
        assert client.read(0, 4096) == bytes(4096)


def test_an_error_in_a_call_is_that_of_the_caller(server):
    with pytest.raises(ZeroDivisionError):
        server.call(lambda _: 1 // 0)
    with pytest.raises(ns.RequestError):
        server.call(ns.Simulation.power_on)
    assert server.call(lambda drive: drive.capacity_bytes) == server.simulation.capacity_bytes


def test_a_path_that_is_in_use(tmp_path):
    path = tmp_path / "socket"
    with ns.serve(small_drive(), path), pytest.raises(ns.Error, match="Address already in use"):
        ns.serve(small_drive(), path)
    abandoned = socket.socket(socket.AF_UNIX)
    abandoned.bind(str(path))
    abandoned.close()
    with ns.serve(small_drive(), path) as server, Client(server.path) as client:
        assert client.read(0, 512) == bytes(512)
    path.write_text("a file")
    with pytest.raises(ns.Error, match="no socket can be made here"):
        ns.serve(small_drive(), path)
    assert path.read_text() == "a file"
    with pytest.raises(ns.Error, match="too long"):
        ns.serve(small_drive(), tmp_path / ("x" * 200))


def test_what_cannot_be_served():
    with pytest.raises(ns.ConfigError, match=r"simulation\.data.*stored"):
        ns.serve(ns.Simulation(ns.load("bare", SMALL_DEVICE)))
    with pytest.raises(ns.Error, match="free, lockstep, wall"):
        ns.serve(small_drive(), pace="fast")


# --- the command

CLIENT = f"""
import os, sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from nbd_client import Client
client = Client(os.environ["unixsocket"])
client.write(0, b"x" * 65536)
print(client.read(0, 512)[:4].decode(), os.environ["uri"])
sys.exit(3)
"""


def test_the_command_runs_a_client(command, small_arguments, tmp_path):
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    run = ["--run", f"{sys.executable} {client}"]
    done = command("serve", *small_arguments, *run, "--json", "-", "--log", "log.csv", "--save", "all.npz")
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith("xxxx nbd+unix:///?socket=/")
    assert "latency (µs)" in done.stderr
    assert ns.Result.load(tmp_path / "all.npz").stats["host"]["write"]["count"] == 1
    assert len((tmp_path / "log.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bare"], "give --socket PATH"),
        (["--socket", "s"], "give either CONFIG"),
        (["bare", "--socket", "s", "--set", "simulation.data=none"], "simulation.data"),
        (["bare", "--socket", "nowhere/s"], "no socket can be made here"),
        (["bare", "--socket", "s", "--save", "a.json"], "is written as .npz"),
    ],
)
def test_the_command_refuses(command, arguments, message):
    done = command("serve", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


class Served:
    """The command `nandscape serve` in the background. It is ready when it has printed where it serves."""

    def __init__(self, folder, *arguments):
        self.path = folder / "drive.socket"
        words = ["serve", *map(str, arguments), "--socket", str(self.path)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nandscape", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert "serving" in self.process.stderr.readline()

    def end(self, number):
        """Sends a signal, and returns what the command prints until its end, which must be good."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        return output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_cleanly(tmp_path, small_arguments, number):
    served = Served(tmp_path, *small_arguments, "--checkpoint", tmp_path / "drive", "--json", tmp_path / "result.json")
    with Client(served.path) as client:
        client.write(0, random_bytes(65536))
        assert "write" in served.end(number)
    assert not served.path.exists()
    assert ns.Result.load(tmp_path / "result.json").stats["host"]["write"]["count"] == 1
    again = Served(tmp_path, "--restore", tmp_path / "drive")
    with Client(again.path) as client:
        assert client.read(0, 65536) == random_bytes(65536)
    again.end(number)


def test_signals_cut_the_power(tmp_path):
    """SIGUSR1 while clients work, and SIGQUIT, the end of the server, each with requests under way."""
    keys = [f"--set={key}={value}" for key, value in SMALL_DEVICE.items()]
    served = Served(tmp_path, "cached", *keys, "--checkpoint", tmp_path / "drive")
    work = CheckedWorkload(blocks=300, seed=9)
    for _ in range(3):
        work.run([Client(served.path), Client(served.path)], requests=400, depth=32)
        served.process.send_signal(signal.SIGUSR1)
        work.lose_power()
        with Client(served.path) as client:
            work.check_all(client)
    work.run([Client(served.path), Client(served.path)], requests=400, depth=32)
    served.process.send_signal(signal.SIGQUIT)
    work.lose_power()
    assert served.process.wait(60) == 0
    again = Served(tmp_path, "--restore", tmp_path / "drive")
    with Client(again.path) as client:
        work.check_all(client)
    again.end(signal.SIGINT)
    assert work.failed > 0
