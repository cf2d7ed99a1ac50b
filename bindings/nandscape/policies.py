# SPDX-License-Identifier: Apache-2.0
"""Policies of the controller, written in Python.

Derive from one of the classes here and give an object of it where a configuration takes the name of a policy:

>>> cfg = ns.load("retry_tlc_512g", {"controller.read_retry.policy": MyRecovery()})

A configuration keeps a copy of the object (`copy.deepcopy`), and each controller that is built makes one of its own:
two runs of a configuration do not learn from each other, and after a power cut a policy begins anew. A class whose
objects are to be looked at after a run says so with a `__deepcopy__` that returns `self`.

A method is asked once for each decision, and its answer is checked. An answer that cannot be followed is a TypeError or
a ValueError that names the policy and shows the answer. What a method raises, SystemExit included, ends the run and is
raised from it, with a note that names the policy. The simulation is left in the middle of an event then: it tells its
statistics, and raises `RequestError` where it is to go on. Ctrl-C is no such error: it is put off until the event is
over.

A method may use other simulations; of the one that asks, every call raises `BusyError`. A checkpoint is refused, since
no file keeps the object.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple, SupportsIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Policy:
    """What all kinds of policies have in common. `key`: where a configuration takes one."""

    key: ClassVar[str]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__qualname__}({settings})"


class ReadStep(NamedTuple):
    """One read of a page.

    `retry_step`: of the flash's retry table, 0 for the default levels. `sensing_levels`: senses of each read level, 1
    to 7; 1 is a hard read. `adds_senses`: they add to those that the read before it has made of the page. `searches`:
    for the levels at which the page errs least; statistics count such reads by themselves.
    """

    retry_step: int
    sensing_levels: int = 1
    adds_senses: bool = False
    searches: bool = False


class ReadRecovery(Policy):
    """How a page is read, and read again as long as it cannot be decoded (`controller.read_retry.policy`).

    The attributes say how the retries use their die. They are read once, when the object is given to a configuration.

    `locks_die`: a page whose first read fails has its die to itself until it is decoded. Of these, `pipelines`: each
    step is sensed while the one before it moves out and is decoded. `adapts_timing`: the precharge of the steps is
    shortened, as far as `controller.read_retry.timing_table` allows. `reads_soft`: steps may take more than one sensing
    level. `learns`: a retry depends on what the reads before it have found, and `step_after` is asked in the place of
    `step`. Retries that lock their die do not learn.
    """

    key: ClassVar[str] = "controller.read_retry.policy"

    locks_die: bool = False
    pipelines: bool = False
    adapts_timing: bool = False
    reads_soft: bool = False
    learns: bool = False

    def step(self, order: Sequence[int], n: int) -> SupportsIndex | ReadStep | None:
        """The n-th read of a page, from 0 on: the number of a step, or a `ReadStep`; None when nothing is left to try.

        `order` has every step of the retry table once, the one that is most likely to succeed first. It begins with 0,
        or with `controller.read_retry.pso` with the step at which pages like this one were read of late.

        A page is read once whatever the first answer is: None stands for the default levels then. Once the answer is
        None, the read has failed. Reads that go to their die together (`controller.subpages.reads`) may ask for the
        same read again. An answer of another type raises TypeError, a step that the table does not have, a
        number of levels that cannot be sensed, or a page that is to be read again without end ValueError; senses that
        add none to those before raise `Error`.
        """
        return order[n] if n < len(order) else None

    def step_after(self, order: Sequence[int], errors: Sequence[int | None]) -> SupportsIndex | ReadStep | None:
        """The read of a page that follows so many, of a policy that `learns`.

        `errors`: of the worst codeword of each read before, in their order; None where nobody has counted them. They
        stand for what a controller counts of a page that it cannot decode: parity checks that do not hold, or cells
        between two levels. The rest is as in `step`.
        """
        return self.step(order, len(errors))


class Candidates(NamedTuple):
    """The blocks of a plane that can be collected, in the order of their numbers: arrays of one length, at least 1.

    `plane`: numbered over the device. `now_ps`: simulated time in ps. `units_per_block`: mapping units that a block
    holds; a unit is a page of the flash, or a part of one (`controller.mapping.unit_bytes`).

    `block`: numbered within the plane. `valid_units`: of `units_per_block`. `erase_count`: since the simulation began.
    `last_written_ps`: when a page of the block was last programmed, in ps of simulated time; 0 for what the device was
    preconditioned with.
    """

    plane: int
    now_ps: int
    units_per_block: int
    block: NDArray[np.uint32]
    valid_units: NDArray[np.uint32]
    erase_count: NDArray[np.uint32]
    last_written_ps: NDArray[np.uint64]


class VictimSelection(Policy):
    """Which block of a plane garbage collection empties next (`controller.garbage_collection.policy`)."""

    key: ClassVar[str] = "controller.garbage_collection.policy"

    def choose(self, candidates: Candidates) -> SupportsIndex:
        """The index of the block, in the arrays of the candidates: `candidates.valid_units.argmin()`.

        Asked once for each block that is collected, but where a plane has run out of free blocks: then it is the one
        with the fewest valid units. An answer that is no integer raises TypeError, one out of range ValueError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method choose()")


