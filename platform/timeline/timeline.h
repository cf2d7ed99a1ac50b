// SPDX-License-Identifier: Apache-2.0
// What happens in a simulation when, for a viewer: commands of the host, the buses of the channels, the dies and the
// ECC engines. Monitors in the links between blocks (timeline_monitor.h) tell of it, so that a drive without a timeline
// pays nothing, and one with blocks from outside has one as well.
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

// What lasts from `begin` to `end`. Its parts follow one another, each from the end of the one before it.
struct TimelineSpan {
  const char* name = "";  // a string literal, as all names are
  Tick begin = 0;
  Tick end = 0;
  std::uint64_t request = 0;  // the host's command that it belongs to (protocol/command_number.h); 0: none
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

// Of one resource. Spans that overlap lie on tracks below one another, which the viewer draws as one.
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
  // Throws InputError when the file cannot be written.
  explicit Timeline(const TimelineParameters& parameters);

  // The row of that name in a group, such as "channel 0" in "channels": made when it is first asked for.
  TimelineRow& row(const std::string& group, const std::string& name);

  void show(TimelineRow& row, const TimelineSpan& span);
  // An instant of the whole drive, such as a power cut.
  void mark(Tick at, const char* what);

  void command_ended(const host::CommandSpan& command) override;

  // All that was shown is in the file. Throws InputError when it is not.
  void finish() { file_.finish(); }

 private:
  PerfettoFile::Track track_for(TimelineRow& row, const TimelineSpan& span);

  const Tick begin_;
  const Tick end_;
  PerfettoFile file_;
  const PerfettoFile::Track drive_;
  std::map<std::string, PerfettoFile::Track> groups_;
  std::map<std::pair<std::string, std::string>, TimelineRow> rows_;
  std::vector<TimelineRow*> queues_;  // by number
};

}  // namespace nandscape
