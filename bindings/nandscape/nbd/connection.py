# SPDX-License-Identifier: Apache-2.0
"""The socket of a client, and what is under way for it."""

from __future__ import annotations

import selectors
import socket

from nandscape.nbd.drive import Operation, ServedDrive
from nandscape.nbd.protocol import MOST_PAYLOAD
from nandscape.nbd.session import Export, Session

# A client gets no more input taken while the bytes of its requests and replies, or its requests in the drive, reach
# these. There is room for two of the largest requests, and for a full queue of the drive.
_MOST_BYTES = 2 * MOST_PAYLOAD
_MOST_REQUESTS = 1024
_PIECES_AT_ONCE = 64


class Connection:
    """A client. `number`: counts connections from 1."""

    def __init__(self, number: int, connected: socket.socket, export: Export) -> None:
        self.number = number
        self.socket = connected
        self.session = Session(export)
        self.is_open = True
        self.interest = 0  # the events that the selector watches
        self.replies_to_answer = 0  # those after which the client has not sent a request yet
        self.answers_replies = True  # whether it has done so before the server lost its patience
        self._requests = 0  # in the drive
        self._bytes = 0  # of these requests

    @property
    def is_over(self) -> bool:
        """Whether the client wants nothing more and has got everything."""
        return self.session.ended and not self._requests and not self.session.output

    def wanted_events(self) -> int:
        output = self.session.output
        unsent = sum(map(len, output)) if output else 0
        is_full = self._requests >= _MOST_REQUESTS or self._bytes + unsent >= _MOST_BYTES
        wants = 0 if self.session.ended or is_full else selectors.EVENT_READ
        return wants | selectors.EVENT_WRITE if output else wants

    def receive(self, drive: ServedDrive) -> None:
        """Takes what the client has sent and starts its requests. Raises OSError if the client is gone."""
        while not self.session.ended and self._requests < _MOST_REQUESTS and self._bytes < _MOST_BYTES:
            buffer = self.session.buffer()
            try:
                count = self.socket.recv_into(buffer)
            except BlockingIOError:
                return
            if count == 0:
                raise ConnectionResetError("the client has closed the connection")
            for request in self.session.received(count):
                self._requests += 1
                self._bytes += request.length
                self.replies_to_answer = max(0, self.replies_to_answer - 1)
                self.answers_replies = True
                drive.start(self, request)
            if count < len(buffer):
                return

    def reply(self, operation: Operation) -> None:
        self._requests -= 1
        self._bytes -= operation.request.length
        self.replies_to_answer += self.answers_replies
        self.session.reply(operation.request, operation.error, operation.data)

    def send(self) -> None:
        """Sends what the socket takes. Raises OSError if the client is gone."""
        output = self.session.output
        while output:
            try:
                sent = self.socket.sendmsg(output[:_PIECES_AT_ONCE])
            except BlockingIOError:
                return
            whole = 0
            while whole < len(output) and sent >= len(output[whole]):
                sent -= len(output[whole])
                whole += 1
            del output[:whole]
            if sent:
                output[0] = memoryview(output[0])[sent:]
