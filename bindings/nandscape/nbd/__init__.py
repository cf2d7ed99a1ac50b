# SPDX-License-Identifier: Apache-2.0
"""A simulated drive as a network block device: any program that speaks NBD can use it while it is simulated.

The rules of the protocol are those of the NBD project (doc/proto.md in https://github.com/NetworkBlockDevice/nbd).
`session` speaks it without a socket, `connection` has the socket of a client, `drive` turns requests into commands of
the simulation, `pace` decides how simulated time passes beside the wall clock, and `server` has the loop.
"""

from nandscape.nbd.server import NbdServer, serve

__all__ = ["NbdServer", "serve"]
