# SPDX-License-Identifier: Apache-2.0
"""Reads timeline files with the format definitions that Perfetto publishes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto


@dataclass
class Slice:
    """A slice of a timeline. Its times are in nanoseconds."""

    track: int
    group: str  # the name of the parent track
    row: str
    name: str
    begin: int
    end: int = -1
    parent: Slice | None = None
    notes: dict[str, int] = field(default_factory=dict)
    flows: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        return self.end - self.begin


@dataclass
class Timeline:
    slices: list[Slice]  # sorted by their begin; outer slices come before inner ones
    instants: list[tuple[str, int]]
    counters: dict[str, list[tuple[int, float]]]  # by name: the times of new values, and the values

    def of(self, group: str, row: str | None = None) -> list[Slice]:
        """Returns the outermost slices of a group, or only those of one row of the group."""
        return [s for s in self.slices if s.group == group and s.parent is None and row in (None, s.row)]


def read(path: Path) -> Timeline:
    """Reads a timeline from a file. Fails if the slices of a track are not properly nested, or if a slice has no
    end.
    """
    trace = perfetto.Trace()
    trace.ParseFromString(path.read_bytes())
    tracks: dict[int, Any] = {}
    events: dict[int, str] = {}
    notes: dict[int, str] = {}
    packets = []
    for packet in trace.packet:
        for entry in packet.interned_data.event_names:
            events[entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_names:
            notes[entry.iid] = entry.name
        if packet.HasField("track_descriptor"):
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if packet.HasField("track_event"):
            packets.append(packet)
    # The sort is stable: at equal times, events keep their order in the file, as in Perfetto's trace processor.
    packets.sort(key=lambda packet: packet.timestamp)
    open_slices: dict[int, list[Slice]] = defaultdict(list)
    slices: list[Slice] = []
    instants = []
    counters: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for packet in packets:
        event = packet.track_event
        stack = open_slices[event.track_uuid]
        if event.type == perfetto.TrackEvent.TYPE_SLICE_BEGIN:
            track = tracks[event.track_uuid]
            new = Slice(
                track=track.uuid,
                group=tracks[track.parent_uuid].name,
                row=track.name,
                name=events[event.name_iid],
                begin=packet.timestamp,
                parent=stack[-1] if stack else None,
                notes={notes[note.name_iid]: note.uint_value for note in event.debug_annotations},
                flows=tuple(event.flow_ids),
            )
            slices.append(new)
            stack.append(new)
        elif event.type == perfetto.TrackEvent.TYPE_SLICE_END:
            stack.pop().end = packet.timestamp
        elif event.type == perfetto.TrackEvent.TYPE_COUNTER:
            counters[tracks[event.track_uuid].name].append((packet.timestamp, event.double_counter_value))
        else:
            instants.append((events[event.name_iid], packet.timestamp))
    assert not any(open_slices.values())
    return Timeline(slices, instants, counters)
