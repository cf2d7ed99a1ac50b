// SPDX-License-Identifier: Apache-2.0
// The text format of SSDSim and MQSim, which has five columns.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

struct AsciiParameters {
  std::uint32_t read_code = 1;
};

void describe(AsciiParameters& p, ParameterVisitor& v) {
  v.integer("read_code", p.read_code, {0, 1}, "",
            "number in the last column that means a read, since tools differ; the other number means a write");
}

class Ascii final : public TraceFormat {
 public:
  using Parameters = AsciiParameters;
  Ascii(const Parameters& parameters, const std::string&) : read_code_(parameters.read_code) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    record.time_ns = parse_unsigned(take_word(line), "time in whole ns");
    record.device = take_word(line);
    parse_unsigned(record.device, "device number");
    record.offset_bytes = parse_sectors(take_word(line), "LBA in sectors of 512 bytes");
    record.size_bytes = parse_sectors(take_word(line), "size in sectors of 512 bytes");
    const std::string_view type = take_word(line);
    const std::uint64_t code = parse_unsigned(type, "type, 0 or 1");
    if (code > 1) throw_unreadable(type, "type, 0 or 1");
    record.kind = code == read_code_ ? RequestKind::read : RequestKind::write;
    if (!take_word(line).empty()) throw MalformedRecord("there are more than five columns");
    return true;
  }

  std::string_view expected() const override { return "ns device LBA512 sectors 0|1"; }

 private:
  std::uint32_t read_code_;
};

}  // namespace

void register_ascii(TraceFormatRegistry& formats) {
  formats.add<Ascii>("ascii", "MQSim and SSDSim: ns, device, LBA and size in sectors of 512 bytes, type");
}

}  // namespace nandscape::host
