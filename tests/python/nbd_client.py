# SPDX-License-Identifier: Apache-2.0
"""A small client of the NBD protocol, written from its specification and apart from the server's code, and a checked
workload that knows what a drive may contain after a power cut.
"""

from __future__ import annotations

import random
import socket
import struct
from dataclasses import dataclass, field

READ, WRITE, DISC, FLUSH, TRIM, WRITE_ZEROES = 0, 1, 2, 3, 4, 6
FUA, NO_HOLE, FAST_ZERO = 1, 2, 16
EXPORT_NAME, ABORT, LIST, STARTTLS, INFO, GO, STRUCTURED_REPLY = 1, 2, 3, 5, 6, 7, 8
ACK, SERVER, REP_INFO = 1, 2, 3
ERR_UNSUP, ERR_INVALID, ERR_UNKNOWN, ERR_TOO_BIG = (2**31 + k for k in (1, 3, 6, 9))
EPERM, EIO, EINVAL, ENOSPC, ESHUTDOWN = 1, 5, 22, 28, 108


def option(number, data=b""):
    return b"IHAVEOPT" + struct.pack(">II", number, len(data)) + data


def info_data(name=b"", asked=()):
    return struct.pack(">I", len(name)) + name + struct.pack(f">H{len(asked)}H", len(asked), *asked)


def request(kind, cookie, offset=0, length=0, flags=0, data=b""):
    return struct.pack(">IHHQQI", 0x25609513, flags, kind, cookie, offset, length) + data


class Closed(Exception):
    """The server has closed the connection."""


class Client:
    """A connection. `size`, `flags`, `block_sizes`: what the server has told about the export."""

    def __init__(self, path, handshake=True):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self._sent = {}  # what is under way: the lengths of the data of replies, by cookie
        self._cookie = 0
        if handshake:
            self.shake_hands()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def shake_hands(self):
        magic, option_magic, flags = struct.unpack(">8s8sH", self.receive(18))
        assert (magic, option_magic, flags & 3) == (b"NBDMAGIC", b"IHAVEOPT", 3)
        self.socket.sendall(struct.pack(">I", 3))
        self.go()

    def go(self):
        kind, replies = self.haggle(GO, info_data(asked=[3]))
        assert kind == ACK
        infos = {struct.unpack(">H", reply[:2])[0]: reply[2:] for _, reply in replies}
        self.size, self.flags = struct.unpack(">QH", infos[0])
        self.block_sizes = struct.unpack(">III", infos[3])

    def haggle(self, number, data=b""):
        """Sends an option. Returns the kind of the last reply, and the kinds and data of all others, or the data of an
        error."""
        self.socket.sendall(option(number, data))
        replies = []
        while True:
            magic, same, kind, length = struct.unpack(">QIII", self.receive(20))
            assert (magic, same) == (0x3E889045565A9, number)
            replies.append((kind, self.receive(length)))
            if kind == ACK or kind >> 31:
                return kind, replies if kind >> 31 else replies[:-1]

    def receive(self, count):
        parts = []
        while count:
            try:
                part = self.socket.recv(count)
            except ConnectionResetError:
                part = b""
            if not part:
                raise Closed
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def send(self, kind, offset=0, length=0, flags=0, data=b""):
        """Sends a request and returns its cookie."""
        self._cookie += 1
        self._sent[self._cookie] = length if kind == READ else 0
        try:
            self.socket.sendall(request(kind, self._cookie, offset, length, flags, data))
        except (BrokenPipeError, ConnectionResetError):
            raise Closed from None
        return self._cookie

    def reply(self):
        """Receives the next reply. Returns its cookie, error and data."""
        magic, error, cookie = struct.unpack(">IIQ", self.receive(16))
        assert magic == 0x67446698
        length = self._sent.pop(cookie)
        return cookie, error, self.receive(length) if error == 0 else b""

    def errors_until_closed(self):
        """Receives replies until the server closes the connection. Returns their errors."""
        errors = []
        try:
            while True:
                errors.append(self.reply()[1])
        except Closed:
            return errors

    def do(self, *arguments, **options):
        """Sends a request and waits for its reply. Returns the error and the data."""
        cookie = self.send(*arguments, **options)
        replied, error, data = self.reply()
        assert replied == cookie
        return error, data

    def read(self, offset, length):
        error, data = self.do(READ, offset, length)
        assert error == 0
        return data

    def write(self, offset, data, flags=0):
        assert self.do(WRITE, offset, len(data), flags, data) == (0, b"")


