# SPDX-License-Identifier: Apache-2.0
"""One client's conversation with the server, without its socket: received bytes go in, requests and bytes to be sent
come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import error as TooShort
from struct import unpack_from

from nandscape.nbd.protocol import (
    CLIENT_FLAGS,
    EXPORT,
    GREETING,
    INFO_BLOCK_SIZE,
    INFO_EXPORT,
    INIT_PASSWORD,
    MOST_OPTION_BYTES,
    MOST_PAYLOAD,
    OPTION,
    OPTION_MAGIC,
    OPTION_REPLY,
    OPTION_REPLY_MAGIC,
    REQUEST,
    REQUEST_MAGIC,
    RESERVED_ZEROES,
    SIMPLE_REPLY,
    SIMPLE_REPLY_MAGIC,
    SMALLEST_BLOCK,
    CommandFlag,
    CommandType,
    HandshakeFlag,
    Info,
    NbdError,
    Option,
    OptionReply,
    TransmissionFlag,
)

# Plain numbers for the path that every request takes: a look-up in an enumeration costs more than the comparison.
_READ, _WRITE, _DISC, _FLUSH, _TRIM, _WRITE_ZEROES = map(int, CommandType)
_FUA = int(CommandFlag.FUA)
_KNOWN_FLAGS = {
    _READ: _FUA,
    _WRITE: _FUA,
    _FLUSH: _FUA,
    _TRIM: _FUA,
    _WRITE_ZEROES: _FUA | int(CommandFlag.NO_HOLE) | int(CommandFlag.FAST_ZERO),
}
_OPERATIONS = {_READ: "read", _WRITE: "write", _FLUSH: "flush", _TRIM: "trim", _WRITE_ZEROES: "write_zeroes"}
_WRITING = (_WRITE, _TRIM, _WRITE_ZEROES)

_RECEIVED_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Export:
    """What the server tells a client about the drive. `size`, `preferred_block`: in bytes."""

    size: int
    preferred_block: int
    read_only: bool
    description: str

    @property
    def flags(self) -> TransmissionFlag:
        """What the drive can do. All connections share its cache, so a flush covers the writes of all (CAN_MULTI_CONN).
        It zeroes by deallocation, which is faster than a write (SEND_FAST_ZERO) and keeps the room for later writes
        (NO_HOLE), since flash is never promised twice."""
        flags = TransmissionFlag
        can = flags.HAS_FLAGS | flags.SEND_FLUSH | flags.SEND_FUA | flags.CAN_MULTI_CONN
        can |= flags.SEND_TRIM | flags.SEND_WRITE_ZEROES | flags.SEND_FAST_ZERO
        return can | flags.READ_ONLY if self.read_only else can


class Request:
    """A request of a client that the drive can carry out. `operation`: as in a trace, "read", "write", "flush", "trim"
    or "write_zeroes". `offset`, `length`: in bytes, whole sectors inside the export; 0 for a flush. `forced`: whether
    the data must be on flash at the reply (FUA). `data`: of a write."""

    __slots__ = ("cookie", "data", "forced", "length", "offset", "operation")

    def __init__(
        self, operation: str, cookie: int, offset: int, length: int, forced: bool, data: bytes | bytearray
    ) -> None:
        self.operation = operation
        self.cookie = cookie
        self.offset = offset
        self.length = length
        self.forced = forced
        self.data = data


class Session:
    """The server's side of one connection.

    The owner lets a socket fill `buffer()`, passes the number of bytes to `received()`, carries out the requests that
    it returns, and calls `reply()` for each. `output` has the pieces of bytes to be sent, which the owner removes.
    After `ended` is set, no more input is wanted: the owner closes the socket once the requests are replied to and the
    output is sent. The server speaks first: a new session has output.
    """

    def __init__(self, export: Export) -> None:
        self.output: list[bytes | memoryview] = []
        self.ended = False
        self._export = export
        self._step = self._client_flags
        self._input = memoryview(bytearray(_RECEIVED_AT_ONCE))
        self._begin = self._end = 0  # of the received bytes in the input that are not taken yet
        self._left_out_zeroes = False
        self._ignored = 0  # bytes of a refused message that are still to come
        self._refusal = b""  # the reply that is sent when these bytes have come
        self._writing: Request | None = None  # a write whose data are still to come
        self._data = memoryview(b"")  # the part of its data that is still to come
        flags = HandshakeFlag.FIXED_NEWSTYLE | HandshakeFlag.NO_ZEROES
        self.output.append(GREETING.pack(INIT_PASSWORD, OPTION_MAGIC, flags))

    def buffer(self) -> memoryview:
        """Returns the memory for the next bytes."""
        if self._writing is not None:
            return self._data
        if self._begin == self._end:
            self._begin = self._end = 0
        elif self._begin:
            left = bytes(self._input[self._begin : self._end])
            self._begin, self._end = 0, len(left)
            self._input[: self._end] = left
        return self._input[self._end :]

    def received(self, count: int) -> list[Request]:
        """Takes `count` bytes that are in `buffer()`. Returns the requests that are now complete."""
        requests: list[Request] = []
        if self._writing is None:
            self._end += count
        else:
            self._data = self._data[count:]
            if self._data.nbytes:
                return requests
            requests.append(self._writing)
            self._writing = None
        while not self.ended and self._passed_over() and self._step(requests):
            pass
        return requests

    def reply(self, request: Request, error: int, data: bytes | None = None) -> None:
        """Puts the simple reply to a request into the output. `error`: 0 or an `NbdError`. `data`: of a read that
        succeeded."""
        self.output.append(SIMPLE_REPLY.pack(SIMPLE_REPLY_MAGIC, error, request.cookie))
        if data is not None:
            self.output.append(data)

    # Each step takes one message from the input and returns True, or returns False until the message is complete.

    def _passed_over(self) -> bool:
        """Drops the bytes of a refused message. Returns whether all of them have come."""
        if not self._ignored:
            return True
        dropped = min(self._ignored, self._end - self._begin)
        self._begin += dropped
        self._ignored -= dropped
        if self._ignored:
            return False
        self.output.append(self._refusal)
        return True

    def _refuse_after(self, count: int, refusal: bytes) -> bool:
        """Sends `refusal` when the next `count` bytes have come. A client need not take a reply before it has sent its
        message."""
        self._ignored, self._refusal = count, refusal
        if not count:
            self.output.append(refusal)
        return True

    def _end_session(self) -> bool:
        self.ended = True
        return False

    # --- the handshake

    def _client_flags(self, _: list[Request]) -> bool:
        if self._end - self._begin < CLIENT_FLAGS.size:
            return False
        (flags,) = CLIENT_FLAGS.unpack_from(self._input, self._begin)
        self._begin += CLIENT_FLAGS.size
        # "the server MUST drop the TCP connection if the client sets an unknown flag"
        if flags & ~int(HandshakeFlag.FIXED_NEWSTYLE | HandshakeFlag.NO_ZEROES):
            return self._end_session()
        self._left_out_zeroes = bool(flags & HandshakeFlag.NO_ZEROES)
        self._step = self._option
        return True

    def _option(self, _: list[Request]) -> bool:
        if self._end - self._begin < OPTION.size:
            return False
        magic, option, length = OPTION.unpack_from(self._input, self._begin)
        if magic != OPTION_MAGIC:
            return self._end_session()
        if length > MOST_OPTION_BYTES:
            self._begin += OPTION.size
            text = f"the data of an option have at most {MOST_OPTION_BYTES} bytes"
            return self._refuse_after(length, _option_reply(option, OptionReply.ERR_TOO_BIG, text.encode()))
        if self._end - self._begin < OPTION.size + length:
            return False
        data = bytes(self._input[self._begin + OPTION.size : self._begin + OPTION.size + length])
        self._begin += OPTION.size + length
        if option == Option.EXPORT_NAME:
            return self._export_name(data)
        if option == Option.ABORT:
            self._answer(option, OptionReply.ACK)
            return self._end_session()
        if option == Option.LIST:
            self._list(data)
        elif option in (Option.INFO, Option.GO):
            self._info(option, data)
        else:
            self._answer(option, OptionReply.ERR_UNSUP, "this server does not know the option")
        return True

    def _export_name(self, name: bytes) -> bool:
        # "If the server is unwilling to allow the export, it MUST terminate the session."
        if name:
            return self._end_session()
        self.output.append(EXPORT.pack(self._export.size, self._export.flags))
        if not self._left_out_zeroes:
            self.output.append(RESERVED_ZEROES)
        self._step = self._request
        return True

    def _list(self, data: bytes) -> None:
        if data:
            return self._answer(Option.LIST, OptionReply.ERR_INVALID, "LIST has no data")
        # The length of the name, which is empty, and a text for people
        self._answer(Option.LIST, OptionReply.SERVER, "\0\0\0\0" + self._export.description)
        return self._answer(Option.LIST, OptionReply.ACK)

    def _info(self, option: int, data: bytes) -> None:
        export_and_asked = _export_and_asked(data)
        if export_and_asked is None:
            return self._answer(option, OptionReply.ERR_INVALID, "the data of the option do not have the given lengths")
        name, asked = export_and_asked
        if name:
            text = "the server has one drive, the default export, whose name is empty"
            return self._answer(option, OptionReply.ERR_UNKNOWN, text)
        export = self._export
        self._answer(option, OptionReply.INFO, INFO_EXPORT.pack(Info.EXPORT, export.size, export.flags))
        sizes = INFO_BLOCK_SIZE.pack(Info.BLOCK_SIZE, SMALLEST_BLOCK, export.preferred_block, MOST_PAYLOAD)
        self._answer(option, OptionReply.INFO, sizes)
        for kind, text in ((Info.NAME, ""), (Info.DESCRIPTION, export.description)):
            if kind in asked:
                self._answer(option, OptionReply.INFO, kind.to_bytes(2, "big") + text.encode())
        if option == Option.GO:
            self._step = self._request
        return self._answer(option, OptionReply.ACK)

    def _answer(self, option: int, kind: OptionReply, data: str | bytes = b"") -> None:
        self.output.append(_option_reply(option, kind, data.encode() if isinstance(data, str) else data))

    # --- the transmission

    def _request(self, requests: list[Request]) -> bool:
        begin = self._begin
        if self._end - begin < REQUEST.size:
            return False
        magic, flags, kind, cookie, offset, length = REQUEST.unpack_from(self._input, begin)
        payload = length if kind == _WRITE else 0
        # A larger payload may be taken for an attack ("Size constraints").
        if magic != REQUEST_MAGIC or kind == _DISC or payload > MOST_PAYLOAD:
            return self._end_session()
        begin = self._begin = begin + REQUEST.size
        if error := self._error_in(kind, flags, offset, length):
            return self._refuse_after(payload, SIMPLE_REPLY.pack(SIMPLE_REPLY_MAGIC, error, cookie))
        request = Request(_OPERATIONS[kind], cookie, offset, length, bool(flags & _FUA), b"")
        if payload:
            there = min(self._end - begin, payload)
            self._begin += there
            if there < payload:
                request.data = bytearray(payload)
                self._data = memoryview(request.data)
                self._data[:there] = self._input[begin : begin + there]
                self._data = self._data[there:]
                self._writing = request
                return False
            request.data = bytes(self._input[begin : begin + there])
        requests.append(request)
        return True

    def _error_in(self, kind: int, flags: int, offset: int, length: int) -> int:
        """Returns the error of a request that does not reach the drive, or 0. The rules are in the sections "Error
        values" and "Size constraints"."""
        if kind not in _OPERATIONS or flags & ~_KNOWN_FLAGS[kind]:
            return NbdError.EINVAL
        if kind == _FLUSH:
            return NbdError.EINVAL if offset or length else 0
        if self._export.read_only and kind in _WRITING:
            return NbdError.EPERM
        if length == 0 or offset % SMALLEST_BLOCK or length % SMALLEST_BLOCK:
            return NbdError.EINVAL
        if offset + length > self._export.size:
            return NbdError.ENOSPC if kind in (_WRITE, _WRITE_ZEROES) else NbdError.EINVAL
        return NbdError.EINVAL if kind == _READ and length > MOST_PAYLOAD else 0


def _export_and_asked(data: bytes) -> tuple[bytes, tuple[int, ...]] | None:
    """Returns the name of the export and the information requests in the data of INFO and GO, or None if the data do
    not have the length that their fields give."""
    try:
        (length,) = unpack_from(">I", data)
        (count,) = unpack_from(">H", data, 4 + length)
        asked = unpack_from(f">{count}H", data, 6 + length)
    except TooShort:
        return None
    return (data[4 : 4 + length], asked) if len(data) == 6 + length + 2 * count else None


def _option_reply(option: int, kind: OptionReply, data: bytes) -> bytes:
    return OPTION_REPLY.pack(OPTION_REPLY_MAGIC, option, kind, len(data)) + data
