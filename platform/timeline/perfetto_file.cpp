// SPDX-License-Identifier: Apache-2.0
#include "platform/timeline/perfetto_file.h"

#include <bit>
#include <cstring>
#include <stdexcept>

#include "core/error.h"

namespace nandscape {

namespace {

constexpr std::size_t flushed_bytes = 1 << 20;
constexpr Tick ticks_per_ns = 1000;

// A message of protocol buffers. It consists of fields, each of which is a field number with a wire type, followed by a
// value. The messages in this file hold a few numbers and names of the platform, at most a few hundred bytes.
class Message {
 public:
  void number(std::uint32_t field, std::uint64_t value) {
    tag(field, WireType::varint);
    varint(value);
  }

  void fixed(std::uint32_t field, std::uint64_t value) {
    tag(field, WireType::fixed64);
    for (int k = 0; k < 8; ++k, value >>= 8) put(static_cast<char>(value));
  }

  void bytes(std::uint32_t field, std::string_view value) {
    tag(field, WireType::bytes);
    varint(value.size());
    if (value.size() > bytes_.size() - size_) throw std::length_error("a message of the timeline is too long");
    std::memcpy(bytes_.data() + size_, value.data(), value.size());
    size_ += value.size();
  }

  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2 };

  void tag(std::uint32_t field, WireType type) { varint(field << 3 | static_cast<std::uint32_t>(type)); }

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) put(static_cast<char>(value | 0x80));
    put(static_cast<char>(value));
  }

  void put(char byte) { bytes_[size_++] = byte; }

  std::array<char, 1024> bytes_;
  std::size_t size_ = 0;
};

// --- fields of Perfetto's messages

namespace trace {
constexpr std::uint32_t packet = 1;
}
namespace trace_packet {
constexpr std::uint32_t timestamp = 8, sequence_id = 10, track_event = 11, interned_data = 12, sequence_flags = 13,
                        track_descriptor = 60;
// Values of sequence_flags.
constexpr std::uint64_t state_cleared = 1, needs_state = 2;
}  // namespace trace_packet
namespace track_descriptor {
constexpr std::uint32_t uuid = 1, name = 2, parent = 5, counter = 8, child_ordering = 11, rank = 12;
constexpr std::uint64_t by_rank = 3;
}  // namespace track_descriptor
namespace track_event {
constexpr std::uint32_t note = 4, type = 9, name_number = 10, track = 11, counter_value = 44, flow = 47;
}
namespace counter_descriptor {
constexpr std::uint32_t unit_name = 6;
}
namespace debug_annotation {
constexpr std::uint32_t name_number = 1, unsigned_value = 3;
}
namespace interned_name {
constexpr std::uint32_t number = 1, name = 2;
}

constexpr std::uint64_t sequence = 1;

}  // namespace

PerfettoFile::PerfettoFile(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw InputError({path, 0}, "this timeline cannot be written; does its folder exist?");
  packets_.reserve(flushed_bytes + (std::size_t{1} << 12));
  Message fields;
  fields.number(trace_packet::sequence_id, sequence);
  fields.number(trace_packet::sequence_flags, trace_packet::state_cleared);
  write_packet(fields.text());
}

PerfettoFile::~PerfettoFile() { flush(); }

PerfettoFile::Track PerfettoFile::add_track(std::string_view name, Track parent) {
  write_track(++tracks_, name, parent, {});
  return tracks_;
}

PerfettoFile::Track PerfettoFile::add_counter(std::string_view name, std::string_view unit, Track parent) {
  Message counter;
  counter.bytes(counter_descriptor::unit_name, unit);
  write_track(++tracks_, name, parent, counter.text());
  return tracks_;
}