BLOCK = 4096
SECTOR = 512


def content(block, version):
    """Returns the data of a version of a block. Each sector tells its block and version."""
    return (struct.pack(">QQ", block, version) + bytes([version & 255]) * (SECTOR - 16)) * (BLOCK // SECTOR)


@dataclass
class Block:
    """What is known of a block. `versions`: those that it may have after a power cut, with their data. `latest`: the
    version written last. `completed`: the latest version whose write has completed. `busy`: whether one is under way.
    """

    versions: dict[int, bytes] = field(default_factory=lambda: {0: bytes(BLOCK)})
    latest: int = 0
    completed: int = 0
    busy: bool = False

    def is_durable(self, version):
        """Forgets what is older than a durable version."""
        self.versions = {other: data for other, data in self.versions.items() if other >= version}


class CheckedWorkload:
    """Random reads, writes, zeroes and flushes over several connections, with checks of all that is read.

    At most one write of a block is under way, since the order of two is undefined. `always_durable`: whether a write is
    durable at its completion, for a drive without volatile cache.
    """

    def __init__(self, blocks, seed, always_durable=False):
        self.blocks = [Block() for _ in range(blocks)]
        self.random = random.Random(seed)
        self.always_durable = always_durable
        self.failed = 0  # requests that the power cuts have ended
        self._versions = 0
        self._under_way = {}  # what a reply means, by connection and cookie

    def run(self, clients, requests, depth):
        """Sends requests and takes replies, with `depth` under way, and returns without waiting for the last ones."""
        for _ in range(requests):
            while len(self._under_way) >= depth:
                self._take_reply(next(iter(self._under_way))[0])
            self._send(self.random.choice(clients))

    def finish(self):
        while self._under_way:
            self._take_reply(next(iter(self._under_way))[0])

    def lose_power(self):
        """Takes the replies that are still to come after a power cut, until the connections are closed."""
        while self._under_way:
            client = next(iter(self._under_way))[0]
            try:
                self._take_reply(client)
            except Closed:
                for key in [key for key in self._under_way if key[0] is client]:
                    del self._under_way[key]
                    self.failed += 1

    def check_all(self, client):
        """Reads all blocks after a power cut, each of which must have allowed versions, sector by sector. What is found
        is what they have from now on."""
        for number, block in enumerate(self.blocks):
            data = client.read(number * BLOCK, BLOCK)
            for at in range(0, BLOCK, SECTOR):
                allowed = [version[at : at + SECTOR] for version in block.versions.values()]
                assert data[at : at + SECTOR] in allowed, f"block {number}: lost, of versions {list(block.versions)}"
            block.versions = {block.latest: data}
            block.completed = block.latest
            block.busy = False

    def _send(self, client):
        kind = self.random.random()
        number = self.random.randrange(len(self.blocks))
        block = self.blocks[number]
        if kind < 0.02:
            self._under_way[client, client.send(FLUSH)] = ("flush", [block.completed for block in self.blocks])
        elif kind < 0.4 or block.busy:
            cookie = client.send(READ, number * BLOCK, BLOCK)
            self._under_way[client, cookie] = ("read", number, None if block.busy else block.latest)
        else:
            self._versions += 1
            zeroes = kind < 0.45
            data = bytes(BLOCK) if zeroes else content(number, self._versions)
            forced = self.random.random() < 0.1
            block.latest, block.busy = self._versions, True
            block.versions[self._versions] = data
            flags = FUA if forced else 0
            if zeroes:
                cookie = client.send(WRITE_ZEROES, number * BLOCK, BLOCK, flags)
            else:
                cookie = client.send(WRITE, number * BLOCK, BLOCK, flags, data)
            self._under_way[client, cookie] = ("write", number, self._versions, forced)

    def _take_reply(self, client):
        cookie, error, data = client.reply()
        what = self._under_way.pop((client, cookie))
        if error:
            assert error == ESHUTDOWN
            self.failed += 1
            return
        if what[0] == "flush":
            for block, version in zip(self.blocks, what[1], strict=True):
                block.is_durable(version)
        elif what[0] == "write":
            _, number, version, forced = what
            block = self.blocks[number]
            block.busy = False
            block.completed = version
            if forced or self.always_durable:
                block.is_durable(version)
        elif self.blocks[what[1]].latest == what[2]:  # and has not been written since
            assert data == self.blocks[what[1]].versions[what[2]]
