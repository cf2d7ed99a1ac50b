// SPDX-License-Identifier: Apache-2.0
// Records for a viewer what happens in a simulation over time: host commands, channel buses, dies and ECC engines.
// Monitors in the links between blocks (timeline_monitor.h) report it. So a drive without a timeline has no overhead,
// and external blocks are recorded too.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/ticks.h"
#include "host/driver/command_observer.h"
#include "platform/timeline/perfetto_file.h"
#include "platform/timeline/timeline_parameters.h"

namespace nandscape {

// A span from `begin` to `end`. Each part begins at the end of the previous one.
struct TimelineSpan {
  const char* name = "";  // a string literal, like all names
  Tick begin = 0;
  Tick end = 0;
  std::uint64_t request = 0;  // number of the span's host command (protocol/command_number.h); 0: none
  std::array<TimelineNote, 5> notes{};
  std::size_t note_count = 0;
  struct Part {
    const char* name;
    Tick end;
  };
  std::array<Part, 2> parts{};
  std::size_t part_count = 0;

  void note(const char* what, std::uint64_t value) { notes[note_count++] = {what, value}; }
  void part(const char* what, Tick part_end) { parts[part_count++] = {what, part_end}; }
};

// The row of one resource. Overlapping spans are on separate tracks, which the viewer shows as one row.
class TimelineRow {
 public:
  TimelineRow(std::string name, PerfettoFile::Track parent) : name_(std::move(name)), parent_(parent) {}

 private:
  friend class Timeline;
  struct Track {
    PerfettoFile::Track number;
    Tick free_from;
  };

  const std::string name_;
  const PerfettoFile::Track parent_;
  std::vector<Track> tracks_;
};

class Timeline final : public host::CommandObserver {
 public:
  // Throws InputError if the file cannot be written.
  explicit Timeline(const TimelineParameters& parameters);

  // The row of that name in a group, such as "channel 0" in "channels"; created at the first call.
  TimelineRow& row(const std::string& group, const std::string& name);

  void show(TimelineRow& row, const TimelineSpan& span);
  // Records an instant of the whole drive, such as a power cut.
  void mark(Tick at, const char* what);

  void command_ended(const host::CommandSpan& command) override;

  // Writes everything recorded so far to the file. Throws InputError if that fails.
  void finish() { file_.finish(); }

 private:
  PerfettoFile::Track track_for(TimelineRow& row, const TimelineSpan& span);

  const Tick begin_;
  const Tick end_;
  PerfettoFile file_;
  const PerfettoFile::Track drive_;
  std::map<std::string, PerfettoFile::Track> groups_;
  std::map<std::pair<std::string, std::string>, TimelineRow> rows_;
  std::vector<TimelineRow*> queues_;  // by queue number
};

}  // namespace nandscape
