// SPDX-License-Identifier: Apache-2.0
// Records what happens in a simulation over time, so that a viewer can show it: host commands, channel buses, dies and
// ECC engines. Monitors in the links between blocks (timeline_monitor.h) report the events. A drive without a timeline
// therefore has no overhead, and external blocks are recorded too.
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

// A span of time from `begin` to `end`, which consists of parts. Each part begins when the previous part ends.
struct TimelineSpan {
  const char* name = "";  // a string literal, like all names
  Tick begin = 0;
  Tick end = 0;
  // The number of the host command that caused the span (protocol/command_number.h), or 0 if there is none.
  std::uint64_t request = 0;
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

// The row of one resource. Spans that overlap are on separate tracks, which the viewer shows as one row.
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
  // Creates the file of the timeline. Throws InputError if it cannot be written.
  explicit Timeline(const TimelineParameters& parameters);

  // Returns the row with that name in a group, for example "channel 0" in "channels". The row is created at the first
  // call.
  TimelineRow& row(const std::string& group, const std::string& name);

  void show(TimelineRow& row, const TimelineSpan& span);
  // Records an event of the whole drive at one time, for example a power cut.
  void mark(Tick at, const char* what);

  // Records a figure of the whole drive, which holds from the time `at` on.
  void set(Tick at, const char* name, const char* unit, double value);

  void command_ended(const host::CommandSpan& command) override;

  // Writes everything that has been recorded so far to the file. Throws InputError if the file cannot be written.
  void finish() { file_.finish(); }

 private:
  PerfettoFile::Track track_for(TimelineRow& row, const TimelineSpan& span);

  const Tick begin_;
  const Tick end_;
  PerfettoFile file_;
  const PerfettoFile::Track drive_;
  std::map<std::string, PerfettoFile::Track> groups_;
  std::map<std::pair<std::string, std::string>, TimelineRow> rows_;
  std::map<std::string, PerfettoFile::Track> counters_;
  std::vector<TimelineRow*> queues_;  // by queue number
};

}  // namespace nandscape
