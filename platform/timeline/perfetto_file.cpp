// SPDX-License-Identifier: Apache-2.0
#include "platform/timeline/perfetto_file.h"

#include "core/error.h"

namespace nandscape {

namespace {

constexpr std::size_t flushed_bytes = 1 << 20;
constexpr Tick ticks_per_ns = 1000;

// --- protocol buffers: a field is its number and wire type, then its value

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2 };

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

void put_tag(std::string& out, std::uint32_t field, WireType type) {
  put_varint(out, field << 3 | static_cast<std::uint32_t>(type));
}

void put_number(std::string& out, std::uint32_t field, std::uint64_t value) {
  put_tag(out, field, WireType::varint);
  put_varint(out, value);
}

void put_fixed(std::string& out, std::uint32_t field, std::uint64_t value) {
  put_tag(out, field, WireType::fixed64);
  for (int k = 0; k < 8; ++k, value >>= 8) out.push_back(static_cast<char>(value));
}

void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  put_tag(out, field, WireType::bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

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
constexpr std::uint32_t uuid = 1, name = 2, parent = 5, child_ordering = 11, rank = 12;
constexpr std::uint64_t by_rank = 3;
}  // namespace track_descriptor
namespace track_event {
constexpr std::uint32_t note = 4, type = 9, name_number = 10, track = 11, flow = 47;
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
  if (!file_) throw InputError({path, 0}, "this timeline cannot be written; is there such a folder?");
  std::string fields;
  put_number(fields, trace_packet::sequence_id, sequence);
  put_number(fields, trace_packet::sequence_flags, trace_packet::state_cleared);
  write_packet(fields);
}

PerfettoFile::~PerfettoFile() { flush(); }

PerfettoFile::Track PerfettoFile::add_track(std::string_view name, Track parent) {
  const Track track = ++tracks_;
  std::string descriptor;
  put_number(descriptor, track_descriptor::uuid, track);
  put_bytes(descriptor, track_descriptor::name, name);
  if (parent != 0) put_number(descriptor, track_descriptor::parent, parent);
  put_number(descriptor, track_descriptor::child_ordering, track_descriptor::by_rank);
  put_number(descriptor, track_descriptor::rank, track);
  std::string fields;
  put_number(fields, trace_packet::sequence_id, sequence);
  put_bytes(fields, trace_packet::track_descriptor, descriptor);
  write_packet(fields);
  return track;
}

void PerfettoFile::begin(Track track, Tick at, const char* name, std::span<const TimelineNote> notes,
                         std::uint64_t flow) {
  write_event(EventType::slice_begin, track, at, number_of(name, Dictionary::event_names), notes, flow);
}

void PerfettoFile::end(Track track, Tick at) { write_event(EventType::slice_end, track, at, 0, {}, 0); }

void PerfettoFile::instant(Track track, Tick at, const char* name) {
  write_event(EventType::instant, track, at, number_of(name, Dictionary::event_names), {}, 0);
}

std::uint64_t PerfettoFile::number_of(const char* name, Dictionary dictionary) {
  auto& names = dictionary == Dictionary::event_names ? event_names_ : note_names_;
  const auto [known, is_new] = names.try_emplace(name, names.size() + 1);
  if (is_new) {
    std::string entry;
    put_number(entry, interned_name::number, known->second);
    put_bytes(entry, interned_name::name, name);
    put_bytes(interned_, static_cast<std::uint32_t>(dictionary), entry);
  }
  return known->second;
}

void PerfettoFile::write_event(EventType type, Track track, Tick at, std::uint64_t name,
                               std::span<const TimelineNote> notes, std::uint64_t flow) {
  event_.clear();
  for (const TimelineNote& note : notes) {
    note_.clear();
    put_number(note_, debug_annotation::name_number, number_of(note.name, Dictionary::note_names));
    put_number(note_, debug_annotation::unsigned_value, note.value);
    put_bytes(event_, track_event::note, note_);
  }
  put_number(event_, track_event::type, static_cast<std::uint64_t>(type));
  if (name != 0) put_number(event_, track_event::name_number, name);
  put_number(event_, track_event::track, track);
  if (flow != 0) put_fixed(event_, track_event::flow, flow);

  packet_.clear();
  put_number(packet_, trace_packet::timestamp, at / ticks_per_ns);
  put_number(packet_, trace_packet::sequence_id, sequence);
  put_bytes(packet_, trace_packet::track_event, event_);
  if (!interned_.empty()) put_bytes(packet_, trace_packet::interned_data, interned_);
  interned_.clear();
  put_number(packet_, trace_packet::sequence_flags, trace_packet::needs_state);
  write_packet(packet_);
}

void PerfettoFile::write_packet(std::string_view fields) {
  put_bytes(packets_, trace::packet, fields);
  if (packets_.size() >= flushed_bytes) flush();
}

void PerfettoFile::flush() {
  file_.write(packets_.data(), static_cast<std::streamsize>(packets_.size()));
  packets_.clear();
}

void PerfettoFile::finish() {
  flush();
  file_.flush();
  if (!file_) throw InputError({path_, 0}, "the timeline could not be written to its end; is the disk full?");
}

}  // namespace nandscape
