// SPDX-License-Identifier: Apache-2.0
// The trace format of the Storage Performance Council (SPC), as used in the UMass trace repository.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/operation_names.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

struct SpcParameters {
  OperationWords operations;
};

void describe(SpcParameters& p, ParameterVisitor& v) {
  v.group("operations", p.operations, "words of the trace for each operation");
}

class Spc final : public TraceFormat {
 public:
  using Parameters = SpcParameters;
  Spc(const Parameters& parameters, const std::string&)
      : operations_(parameters.operations, {{"r"}, {"w"}, {}, {}, {}, {}}) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    constexpr std::uint64_t second_ns = 1'000'000'000;
    record.device = take_field(line);
    parse_unsigned(record.device, "application storage unit");
    record.offset_bytes = parse_sectors(take_field(line), "LBA in sectors of 512 bytes");
    record.size_bytes = parse_unsigned(take_field(line), "size in bytes");
    const std::optional<RequestKind> kind = operations_.find(take_field(line));
    if (!kind) return false;
    record.kind = *kind;
    record.time_ns = parse_time(take_field(line), second_ns, "time in seconds");
    return true;  // the format allows additional columns
  }

  std::string_view expected() const override { return "ASU,LBA,size,r|w,seconds"; }

 private:
  const OperationNames operations_;
};

}  // namespace

void register_spc(TraceFormatRegistry& formats) {
  formats.add<Spc>("spc", "SPC, as in the UMass repository: ASU, LBA in 512 bytes, size in bytes, r or w, seconds");
}

}  // namespace nandscape::host
