// SPDX-License-Identifier: Apache-2.0
// A trace file that Perfetto's viewer and trace processor read: a stream of protocol buffers, each a TracePacket with
// the beginning or the end of a slice on a track. Field numbers are those of Perfetto's messages TracePacket,
// TrackDescriptor, TrackEvent, DebugAnnotation and InternedData. Times are ticks, and nanoseconds in the file.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ticks.h"

namespace nandscape {

// What the viewer shows of a slice when it is selected. The name is a string literal.
struct TimelineNote {
  const char* name;
  std::uint64_t value;
};

class PerfettoFile {
 public:
  using Track = std::uint64_t;

  // Throws InputError when the file cannot be written.
  explicit PerfettoFile(const std::string& path);
  // What a disk that is full has not taken is lost; finish() tells of it.
  ~PerfettoFile();
  PerfettoFile(const PerfettoFile&) = delete;
  PerfettoFile& operator=(const PerfettoFile&) = delete;

  // Tracks below the same one that have the same name are shown as one.
  Track add_track(std::string_view name, Track parent = 0);

  // Slices of a track nest: what begins within one ends within it. Those with the same `flow`, which is not 0, are
  // joined by arrows in the order of their beginnings. The name is a string literal.
  void begin(Track track, Tick at, const char* name, std::span<const TimelineNote> notes = {}, std::uint64_t flow = 0);
  void end(Track track, Tick at);
  void instant(Track track, Tick at, const char* name);

  // Writes what is left. Throws InputError when the file does not hold it.
  void finish();

 private:
  enum class EventType : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3 };
  enum class Dictionary : std::uint8_t { event_names = 2, note_names = 3 };

  // Returns the number of the name, which is told in the packet in which it comes for the first time.
  std::uint64_t number_of(const char* name, Dictionary dictionary);
  void write_event(EventType type, Track track, Tick at, std::uint64_t name, std::span<const TimelineNote> notes,
                   std::uint64_t flow);
  void write_packet(std::string_view fields);
  void flush();

  const std::string path_;
  std::ofstream file_;
  std::string packets_;  // complete ones, not yet in the file
  std::string packet_;   // the one that is being made, and parts of it
  std::string event_;
  std::string note_;
  std::string interned_;  // names that the next packet tells
  std::unordered_map<const char*, std::uint64_t> event_names_;
  std::unordered_map<const char*, std::uint64_t> note_names_;
  Track tracks_ = 0;
};

}  // namespace nandscape
