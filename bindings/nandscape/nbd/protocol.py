# SPDX-License-Identifier: Apache-2.0
"""The numbers of the NBD protocol and the layout of its messages, which are in network byte order.

The names are those of the specification (doc/proto.md of the NBD project) without the prefix NBD_.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from struct import Struct

# Section "Newstyle negotiation"
INIT_PASSWORD = b"NBDMAGIC"
OPTION_MAGIC = b"IHAVEOPT"
OPTION_REPLY_MAGIC = 0x3E889045565A9
GREETING = Struct(">8s8sH")  # INIT_PASSWORD, OPTION_MAGIC, handshake flags
CLIENT_FLAGS = Struct(">I")
OPTION = Struct(">8sII")  # OPTION_MAGIC, option, length of its data
OPTION_REPLY = Struct(">QIII")  # OPTION_REPLY_MAGIC, option, kind of reply, length of its data
EXPORT = Struct(">QH")  # size in bytes, transmission flags; the answer to EXPORT_NAME and the end of INFO_EXPORT
RESERVED_ZEROES = bytes(124)  # after the answer to EXPORT_NAME, unless NO_ZEROES is agreed
INFO_EXPORT = Struct(">HQH")  # Info.EXPORT, then EXPORT
INFO_BLOCK_SIZE = Struct(">HIII")  # Info.BLOCK_SIZE, minimum, preferred block, most payload
# "a string [...] MUST be no longer than 4096 bytes"; the rest is room for a list of information requests.
MOST_OPTION_BYTES = 8192

# Sections "Request message" and "Simple reply message"
REQUEST_MAGIC = 0x25609513
SIMPLE_REPLY_MAGIC = 0x67446698
REQUEST = Struct(">IHHQQI")  # REQUEST_MAGIC, command flags, type, cookie, offset, length
SIMPLE_REPLY = Struct(">IIQ")  # SIMPLE_REPLY_MAGIC, error, cookie

# Section "Size constraints"
SMALLEST_BLOCK = 512
MOST_PAYLOAD = 1 << 25


class HandshakeFlag(IntFlag):
    """Flags of the server's greeting. The client answers with the same bits."""

    FIXED_NEWSTYLE = 1 << 0
    NO_ZEROES = 1 << 1


class TransmissionFlag(IntFlag):
    """What an export can do."""

    HAS_FLAGS = 1 << 0
    READ_ONLY = 1 << 1
    SEND_FLUSH = 1 << 2
    SEND_FUA = 1 << 3
    SEND_TRIM = 1 << 5
    SEND_WRITE_ZEROES = 1 << 6
    CAN_MULTI_CONN = 1 << 8
    SEND_FAST_ZERO = 1 << 11


class Option(IntEnum):
    EXPORT_NAME = 1
    ABORT = 2
    LIST = 3
    INFO = 6
    GO = 7


class Info(IntEnum):
    EXPORT = 0
    NAME = 1
    DESCRIPTION = 2
    BLOCK_SIZE = 3


class OptionReply(IntEnum):
    ACK = 1
    SERVER = 2
    INFO = 3
    ERR_UNSUP = (1 << 31) + 1
    ERR_INVALID = (1 << 31) + 3
    ERR_UNKNOWN = (1 << 31) + 6
    ERR_TOO_BIG = (1 << 31) + 9


class CommandType(IntEnum):
    READ = 0
    WRITE = 1
    DISC = 2
    FLUSH = 3
    TRIM = 4
    WRITE_ZEROES = 6


class CommandFlag(IntFlag):
    FUA = 1 << 0
    NO_HOLE = 1 << 1
    FAST_ZERO = 1 << 4


class NbdError(IntEnum):
    """Section "Error values"."""

    EPERM = 1
    EIO = 5
    EINVAL = 22
    ENOSPC = 28
    ESHUTDOWN = 108
