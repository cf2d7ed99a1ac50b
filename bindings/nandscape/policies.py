# SPDX-License-Identifier: Apache-2.0
"""Policies of the controller, written in Python.

Derive from one of the classes here, and pass an instance where a configuration accepts the name of a policy:

>>> cfg = ns.load("retry_tlc_512g", {"controller.read_retry.policy": MyRecovery()})

A configuration keeps a copy of the object (`copy.deepcopy`), and each controller makes its own copy when it is built.
Two runs of a configuration therefore do not learn from each other, and a policy starts afresh after a power cut. To
inspect an object after a run, give its class a `__deepcopy__` that returns `self`.

The controller calls a method once for each decision and checks the answer. An answer that it cannot follow raises a
TypeError or a ValueError that names the policy and shows the answer. An exception in a method, SystemExit included,
ends the run and is raised from it, with a note that names the policy. The simulation then stops in the middle of an
event: its statistics can still be read, but continuing it raises `RequestError`. Ctrl-C does not interrupt a method: it
takes effect after the event.

A method may use other simulations; calling the simulation that called it raises `BusyError`. A checkpoint is refused,
since a file cannot hold the object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, SupportsIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Policy:
    """Base class of all kinds of policies. `key`: the configuration key that accepts a policy of this kind."""

    key: ClassVar[str]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__qualname__}({settings})"


class ReadStep(NamedTuple):
    """One read of a page.

    `retry_step`: step of the flash's retry table, 0 for the default levels. `sensing_levels`: the number of senses
    around each read level, from 1 to 7; 1 is a hard read. `adds_senses`: whether the senses add to those of the
    previous read of the page. `pipelined`: whether the next read is chosen and sensed while this read is transferred
    and decoded; it has no effect on the first read. `stage`: the stage under which the statistics count the read:
    "vref_search", another stage in `controller.read_retry.stages`, or one that the policy names in `stages`. With None,
    it counts as the first read, or as a retry with its number of sensing levels.
    """

    retry_step: int
    sensing_levels: int = 1
    adds_senses: bool = False
    pipelined: bool = False
    stage: str | None = None


class ReadAttempt(NamedTuple):
    """A read of a page that the policy has chosen.

    `errors`: the number of errors in the page's worst codeword; None if they were not counted. The number stands for a
    figure that a controller can count even for a page that it cannot decode, such as failed parity checks or cells
    between two levels. `decoded`: whether the page was decoded; None while the read is in progress.
    """

    step: ReadStep
    errors: int | None
    decoded: bool | None


class PagePlace(NamedTuple):
    """The location of a flash page.

    `die`, `plane`: numbers that count over the whole device. `block`: number within the plane. `superblock`: the block
    of the mapping to which the block belongs, counted over the whole device; its blocks are written and erased
    together. `page`, `wordline`: numbers within the block. `layer`: the layer of the wordline
    (`nand.cells.variation.layers`). `type`: number of the page in its wordline, counted from 0 for the lowest bit.
    """

    channel: int
    die: int
    plane: int
    block: int
    superblock: int
    page: int
    wordline: int
    layer: int
    type: int


class AgeClass(NamedTuple):
    """A class of blocks whose cells have drifted alike: of the same age and cycles within a factor of two.

    Class 0 of `hours` is less than an hour old, class n at least 2^(n-1) hours; likewise `pe_cycles`.
    """

    hours: int
    pe_cycles: int


class BlockAge(NamedTuple):
    """The condition of a block, as far as the controller knows it.

    `age_hours`: hours since its oldest data were programmed, converted to equivalent hours at 30 °C. `pe_cycles`:
    program/erase cycles of the block. `reads`: page reads since it was programmed, up to
    `controller.read_disturb.limit_reads`; 0 if that is 0. `erases`: erases since the simulation began. A policy that
    remembers something about a block forgets it when this number has changed.
    """

    age_hours: float
    pe_cycles: int
    reads: int
    erases: int

    @property
    def age_class(self) -> AgeClass:
        return AgeClass(min(int(max(self.age_hours, 0)).bit_length(), 32), self.pe_cycles.bit_length())


class PageUnderRecovery(Protocol):
    """A page that is read until it can be decoded. The object is valid only until the method of the policy returns.

    `order`: all steps of the retry table, each once, beginning with the most promising step. This is step 0 or the
    step that `controller.read_retry.start` predicts. `attempts`: the reads so far, in a sequence that behaves like a
    tuple and may be kept. `len(attempts)` is cheaper than access to its reads. `decoded`: the read that was decoded, or
    None. Other reads may follow it in `attempts` if it was pipelined. `place`: the location of the page. `age`: the
    condition of its block. Each is computed when it is asked for.
    """

    @property
    def order(self) -> Sequence[int]: ...
    @property
    def attempts(self) -> Sequence[ReadAttempt]: ...
    @property
    def decoded(self) -> ReadAttempt | None: ...
    @property
    def place(self) -> PagePlace: ...
    @property
    def age(self) -> BlockAge: ...


class ReadRecovery(Policy):
    """Chooses each read of a page until it can be decoded (`controller.read_retry.policy`).

    The attributes are properties of the policy that the drive must know before the first read. They are read once, when
    the object is given to a configuration.

    `locks_die`: a page whose first read fails occupies its die alone until it is decoded; only then may reads be
    pipelined. `adapts_timing`: the precharge of retries is shortened, as far as `controller.read_retry.timing_table`
    allows; needs `locks_die`. If no retry succeeds, all retries are repeated at the default timing. `reads_soft`: reads
    may have more than one sensing level. `stages`: names and meanings of the policy's own stages, for the statistics.
    """

    key: ClassVar[str] = "controller.read_retry.policy"

    locks_die: bool = False
    adapts_timing: bool = False
    reads_soft: bool = False
    stages: ClassVar[Mapping[str, str]] = {}

    def next(self, page: PageUnderRecovery) -> SupportsIndex | ReadStep | None:
        """Returns the next read of the page, as the number of a retry step or as a `ReadStep`. Returns None to give up
        the page.

        A page is always read at least once: if the first answer is None, it is read at the default levels. If a later
        answer is None, the read of the page fails. The method may be called again for the same read if several reads go
        to their die together (`controller.subpages.reads`).

        An answer of another type raises TypeError. ValueError is raised for a step that the table does not have, a
        number of levels that cannot be sensed, `adds_senses` with no more levels than the previous read, a pipelined
        read without `locks_die`, a stage that is not named, and a page that is read again without end.
        """
        n = len(page.attempts)
        return page.order[n] if n < len(page.order) else None

    def succeeded(self, page: PageUnderRecovery) -> None:
        """Called when a read that `next` has chosen is decoded: `page.decoded`. Later reads of the page may still be in
        progress.
        """


class Candidates(NamedTuple):
    """The blocks of a plane that can be collected, in ascending order: arrays of equal length, with at least 1 entry.

    `plane`: the plane, counted over the whole device. `now_ps`: simulated time in ps. `units_per_block`: mapping units
    that a block holds; a unit is a flash page, or a part of one (`controller.mapping.unit_bytes`).

    `block`: number of the block within the plane. `valid_units`: the number of its valid units, out of
    `units_per_block`. `erase_count`: number of its erases since the simulation began. `last_written_ps`: simulated time
    in ps at which a page of the block was last programmed; 0 for data of the preconditioning.
    """

    plane: int
    now_ps: int
    units_per_block: int
    block: NDArray[np.uint32]
    valid_units: NDArray[np.uint32]
    erase_count: NDArray[np.uint32]
    last_written_ps: NDArray[np.uint64]


class VictimSelection(Policy):
    """Chooses the block that garbage collection empties next in a plane (`controller.garbage_collection.policy`)."""

    key: ClassVar[str] = "controller.garbage_collection.policy"

    def choose(self, candidates: Candidates) -> SupportsIndex:
        """Returns the index of the chosen block in the arrays of the candidates, for example
        `candidates.valid_units.argmin()`.

        Called once for each block that is collected. If the plane has run out of free blocks, the block with the fewest
        valid units is collected without a call. An answer that is not an integer raises TypeError, and an integer out
        of range raises ValueError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method choose()")


