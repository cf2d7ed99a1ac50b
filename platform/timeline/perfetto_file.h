// SPDX-License-Identifier: Apache-2.0
// Writes a trace file for Perfetto's viewer and trace processor: The file is a stream of protocol buffers, each of
// which is a TracePacket with the beginning or the end of a slice on a track. Field numbers are those of Perfetto's
// messages TracePacket, TrackDescriptor, TrackEvent, DebugAnnotation and InternedData. Times are in ticks in this
// interface, and in nanoseconds in the file.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ticks.h"

namespace nandscape {

// A value that the viewer shows for a selected slice. The name must be a string literal.
struct TimelineNote {
  const char* name;
  std::uint64_t value;
};

class PerfettoFile {
 public:
  using Track = std::uint64_t;

  // Creates the file. Throws InputError if it cannot be written.
  explicit PerfettoFile(const std::string& path);
  // Writes the remaining packets. Errors, for example because the disk is full, are ignored here. Call finish() to
  // detect them.
  ~PerfettoFile();
  PerfettoFile(const PerfettoFile&) = delete;
  PerfettoFile& operator=(const PerfettoFile&) = delete;

  // Adds a track. Tracks with the same parent and the same name are shown as one row.
  Track add_track(std::string_view name, Track parent = 0);

  // Adds a track that shows a figure over time.
  Track add_counter(std::string_view name, std::string_view unit, Track parent = 0);
  // Sets the figure of a counter track from the time `at` on.
  void set(Track counter, Tick at, double value);

  // Begins and ends a slice of a track. The slices of a track are nested: a slice that begins within another slice must
  // end within it. Slices with the same `flow` other than 0 are joined by arrows, in the order in which they begin. The
  // name must be a string literal.
  void begin(Track track, Tick at, const char* name, std::span<const TimelineNote> notes = {}, std::uint64_t flow = 0);
  void end(Track track, Tick at);
  void instant(Track track, Tick at, const char* name);

  // Writes the packets that are still in memory. Throws InputError if any packet could not be written.
  void finish();

 private:
  enum class EventType : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };

  // The names of one kind. Each name is written to the file once, and then referred to by its number.
  class Dictionary {
   public:
    // `field` is the number of the field in InternedData that holds these names.
    explicit Dictionary(std::uint32_t field) : field_(field) {}
    std::uint64_t number_of(PerfettoFile& file, const char* name);

   private:
    struct Entry {
      const char* name = nullptr;
      std::uint64_t number = 0;
    };

    const std::uint32_t field_;
    std::array<Entry, 256> recent_;  // recently used names, indexed by some bits of their address
    std::unordered_map<const char*, std::uint64_t> numbers_;
  };

  void write_name(std::uint32_t field, std::uint64_t number, const char* name);
  void write_event(EventType type, Track track, Tick at, std::uint64_t name, std::span<const TimelineNote> notes,
                   std::uint64_t flow);
  void write_track(Track track, std::string_view name, Track parent, std::string_view counter);
  // Writes the fields of a TrackEvent.
  void write_track_event(Tick at, std::string_view event);
  void write_packet(std::string_view fields);
  void flush();

  const std::string path_;
  std::ofstream file_;
  std::string packets_;  // complete packets that have not been written to the file yet
  Dictionary event_names_{2};
  Dictionary note_names_{3};
  Track tracks_ = 0;
};

}  // namespace nandscape
