// SPDX-License-Identifier: Apache-2.0
// Block traces of the enterprise servers at Microsoft Research Cambridge [Narayanan, Donnelly, Rowstron 2008].
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/operation_names.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

struct MsrParameters {
  OperationWords operations;
};

void describe(MsrParameters& p, ParameterVisitor& v) {
  v.group("operations", p.operations, "words of the trace for each operation");
}

class Msr final : public TraceFormat {
 public:
  using Parameters = MsrParameters;
  Msr(const Parameters& parameters, const std::string&)
      : operations_(parameters.operations, {{"read"}, {"write"}, {}, {}, {}, {}}) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    constexpr std::uint64_t filetime_ns = 100;
    record.time_ns = parse_time(take_field(line), filetime_ns, "time in units of 100 ns");
    take_field(line);  // name of the host, not used
    record.device = take_field(line);
    const std::optional<RequestKind> kind = operations_.find(take_field(line));
    if (!kind) return false;
    record.kind = *kind;
    record.offset_bytes = parse_unsigned(take_field(line), "offset in bytes");
    record.size_bytes = parse_unsigned(take_field(line), "size in bytes");
    parse_unsigned(take_field(line), "response time");  // parsed only to recognise the format
    return true;
  }

  std::string_view expected() const override { return "filetime,host,disk,Read|Write,offset,size,response"; }

 private:
  const OperationNames operations_;
};

}  // namespace

void register_msr(TraceFormatRegistry& formats) {
  formats.add<Msr>("msr", "MSR Cambridge: filetime in 100 ns, host, disk, Read or Write, offset and size in bytes");
}

}  // namespace nandscape::host
