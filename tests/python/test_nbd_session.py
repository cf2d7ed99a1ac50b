# SPDX-License-Identifier: Apache-2.0
"""Tests that the server's side of the NBD protocol keeps to the specification, without a socket and without a drive."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nandscape.nbd.session import Export, Session
from nbd_client import (
    ABORT,
    ACK,
    DISC,
    EINVAL,
    ENOSPC,
    EPERM,
    ERR_INVALID,
    ERR_TOO_BIG,
    ERR_UNKNOWN,
    ERR_UNSUP,
    EXPORT_NAME,
    FAST_ZERO,
    FLUSH,
    FUA,
    GO,
    INFO,
    LIST,
    NO_HOLE,
    READ,
    REP_INFO,
    SERVER,
    STARTTLS,
    STRUCTURED_REPLY,
    TRIM,
    WRITE,
    WRITE_ZEROES,
    info_data,
    option,
    request,
)

SIZE = 1 << 30
MOST_PAYLOAD = 1 << 25
NOTHING = 1 << 4  # an information that nobody knows


def session(client_flags=3, read_only=False):
    """Returns a session whose client has answered the greeting, and no output is left."""
    new = Session(Export(SIZE, 16384, read_only, "a drive"))
    assert taken(new) == b"NBDMAGICIHAVEOPT" + struct.pack(">H", 3)
    assert sent(new, struct.pack(">I", client_flags)) == []
    return new


def transmitting(**options):
    ready = session(**options)
    assert sent(ready, option(GO, info_data())) == []
    taken(ready)
    return ready


def sent(to, data, at_once=1 << 20):
    """Sends data in pieces of at most `at_once` bytes. Returns the requests."""
    requests = []
    while data and not to.ended:
        room = to.buffer()
        count = min(len(data), len(room), at_once)
        room[:count] = data[:count]
        data = data[count:]
        requests += to.received(count)
    return requests


def taken(from_):
    """Returns the output, which is then empty."""
    data = b"".join(from_.output)
    from_.output.clear()
    return data


def answers(to, *options, at_once=1 << 20):
    """Returns the kinds and the data of the replies to options."""
    assert sent(to, b"".join(options), at_once) == []
    data, replies = taken(to), []
    while data:
        magic, _, kind, length = struct.unpack_from(">QIII", data)
        assert magic == 0x3E889045565A9
        replies.append((kind, data[20 : 20 + length]))
        data = data[20 + length :]
    return replies


def errors(to, *requests):
    """Returns the errors of requests that do not reach the drive, by cookie."""
    assert sent(to, b"".join(requests)) == []
    return {cookie: error for _, error, cookie in struct.iter_unpack(">IIQ", taken(to))}


@pytest.mark.parametrize("number", [INFO, GO])
@pytest.mark.parametrize("at_once", [1, 1 << 20])
def test_the_export_is_described(number, at_once):
    asked = info_data(asked=[NOTHING, 1, 2, 3])
    *infos, last = answers(session(), option(number, asked), at_once=at_once)
    assert last == (ACK, b"")
    assert {kind for kind, _ in infos} == {REP_INFO}
    found = {data[:2]: data[2:] for _, data in infos}
    size, flags = struct.unpack(">QH", found.pop(b"\0\0"))
    assert size == SIZE
    # has flags, flush, FUA, trim, Write Zeroes, several connections, fast zeroes
    assert flags == 1 << 0 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 8 | 1 << 11
    assert found == {b"\0\1": b"", b"\0\2": b"a drive", b"\0\3": struct.pack(">III", 512, 16384, MOST_PAYLOAD)}


def test_options_are_answered_until_transmission_begins():
    replies = answers(
        session(),
        option(LIST),
        option(LIST, b"x"),
        option(STRUCTURED_REPLY),
        option(STARTTLS),
        option(77, bytes(500)),
        option(INFO, info_data(b"other")),
        option(GO, info_data(b"other")),
        option(GO, b""),
        option(GO, info_data() + b"x"),
        option(GO, struct.pack(">IH", 2**32 - 1, 0)),
        option(GO, struct.pack(">IH", 0, 2**16 - 1)),
        option(EXPORT_NAME + 100, bytes(100_000)),
        option(ABORT, b"ignored"),
    )
    kinds = [kind for kind, _ in replies]
    assert kinds == [
        SERVER,
        ACK,
        ERR_INVALID,
        *[ERR_UNSUP] * 3,
        *[ERR_UNKNOWN] * 2,
        *[ERR_INVALID] * 4,
        ERR_TOO_BIG,
        ACK,
    ]
    assert replies[0][1] == b"\0\0\0\0a drive"


def test_abort_ends_the_session():
    aborted = session()
    answers(aborted, option(ABORT))
    assert aborted.ended


@pytest.mark.parametrize(("client_flags", "zeroes"), [(1, 124), (3, 0)])
def test_the_old_way_into_transmission(client_flags, zeroes):
    old = session(client_flags)
    assert sent(old, option(EXPORT_NAME)) == []
    answer = taken(old)
    assert struct.unpack(">Q", answer[:8]) == (SIZE,)
    assert answer[10:] == bytes(zeroes)
    assert [one.operation for one in sent(old, request(READ, 1, 0, 512))] == ["read"]


@pytest.mark.parametrize(
    "wrong",
    [
        option(EXPORT_NAME, b"other"),
        b"IHAVEOPS" + bytes(8),
    ],
)
def test_a_session_without_a_valid_option_ends(wrong):
    ended = session()
    sent(ended, wrong)
    assert ended.ended
    assert taken(ended) == b""


def test_unknown_client_flags_end_the_session():
    new = Session(Export(SIZE, 4096, False, ""))
    sent(new, struct.pack(">I", 4))
    assert new.ended


@pytest.mark.parametrize("at_once", [1, 27, 513, 65536])
def test_requests_come_out_as_they_went_in(at_once):
    small, large = bytes(range(256)) * 2, bytes(range(251)) * 800  # larger than what is received at once
    large = large[: len(large) // 512 * 512]
    stream = [
        request(READ, 1, 4096, 8192),
        request(WRITE, 2, 512, len(small), FUA, small),
        request(WRITE, 2**64 - 1, 0, len(large), 0, large),
        request(FLUSH, 4),
        request(TRIM, 5, 0, SIZE // 2, FUA),
        request(WRITE_ZEROES, 6, 1024, 512, NO_HOLE | FAST_ZERO),
        request(READ, 7, SIZE - MOST_PAYLOAD, MOST_PAYLOAD),
    ]
    ready = transmitting()
    requests = sent(ready, b"".join(stream), at_once)
    assert [(r.operation, r.cookie, r.offset, r.length, r.forced, bytes(r.data)) for r in requests] == [
        ("read", 1, 4096, 8192, False, b""),
        ("write", 2, 512, 512, True, small),
        ("write", 2**64 - 1, 0, len(large), False, large),
        ("flush", 4, 0, 0, False, b""),
        ("trim", 5, 0, SIZE // 2, True, b""),
        ("write_zeroes", 6, 1024, 512, False, b""),
        ("read", 7, SIZE - MOST_PAYLOAD, MOST_PAYLOAD, False, b""),
    ]
    assert taken(ready) == b""


def test_replies():
    ready = transmitting()
    read, flush = sent(ready, request(READ, 5, 0, 512) + request(FLUSH, 2**63))
    ready.reply(flush, 0)
    ready.reply(read, 0, bytes(512))
    ready.reply(read, EPERM)
    ok = struct.pack(">IIQ", 0x67446698, 0, 2**63)
    assert taken(ready) == ok + struct.pack(">IIQ", 0x67446698, 0, 5) + bytes(512) + struct.pack(
        ">IIQ", 0x67446698, EPERM, 5
    )


def test_what_the_drive_could_not_do_is_refused():
    wrong = {
        1: (request(READ, 1, 1, 512), EINVAL),
        2: (request(READ, 2, 0, 100), EINVAL),
        3: (request(READ, 3, 0, 0), EINVAL),
        4: (request(READ, 4, SIZE, 512), EINVAL),
        5: (request(READ, 5, 2**64 - 512, 512), EINVAL),
        6: (request(READ, 6, 0, MOST_PAYLOAD + 512), EINVAL),
        7: (request(READ, 7, 0, 512, 1 << 2), EINVAL),  # DF was not offered
        8: (request(WRITE, 8, SIZE - 512, 1024, 0, bytes(1024)), ENOSPC),
        9: (request(WRITE, 9, 100, 1024, 0, bytes(1024)), EINVAL),
        10: (request(WRITE, 10, 0, 70_000, 0, bytes(70_000)), EINVAL),
        11: (request(WRITE, 11, 0, 512, NO_HOLE, bytes(512)), EINVAL),
        12: (request(WRITE_ZEROES, 12, SIZE, 512), ENOSPC),
        13: (request(TRIM, 13, SIZE, 512), EINVAL),
        14: (request(TRIM, 14, 0, 512, NO_HOLE), EINVAL),
        15: (request(FLUSH, 15, 0, 512), EINVAL),
        16: (request(5, 16, 0, 512), EINVAL),  # CACHE was not offered
        17: (request(7, 17, 0, 512), EINVAL),  # nor BLOCK_STATUS
    }
    ready = transmitting()
    assert errors(ready, *(data for data, _ in wrong.values())) == {k: error for k, (_, error) in wrong.items()}
    assert not ready.ended
    assert [one.cookie for one in sent(ready, request(READ, 99, 0, 512))] == [99]


def test_a_refusal_waits_for_the_data_of_its_write():
    ready = transmitting()
    data = request(WRITE, 1, SIZE, 512, 0, bytes(512))
    assert sent(ready, data[:-1]) == []
    assert ready.output == []
    assert errors(ready, data[-1:]) == {1: ENOSPC}


def test_a_read_only_drive_takes_reads_and_flushes():
    ready = transmitting(read_only=True)
    writes = [request(WRITE, 1, 0, 512, 0, bytes(512)), request(TRIM, 2, 0, 512), request(WRITE_ZEROES, 3, 0, 512)]
    assert errors(ready, *writes) == {1: EPERM, 2: EPERM, 3: EPERM}
    assert [one.operation for one in sent(ready, request(READ, 4, 0, 512) + request(FLUSH, 5))] == ["read", "flush"]


@pytest.mark.parametrize(
    "last",
    [
        request(DISC, 9),
        b"\0" * 28,
        request(WRITE, 9, 0, MOST_PAYLOAD + 512),
    ],
)
def test_the_end_of_transmission(last):
    ready = transmitting()
    assert [one.cookie for one in sent(ready, request(READ, 1, 0, 512) + last + request(READ, 2, 0, 512))] == [1]
    assert ready.ended


PIECES = st.one_of(
    st.binary(max_size=64),
    st.builds(option, st.integers(0, 12), st.binary(max_size=40)),
    st.builds(
        request,
        st.integers(0, 8),
        st.integers(0, 2**64 - 1),
        st.integers(0, 2**64 - 1) | st.just(0),
        st.integers(0, 2**32 - 1) | st.just(512),
        st.integers(0, 31),
        st.binary(max_size=600),
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.booleans(), st.lists(PIECES, max_size=12), st.integers(1, 3000))
def test_any_input_is_taken(in_transmission, pieces, at_once):
    any_ = transmitting() if in_transmission else session()
    for one in sent(any_, b"".join(pieces), at_once):
        assert one.offset % 512 == one.length % 512 == 0
        assert one.offset + one.length <= SIZE
        assert len(one.data) == (one.length if one.operation == "write" else 0)