void PerfettoFile::write_track(Track track, std::string_view name, Track parent, std::string_view counter) {
  Message descriptor;
  descriptor.number(track_descriptor::uuid, track);
  descriptor.bytes(track_descriptor::name, name);
  if (parent != 0) descriptor.number(track_descriptor::parent, parent);
  if (!counter.empty()) descriptor.bytes(track_descriptor::counter, counter);
  descriptor.number(track_descriptor::child_ordering, track_descriptor::by_rank);
  descriptor.number(track_descriptor::rank, track);
  Message fields;
  fields.number(trace_packet::sequence_id, sequence);
  fields.bytes(trace_packet::track_descriptor, descriptor.text());
  write_packet(fields.text());
}

void PerfettoFile::set(Track counter, Tick at, double value) {
  Message event;
  event.number(track_event::type, static_cast<std::uint64_t>(EventType::counter));
  event.number(track_event::track, counter);
  event.fixed(track_event::counter_value, std::bit_cast<std::uint64_t>(value));
  write_track_event(at, event.text());
}

void PerfettoFile::begin(Track track, Tick at, const char* name, std::span<const TimelineNote> notes,
                         std::uint64_t flow) {
  write_event(EventType::slice_begin, track, at, event_names_.number_of(*this, name), notes, flow);
}

void PerfettoFile::end(Track track, Tick at) { write_event(EventType::slice_end, track, at, 0, {}, 0); }

void PerfettoFile::instant(Track track, Tick at, const char* name) {
  write_event(EventType::instant, track, at, event_names_.number_of(*this, name), {}, 0);
}

std::uint64_t PerfettoFile::Dictionary::number_of(PerfettoFile& file, const char* name) {
  Entry& recent = recent_[(reinterpret_cast<std::uintptr_t>(name) >> 2) % recent_.size()];
  if (recent.name == name) return recent.number;
  const auto [known, is_new] = numbers_.try_emplace(name, numbers_.size() + 1);
  recent = {name, known->second};
  if (is_new) file.write_name(field_, known->second, name);
  return known->second;
}

void PerfettoFile::write_name(std::uint32_t field, std::uint64_t number, const char* name) {
  Message entry;
  entry.number(interned_name::number, number);
  entry.bytes(interned_name::name, name);
  Message names;
  names.bytes(field, entry.text());
  Message fields;
  fields.number(trace_packet::sequence_id, sequence);
  fields.bytes(trace_packet::interned_data, names.text());
  fields.number(trace_packet::sequence_flags, trace_packet::needs_state);
  write_packet(fields.text());
}

void PerfettoFile::write_event(EventType type, Track track, Tick at, std::uint64_t name,
                               std::span<const TimelineNote> notes, std::uint64_t flow) {
  Message event;
  for (const TimelineNote& note : notes) {
    Message annotation;
    annotation.number(debug_annotation::name_number, note_names_.number_of(*this, note.name));
    annotation.number(debug_annotation::unsigned_value, note.value);
    event.bytes(track_event::note, annotation.text());
  }
  event.number(track_event::type, static_cast<std::uint64_t>(type));
  if (name != 0) event.number(track_event::name_number, name);
  event.number(track_event::track, track);
  if (flow != 0) event.fixed(track_event::flow, flow);
  write_track_event(at, event.text());
}

void PerfettoFile::write_track_event(Tick at, std::string_view event) {
  Message fields;
  fields.number(trace_packet::timestamp, at / ticks_per_ns);
  fields.number(trace_packet::sequence_id, sequence);
  fields.bytes(trace_packet::track_event, event);
  fields.number(trace_packet::sequence_flags, trace_packet::needs_state);
  write_packet(fields.text());
}

void PerfettoFile::write_packet(std::string_view fields) {
  Message packet;
  packet.bytes(trace::packet, fields);
  packets_ += packet.text();
  if (packets_.size() >= flushed_bytes) flush();
}

void PerfettoFile::flush() {
  file_.write(packets_.data(), static_cast<std::streamsize>(packets_.size()));
  packets_.clear();
}

void PerfettoFile::finish() {
  flush();
  file_.flush();
  if (!file_) throw InputError({path_, 0}, "the timeline could not be written completely; is the disk full?");
}

}  // namespace nandscape
