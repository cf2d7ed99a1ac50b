// SPDX-License-Identifier: Apache-2.0
#include "host/driver/driver_parameters.h"

namespace nandscape::host {

void describe(DriverParameters& p, ParameterVisitor& v) {
  v.integer("memory_page_bytes", p.memory_page_bytes, {4096, 65536}, "bytes",
            "memory page of the host, a power of two; one PRP entry addresses one page");
  v.integer("queue_entries", p.queue_entries, {2, 16384}, "",
            "entries of each queue that the driver creates, unless the controller allows fewer");
  v.real("submit_ns", p.submit_ns, {0, 1e6}, "ns", "processor time to submit one command");
  v.real("completion_ns", p.completion_ns, {0, 1e6}, "ns", "processor time to handle one completion");
  constexpr const char* weight =
      "commands of this class in one round of weighted round robin (Set Features, Arbitration)";
  v.integer("high_weight", p.high_weight, {1, 256}, "", weight);
  v.integer("medium_weight", p.medium_weight, {1, 256}, "", weight);
  v.integer("low_weight", p.low_weight, {1, 256}, "", weight);
  v.integer("host_buffer_bytes", p.host_buffer_bytes, {0, std::int64_t{1} << 32}, "bytes",
            "most memory that the driver grants a drive as its host memory buffer; 0: none. The default is that of "
            "Linux");
}

}  // namespace nandscape::host
