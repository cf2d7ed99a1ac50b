// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/trace_format.h"

#include "host/workloads/trace/columns.h"

namespace nandscape::host {

std::string TraceFormat::objection(const std::vector<std::string>& lines) {
  try {
    TraceRecord record;
    for (const std::string& line : lines) decode(line, record);
  } catch (const MalformedLine& fault) {
    return fault.what();
  }
  return {};
}

const TraceFormatRegistry& trace_formats() {
  static const TraceFormatRegistry formats = [] {
    TraceFormatRegistry registry("trace format");
    register_automatic(registry);
    register_msr(registry);
    register_spc(registry);
    register_ascii(registry);
    register_disksim(registry);
    register_fio(registry);
    register_blkparse(registry);
    register_csv(registry);
    return registry;
  }();
  return formats;
}

}  // namespace nandscape::host
