// SPDX-License-Identifier: Apache-2.0
// A trace file that Perfetto's viewer and trace processor read: a stream of protocol buffers, each a TracePacket with
// the beginning or the end of a slice on a track. Field numbers are those of Perfetto's messages TracePacket,
// TrackDescriptor, TrackEvent, DebugAnnotation and InternedData. Times are ticks, and nanoseconds in the file.
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

  // Names of one kind, which are in the file once and have numbers from then on.
  class Dictionary {
   public:
    // `field`: that InternedData has them in.
    explicit Dictionary(std::uint32_t field) : field_(field) {}
    std::uint64_t number_of(PerfettoFile& file, const char* name);

   private:
    struct Entry {
      const char* name = nullptr;
      std::uint64_t number = 0;
    };

    const std::uint32_t field_;
    std::array<Entry, 256> recent_;  // by some bits of the address
    std::unordered_map<const char*, std::uint64_t> numbers_;
  };

  void write_name(std::uint32_t field, std::uint64_t number, const char* name);
  void write_event(EventType type, Track track, Tick at, std::uint64_t name, std::span<const TimelineNote> notes,
                   std::uint64_t flow);
  void write_packet(std::string_view fields);
  void flush();

  const std::string path_;
  std::ofstream file_;
  std::string packets_;  // complete ones, not yet in the file
  Dictionary event_names_{2};
  Dictionary note_names_{3};
  Track tracks_ = 0;
};

}  // namespace nandscape
