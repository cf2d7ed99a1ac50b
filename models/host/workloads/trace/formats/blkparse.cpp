// SPDX-License-Identifier: Apache-2.0
// The default text output of blkparse for a trace of the Linux block layer.
#include <optional>

#include "host/workloads/trace/block_events.h"
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

class Blkparse final : public TraceFormat {
 public:
  using Parameters = BlockEventParameters;
  Blkparse(const Parameters& parameters, const std::string&) : events_(parameters) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    constexpr std::uint64_t second_ns = 1'000'000'000;
    record.device = take_word(line);
    in_summary_ = in_summary_ || record.device.starts_with("CPU") || record.device == "Total";
    if (in_summary_) return false;
    if (record.device.find(',') == std::string_view::npos) throw_unreadable(record.device, "device 'major,minor'");
    parse_unsigned(take_word(line), "CPU number");
    parse_unsigned(take_word(line), "sequence number");
    record.time_ns = parse_time(take_word(line), second_ns, "time in seconds");
    parse_unsigned(take_word(line), "process id");
    const std::optional<BlockEvent> event = event_of(take_word(line));
    if (!event) return false;
    const std::string_view operation = take_word(line);
    const bool has_data = read_extent(line, record);
    // Some records are not requests to the device, for example packet commands and plugs. They do not count as events.
    return read_operation(operation, has_data, record) && events_.counts(*event);
  }

  std::string_view expected() const override {
    return "major,minor CPU sequence seconds pid action RWBS sector + sectors";
  }

  std::string substitute() const override { return events_.substitute(); }

 private:
  // Reads an extent, "sector + sectors [program]". Returns false if the record has none: requests without data and
  // packet commands have no extent.
  static bool read_extent(std::string_view line, TraceRecord& record) {
    const std::string_view sector = take_word(line);
    if (take_word(line) != "+") return false;
    record.offset_bytes = parse_sectors(sector, "sector");
    record.size_bytes = parse_sectors(take_word(line), "size in sectors");
    return true;
  }

  // Reads the RWBS column. A leading F requests a flush before the operation, and the next letter is the operation. The
  // letters after it do not change the operation: S synchronous, M metadata, A read-ahead, F forced unit access.
  static bool read_operation(std::string_view letters, bool has_data, TraceRecord& record) {
    const bool flush_before = letters.starts_with('F');
    if (flush_before) letters.remove_prefix(1);
    if (flush_before && !has_data) {
      record.kind = RequestKind::flush;
      return true;
    }
    if (!has_data) return false;
    if (letters.starts_with("WZ")) {
      record.kind = RequestKind::write_zeroes;
    } else if (letters.starts_with('W')) {
      record.kind = RequestKind::write;
    } else if (letters.starts_with('R')) {
      record.kind = RequestKind::read;
    } else if (letters.starts_with('D')) {
      record.kind = RequestKind::trim;
    } else {
      return false;
    }
    return true;
  }

  static std::optional<BlockEvent> event_of(std::string_view action) {
    if (action == "Q") return BlockEvent::queued;
    if (action == "D") return BlockEvent::dispatched;
    if (action == "C") return BlockEvent::completed;
    return std::nullopt;
  }

  BlockEvents events_;
  bool in_summary_ = false;  // true when the summary has begun, which contains counts for each CPU and in total
};

}  // namespace

void register_blkparse(TraceFormatRegistry& formats) {
  formats.add<Blkparse>("blkparse", "default output of blkparse for a Linux block trace");
}

}  // namespace nandscape::host