class Refresh(Policy):
    """Chooses the blocks that are rewritten before their data are lost (`controller.refresh.policy`)."""

    key: ClassVar[str] = "controller.refresh.policy"

    def due(self, block: BlockAge) -> bool:
        """Returns whether the block should be emptied. Called for each full block, every
        `controller.refresh.check_hours`.

        An answer that is neither True nor False raises TypeError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method due()")


class QueueKind(IntEnum):
    """The queues in which the commands of a die wait. Background work is all work that the device starts on its own."""

    HOST_READ = 0
    HOST_WRITE = 1
    BACKGROUND_READ = 2
    BACKGROUND_WRITE = 3
    ERASE = 4


class Scheduling(Policy):
    """Chooses the queue that a die serves next (`controller.scheduler.policy`)."""

    key: ClassVar[str] = "controller.scheduler.policy"

    def choose(
        self, channel: int, die: int, waiting_ps: Sequence[int | None], collection_urgent: bool, suspended: bool
    ) -> QueueKind | None:
        """Returns the queue that a die serves next. Called whenever the die could start a command.

        `die`: number of the die on its channel. `waiting_ps`: for each `QueueKind`, the time in ps that the first
        command of the queue has waited; None if the queue has no command that could start. At least one entry is not
        None. `collection_urgent`: whether a plane of the die has run out of blocks to write to. `suspended`: whether a
        program or an erase is suspended. Then only host reads are waiting, and the answer None resumes the suspended
        command, which is suspended again when the next read arrives.

        While a program runs and the die's cache register has room (`controller.scheduler.cache_program`), only a write
        queue has a command to start; any other answer makes the die wait. In the same way, only host reads can follow a
        read as cache reads (`controller.scheduler.cache_read`).

        Raises ValueError for an empty queue, and for None if nothing is suspended.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method choose()")


