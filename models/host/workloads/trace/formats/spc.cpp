// SPDX-License-Identifier: Apache-2.0
// The Storage Performance Council's trace format, as in the UMass trace repository.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

class Spc final : public TraceFormat {
 public:
  using Parameters = NoParameters;
  Spc(const Parameters&, const std::string&) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    constexpr std::uint64_t second_ns = 1'000'000'000;
    record.device = take_field(line);
    parse_unsigned(record.device, "application storage unit");
    record.offset_bytes = parse_sectors(take_field(line), "LBA in sectors of 512 bytes");
    record.size_bytes = parse_unsigned(take_field(line), "size in bytes");
    const std::string_view opcode = take_field(line);
    if (equals_ignoring_case(opcode, "r")) {
      record.kind = RequestKind::read;
    } else if (equals_ignoring_case(opcode, "w")) {
      record.kind = RequestKind::write;
    } else {
      throw_unreadable(opcode, "opcode 'r' or 'w'");
    }
    record.time_ns = parse_time(take_field(line), second_ns, "time in seconds");
    return true;  // the format allows further columns
  }

  std::string_view expected() const override { return "ASU,LBA,size,r|w,seconds"; }
};

}  // namespace

void register_spc(TraceFormatRegistry& formats) {
  formats.add<Spc>("spc", "SPC, of the UMass repository: ASU, LBA in 512 bytes, size in bytes, r or w, seconds");
}

}  // namespace nandscape::host
