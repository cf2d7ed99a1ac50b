// SPDX-License-Identifier: Apache-2.0
// DiskSim's ASCII format.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

class DiskSim final : public TraceFormat {
 public:
  using Parameters = NoParameters;
  DiskSim(const Parameters&, const std::string&) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    constexpr std::uint64_t millisecond_ns = 1'000'000;
    record.time_ns = parse_time(take_word(line), millisecond_ns, "time in ms");
    record.device = take_word(line);
    parse_unsigned(record.device, "device number");
    record.offset_bytes = parse_sectors(take_word(line), "LBA in sectors of 512 bytes");
    record.size_bytes = parse_sectors(take_word(line), "size in sectors of 512 bytes");
    const std::string_view flags = take_word(line);
    std::uint64_t bits = 0;
    const auto [stop, fault] = std::from_chars(flags.data(), flags.data() + flags.size(), bits, 16);
    if (fault != std::errc() || stop != flags.data() + flags.size())
      throw_unreadable(flags, "flags word in hexadecimal");
    record.kind = (bits & 1) != 0 ? RequestKind::read : RequestKind::write;
    if (!take_word(line).empty()) throw MalformedRecord("there are more than five columns");
    return true;
  }

  std::string_view expected() const override { return "ms device LBA512 sectors flags"; }

  // Lines of five integers would fit too, but they are the `ascii` format. DiskSim prints its times with decimals, so
  // at least one time must have decimals.
  std::string objection(const std::vector<std::string>& lines) override {
    std::string fault = TraceFormat::objection(lines);
    if (!fault.empty()) return fault;
    for (std::string_view line : lines) {
      if (take_word(line).find('.') != std::string_view::npos) return {};
    }
    return "no time has decimals";
  }
};

}  // namespace

void register_disksim(TraceFormatRegistry& formats) {
  formats.add<DiskSim>("disksim", "DiskSim: ms, device, LBA and size in sectors of 512 bytes, flags (bit 0: read)");
}

}  // namespace nandscape::host
