// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/trace_format.h"

#include "host/workloads/trace/columns.h"

namespace nandscape::host {

std::string TraceFormat::objection(const std::vector<std::string>& records) {
  try {
    TraceRecord record;
    for (const std::string_view bytes : records) {
      if (head_bytes() != 0) record_bytes(bytes.substr(0, head_bytes()));
      decode(bytes, record);
    }
  } catch (const MalformedRecord& fault) {
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
    register_alibaba(registry);
    register_tencent(registry);
    register_systor17(registry);
    register_fiu(registry);
    register_vscsi(registry);
    register_oracle_general(registry);
    register_blktrace(registry);
    return registry;
  }();
  return formats;
}

}  // namespace nandscape::host