class NewUnit(NamedTuple):
    """A mapping unit that the host writes, or a translation page. A unit is a flash page or a part of a flash page
    (`controller.mapping.unit_bytes`).

    `lpn`: its logical number; translation pages are numbered after the exported units. `stream`: its stream, which
    selects the open block of the plane. The streams of the host come first, numbered by `controller.streams.policy`;
    the policy `hot_cold` has hot streams, the hottest first, and a cold one.

    `by_address`: the plane that `controller.mapping.allocation` assigns to the unit's address, or the next plane with
    room if that plane is full. `last`: the plane of the previous unit of the stream; None if `gathers` is False.
    `in_turn`: all planes with room, in the order of the allocation. There is at least one. The order begins with the
    plane after `last` or, if `last` is None, with the plane of the address. The array is read-only.
    """

    lpn: int
    stream: int
    by_address: int
    last: int | None
    in_turn: NDArray[np.intp]


class Planes(NamedTuple):
    """The planes of a drive: read-only arrays, indexed by plane.

    Planes are numbered over the whole device: by channel, then chip, die and plane. With `controller.parity`, a plane
    stands for the planes that a superblock covers, one in each of several dies.

    `channel`, `die`: the channel and the die of a plane, numbered over the whole device; -1 if the plane covers more
    than one. `backlog`: pages sent to the plane that are not programmed yet. Every call passes the same array with new
    values; a policy that keeps values must copy them.
    """

    channel: NDArray[np.int32]
    die: NDArray[np.int32]
    backlog: NDArray[np.uint32]


class Allocation(Policy):
    """Chooses the plane for new data (`controller.mapping.plane`). Data that garbage collection moves stay on their
    plane.

    `gathers`: whether units of a stream that arrive together share a page, regardless of their addresses; the policy is
    then called once for the page. If False, it is called for each unit, which shares a page with other units of its
    plane. The attribute is read once, when the object is given to a configuration. It has an effect only if a page
    holds several units.
    """

    key: ClassVar[str] = "controller.mapping.plane"

    gathers: bool = True

    def choose(self, unit: NewUnit, planes: Planes) -> SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer]:
        """Returns the plane of the unit. It must be one of `unit.in_turn`, for example `unit.in_turn[0]`.

        If the answer is a sequence of planes, the next pages of the stream go to these planes, one page to each. The
        policy is called again when the sequence is used up; planes that no longer have room are skipped.

        An answer of any other type raises TypeError. A plane that does not exist or has no room, and an empty sequence,
        raise ValueError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method choose()")


class PlacedPage(NamedTuple):
    """A page that is about to be programmed.

    `type`: number of the page in its wordline, counted from 0 for the lowest bit. `origin`: the source of its data:
    "host", "mapping" (translation pages) or "migration" (data moved by collection). `stream`: its stream, which selects
    the open block of the plane. `block`: the block of the mapping, counted over the whole device.
    """

    type: int
    origin: str
    stream: int
    block: int


class WriteMode(Policy):
    """Chooses the ISPP step of each page (`controller.write_mode.policy`)."""

    key: ClassVar[str] = "controller.write_mode.policy"

    def step_mv(self, page: PlacedPage) -> SupportsIndex:
        """Returns the ISPP step of the page in mV, or 0 for the device's own step. A larger step is faster and causes
        more errors.

        Called once for each program, and again if the program has to be repeated on another page. An answer that is not
        an integer raises TypeError; a step that would lift cells of one state into the next raises ValueError.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no method step_mv()")