class BlockAge(NamedTuple):
    """What bears on the errors of a block's data, as far as the controller knows it.

    `age_hours`: since its oldest data were programmed, each hour counted as so many at 30 C. `pe_cycles`: program and
    erase cycles that it has been through. `reads`: page reads since it was programmed.
    """

    age_hours: float
    pe_cycles: int
    reads: int


class Refresh(Policy):
    """Which blocks are written anew before their data are lost (`controller.refresh.policy`)."""

    key: ClassVar[str] = "controller.refresh.policy"

    def due(self, block: BlockAge) -> bool:
        """Whether the block is to be emptied. Asked for each full block, every `controller.refresh.check_hours`.

        An answer that is neither True nor False raises TypeError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method due()")


class QueueKind(IntEnum):
    """The queues that a die's commands wait in. Background work is whatever the device does of its own accord."""

    HOST_READ = 0
    HOST_WRITE = 1
    BACKGROUND_READ = 2
    BACKGROUND_WRITE = 3
    ERASE = 4


class Scheduling(Policy):
    """Which of a die's queues is served next (`controller.scheduler.policy`)."""

    key: ClassVar[str] = "controller.scheduler.policy"

    def choose(
        self, channel: int, die: int, waiting_ps: Sequence[int | None], collection_urgent: bool, suspended: bool
    ) -> QueueKind | None:
        """The queue that a die serves next; asked whenever it could start something.

        `die`: of the channel. `waiting_ps`: by `QueueKind`, how long the first command of the queue has
        waited, in ps; None where there is none that could start. At least one is there. `collection_urgent`: a plane of
        the die has run out of blocks to write to. `suspended`: a program or an erase is suspended; only reads of the
        host wait then, and None resumes what is suspended. It is suspended again when another read has come.

        While a program is going on and its die has room in its cache register (`controller.scheduler.cache_program`),
        only a queue of writes has something to start; another answer means that the die waits. Likewise only reads of
        the host can follow a read as cache reads (`controller.scheduler.cache_read`).

        Raises ValueError for a queue that is empty, and for None where nothing is suspended.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method choose()")


class NewUnit(NamedTuple):
    """A mapping unit that the host writes, or a translation page: a page of the flash, or a part of one
    (`controller.mapping.unit_bytes`).

    `lpn`: its logical number; translation pages are numbered behind what is exported. `stream`: which of the open
    blocks of its plane it goes to, the streams of the host first, as `controller.streams.policy` counts them. Two with
    `hot_cold`, of which 0 is the hot one.

    `by_address`: the plane that `controller.mapping.allocation` gives its address or, where that has no room, the next
    one that has. `last`: the plane that the latest unit of the stream went to; None where `gathers` is False.
    `in_turn`: all planes that have room, in the order of the allocation, from the one behind `last` on, or from that of
    the address; at least 1. The array cannot be written to.
    """

    lpn: int
    stream: int
    by_address: int
    last: int | None
    in_turn: NDArray[np.intp]


class Planes(NamedTuple):
    """The planes of a drive: arrays by plane, which cannot be written to.

    Planes are numbered over the device: channel by channel, chip, die, plane. With `controller.parity`, a plane is
    what the superblocks lie on, a plane of each of several dies.

    `channel` and `die`: where a plane lies, numbered over the device; -1 where that is more than one. `backlog`: pages
    that are on their way to the plane, and not programmed yet. It is the same array whenever the policy is asked; copy
    what is to be kept.
    """

    channel: NDArray[np.int32]
    die: NDArray[np.int32]
    backlog: NDArray[np.uint32]


class Allocation(Policy):
    """Which plane new data go to (`controller.mapping.plane`). What moves stays on its plane.

    `gathers`: units of a stream that come together share a page, whatever their addresses, and the policy is asked once
    for the page. False: it is asked for each unit, which shares a page with others that go to its plane. Read once,
    when the object is given to a configuration; it matters where a page holds several units.
    """

    key: ClassVar[str] = "controller.mapping.plane"

    gathers: bool = True

    def choose(self, unit: NewUnit, planes: Planes) -> SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer]:
        """The plane of the unit, one of `unit.in_turn`: `unit.in_turn[0]`.

        Several planes are those of the next pages of the stream, one after the other. The policy is asked again when
        they are used up; what has lost its room by then is left out.

        An answer of another type raises TypeError; a plane that is not there, one without room, or none at all
        ValueError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method choose()")


class PlacedPage(NamedTuple):
    """A page that is about to be programmed.

    `type`: of the pages of its wordline, from the lowest bit on. `origin`: whose data it holds: "host", "mapping"
    (translation pages) or "migration" (what collection moves). `stream`: which of the open blocks of the plane it goes
    to. `block`: of the mapping, numbered over the device.
    """

    type: int
    origin: str
    stream: int
    block: int


class WriteMode(Policy):
    """How pages are programmed (`controller.write_mode`): each with an ISPP step of its own."""

    key: ClassVar[str] = "controller.write_mode"

    def step_mv(self, page: PlacedPage) -> SupportsIndex:
        """The ISPP step of the page, in mV; 0: the device's own. A larger one programs faster, and errs more.

        Asked once for each program, and again if it has to be repeated elsewhere. An answer that is no integer raises
        TypeError, a step that would lift cells of one state into the next ValueError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method step_mv()")
