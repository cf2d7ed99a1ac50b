// SPDX-License-Identifier: Apache-2.0
// Traces of VMware's vscsiStats, for example the CloudPhysics traces [Waldspurger et al., FAST 2015]. They contain the
// SCSI commands to a virtual disk. Records are little-endian structures with one of two layouts.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/fields.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

struct Layout {
  std::uint8_t version;
  std::size_t bytes;
  // Offsets of the fields in bytes. The version is the upper byte of a 16-bit field.
  std::size_t version_at;
  std::size_t command_at;
  std::size_t length_at;
  std::size_t block_at;
  std::size_t time_at;
};

// Fields of version 1: serial number, length, scatter-gather elements, command, version, block, time.
constexpr Layout first_layout{1, 32, 15, 12, 4, 16, 24};
// Fields of version 2: command, version, serial number, length, scatter-gather elements, block, time, response time.
constexpr Layout second_layout{2, 40, 3, 0, 8, 16, 24};
constexpr std::size_t bytes_that_tell = 16;

class Vscsi final : public TraceFormat {
 public:
  using Parameters = NoParameters;
  Vscsi(const Parameters&, const std::string&) {}

  std::size_t head_bytes() const override { return bytes_that_tell; }

  std::size_t record_bytes(std::string_view head) override {
    if (layout_ == nullptr) layout_ = layout_of(head);
    if (static_cast<std::uint8_t>(head[layout_->version_at]) != layout_->version) {
      throw MalformedRecord("its version is not " + std::to_string(layout_->version) + ", that of the records before");
    }
    return layout_->bytes;
  }

  bool decode(std::string_view bytes, TraceRecord& record) override {
    if (!read_kind(number_at<std::uint16_t>(bytes, layout_->command_at), record)) return false;
    constexpr std::uint64_t microsecond_ns = 1'000;
    constexpr std::uint64_t past_microseconds = std::uint64_t{1} << 54;
    constexpr std::uint64_t past_blocks = std::uint64_t{1} << 55;
    const auto time_us = number_at<std::uint64_t>(bytes, layout_->time_at);
    if (time_us >= past_microseconds) throw MalformedRecord(std::to_string(time_us) + " is not a valid time in us");
    record.time_ns = time_us * microsecond_ns;
    if (record.kind == RequestKind::flush) return true;
    const auto block = number_at<std::uint64_t>(bytes, layout_->block_at);
    if (block >= past_blocks) throw MalformedRecord(std::to_string(block) + " is not a valid block number");
    record.offset_bytes = block * 512;
    record.size_bytes = number_at<std::uint32_t>(bytes, layout_->length_at);
    return true;
  }

  std::string_view expected() const override { return "vscsi record of version 1 or 2"; }

 private:
  // Returns the layout of the records, which follows from the version in the first record. A record of version 2 is not
  // mistaken for one of version 1: at the position of the version of the first layout, it has the upper byte of its
  // count of scatter-gather elements, which is 0 because the count is small.
  static const Layout* layout_of(std::string_view head) {
    for (const Layout* layout : {&first_layout, &second_layout}) {
      if (static_cast<std::uint8_t>(head[layout->version_at]) == layout->version) return layout;
    }
    throw MalformedRecord("its version is neither 1 nor 2");
  }

  // Converts the operation code of a SCSI block command [SBC-3]. Returns false for all other commands. They either
  // transfer no data of the disk or, like UNMAP and WRITE SAME, contain their ranges in data that the trace lacks.
  static bool read_kind(std::uint16_t command, TraceRecord& record) {
    switch (command) {
      case 0x08:  // READ (6), (10), (12), (16)
      case 0x28:
      case 0xa8:
      case 0x88: record.kind = RequestKind::read; return true;
      case 0x0a:  // WRITE (6), (10), (12), (16); WRITE AND VERIFY (10), (12), (16)
      case 0x2a:
      case 0xaa:
      case 0x8a:
      case 0x2e:
      case 0xae:
      case 0x8e: record.kind = RequestKind::write; return true;
      case 0x35:  // SYNCHRONIZE CACHE (10), (16)
      case 0x91: record.kind = RequestKind::flush; return true;
      default: return false;
    }
  }

  const Layout* layout_ = nullptr;
};

}  // namespace

void register_vscsi(TraceFormatRegistry& formats) {
  formats.add<Vscsi>("vscsi", "binary SCSI commands of VMware's virtual disks, of version 1 or 2");
}

}  // namespace nandscape::host
