// SPDX-License-Identifier: Apache-2.0
#include "platform/timeline/timeline.h"

namespace nandscape {

namespace {

const char* name_of(host::RequestKind kind) {
  switch (kind) {
    case host::RequestKind::read: return "read";
    case host::RequestKind::write: return "write";
    case host::RequestKind::flush: return "flush";
    case host::RequestKind::trim: return "trim";
    case host::RequestKind::write_zeroes: return "write zeroes";
  }
  return "";
}

}  // namespace

Timeline::Timeline(const TimelineParameters& p)
    : begin_(ticks_from_us(p.begin_us)),
      end_(ticks_from_us(p.end_us)),
      file_(p.file),
      drive_(file_.add_track("drive")) {}

TimelineRow& Timeline::row(const std::string& group, const std::string& name) {
  const auto known = rows_.find({group, name});
  if (known != rows_.end()) return known->second;
  const auto [parent, is_new] = groups_.try_emplace(group, 0);
  if (is_new) parent->second = file_.add_track(group);
  return rows_.try_emplace({group, name}, name, parent->second).first->second;
}

// Returns a track that is free at the beginning of the span, and creates one if there is none. Spans arrive roughly in
// the order of their ends, so a track that is free when a span begins has no overlapping span.
PerfettoFile::Track Timeline::track_for(TimelineRow& row, const TimelineSpan& span) {
  for (TimelineRow::Track& track : row.tracks_) {
    if (track.free_from > span.begin) continue;
    track.free_from = span.end;
    return track.number;
  }
  return row.tracks_.emplace_back(TimelineRow::Track{file_.add_track(row.name_, row.parent_), span.end}).number;
}

void Timeline::show(TimelineRow& row, const TimelineSpan& span) {
  if (span.end < begin_ || span.begin >= end_) return;
  const PerfettoFile::Track track = track_for(row, span);
  file_.begin(track, span.begin, span.name, std::span(span.notes).first(span.note_count), span.request);
  Tick at = span.begin;
  for (std::size_t k = 0; k < span.part_count; ++k) {
    file_.begin(track, at, span.parts[k].name);
    at = span.parts[k].end;
    file_.end(track, at);
  }
  file_.end(track, span.end);
}

void Timeline::mark(Tick at, const char* what) {
  if (at >= begin_ && at < end_) file_.instant(drive_, at, what);
}

void Timeline::set(Tick at, const char* name, const char* unit, double value) {
  if (at < begin_ || at >= end_) return;
  const auto [counter, is_new] = counters_.try_emplace(name, 0);
  if (is_new) counter->second = file_.add_counter(name, unit, drive_);
  file_.set(counter->second, at, value);
}

void Timeline::command_ended(const host::CommandSpan& command) {
  if (queues_.size() <= command.queue) queues_.resize(command.queue + std::size_t{1});
  TimelineRow*& queue = queues_[command.queue];
  if (queue == nullptr) queue = &row("host", "queue " + std::to_string(command.queue));
  TimelineSpan span{
      .name = name_of(command.kind), .begin = command.begin, .end = command.end, .request = command.number};
  if (command.sectors != 0) {
    span.note("lba", command.first.value);
    span.note("sectors", command.sectors);
  }
  if (command.status != nvme::Status::success) span.note("status", static_cast<std::uint64_t>(command.status));
  show(*queue, span);
}

}  // namespace nandscape
