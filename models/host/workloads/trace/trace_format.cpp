// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/trace_format.h"

#include "host/workloads/trace/columns.h"

namespace nandscape::host {

std::string TraceFormat::objection(const std::vector<std::string>& records) {
  try {
    TraceRecord record;
    for (const std::string_view bytes : records) {
      if (head_bytes() != 0) record_bytes(bytes.substr(0, head_bytes()));
      static_cast<void>(decode(bytes, record));
    }
  } catch (const MalformedRecord& fault) {
    return fault.what();
  }
  return {};
}

TraceFormatRegistry& trace_formats() {
  static TraceFormatRegistry formats("trace format", [](TraceFormatRegistry& r) {
    for (const auto add : {register_automatic, register_msr, register_spc, register_ascii, register_disksim,
                           register_fio, register_blkparse, register_csv, register_alibaba, register_tencent,
                           register_systor17, register_fiu, register_vscsi, register_oracle_general, register_blktrace})
      add(r);
  });
  return formats;
}

}  // namespace nandscape::host
