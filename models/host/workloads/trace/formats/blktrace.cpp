// SPDX-License-Identifier: Apache-2.0
// The binary events of the Linux kernel as `blktrace -o` and `blkparse -d` store them. Each event is one structure in
// the byte order of the recording machine, followed by additional data. The structure contains the length of these
// data.
#include <string>

#include "host/workloads/trace/block_events.h"
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/fields.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

constexpr std::size_t event_bytes = 48;
constexpr std::uint32_t magic = 0x65617400;  // the last byte contains the version
constexpr std::uint32_t version = 7;

// Offsets of the structure's fields.
constexpr std::size_t time_at = 8;
constexpr std::size_t sector_at = 16;
constexpr std::size_t bytes_at = 24;
constexpr std::size_t action_at = 28;
constexpr std::size_t device_at = 36;
constexpr std::size_t data_bytes_at = 46;

// The action field: its lower half is the event, and its upper half is the kind of request.
constexpr std::uint32_t event_mask = 0xff;  // excludes bit 8, which is set if the event has a control group
constexpr std::uint32_t event_queued = 1;
constexpr std::uint32_t event_dispatched = 7;
constexpr std::uint32_t event_completed = 8;
constexpr std::uint32_t kind_read = 1u << 16;
constexpr std::uint32_t kind_write = 1u << 17;
constexpr std::uint32_t kind_flush = 1u << 18;
constexpr std::uint32_t kind_packet = 1u << 25;
constexpr std::uint32_t kind_notice = 1u << 26;
constexpr std::uint32_t kind_discard = 1u << 29;

class Blktrace final : public TraceFormat {
 public:
  using Parameters = BlockEventParameters;
  Blktrace(const Parameters& parameters, const std::string&) : events_(parameters) {}

  std::size_t head_bytes() const override { return event_bytes; }

  std::size_t record_bytes(std::string_view head) override {
    order_ = byte_order(head);
    return event_bytes + number_at<std::uint16_t>(head, data_bytes_at, order_);
  }

  bool decode(std::string_view bytes, TraceRecord& record) override {
    const auto action = number_at<std::uint32_t>(bytes, action_at, order_);
    if ((action & (kind_notice | kind_packet)) != 0) return false;
    record.size_bytes = number_at<std::uint32_t>(bytes, bytes_at, order_);
    if (!read_kind(action, record) || !is_issue(action & event_mask)) return false;
    record.time_ns = number_at<std::uint64_t>(bytes, time_at, order_);
    record.device = device_text(number_at<std::uint32_t>(bytes, device_at, order_));
    if (record.kind == RequestKind::flush) return true;
    const auto sector = number_at<std::uint64_t>(bytes, sector_at, order_);
    constexpr std::uint64_t past_sectors = std::uint64_t{1} << 55;
    if (sector >= past_sectors)
      throw MalformedRecord(std::to_string(sector) + " is not a valid sector: it is past 2^55");
    record.offset_bytes = sector * 512;
    return true;
  }

  std::string_view expected() const override { return "struct blk_io_trace, magic 0x656174, version 7"; }

  std::string substitute() const override { return events_.substitute(); }

 private:
  static std::endian byte_order(std::string_view head) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
      const auto word = number_at<std::uint32_t>(head, 0, order);
      if ((word & ~0xffu) != magic) continue;
      if ((word & 0xff) == version) return order;
      throw MalformedRecord("its version is " + std::to_string(word & 0xff));
    }
    throw MalformedRecord("it does not begin with the magic number");
  }

  static bool read_kind(std::uint32_t action, TraceRecord& record) {
    if (record.size_bytes == 0) {
      record.kind = RequestKind::flush;
      return (action & kind_flush) != 0;
    }
    if ((action & kind_discard) != 0) {
      record.kind = RequestKind::trim;
    } else if ((action & kind_write) != 0) {
      record.kind = RequestKind::write;
    } else {
      record.kind = RequestKind::read;
      return (action & kind_read) != 0;
    }
    return true;
  }

  bool is_issue(std::uint32_t event) {
    if (event == event_queued) return events_.counts(BlockEvent::queued);
    if (event == event_dispatched) return events_.counts(BlockEvent::dispatched);
    if (event == event_completed) return events_.counts(BlockEvent::completed);
    return false;
  }

  // Formats a device number as blkparse prints it, for example "8,0".
  std::string_view device_text(std::uint32_t device) {
    if (device_name_.empty() || device != device_) {
      constexpr unsigned minor_bits = 20;
      device_ = device;
      device_name_ = std::to_string(device >> minor_bits) + "," + std::to_string(device & ((1u << minor_bits) - 1));
    }
    return device_name_;
  }

  BlockEvents events_;
  std::endian order_ = std::endian::little;  // byte order of the latest record
  std::uint32_t device_ = 0;
  std::string device_name_;
};

}  // namespace

void register_blktrace(TraceFormatRegistry& formats) {
  formats.add<Blktrace>("blktrace", "binary events of a Linux block trace (struct blk_io_trace), of either byte order");
}

}  // namespace nandscape::host
