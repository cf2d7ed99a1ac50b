// SPDX-License-Identifier: Apache-2.0
// Block traces that Alibaba published in 2020 [Li et al., IISWC 2020]. They record the virtual disks of a cloud
// cluster.
#include "host/workloads/trace/formats/csv.h"

namespace nandscape::host {
namespace {

class Alibaba final : public Csv {
 public:
  using Parameters = NoParameters;
  Alibaba(const Parameters&, const std::string& path) : Csv(table(), path) {}

 private:
  static CsvParameters table() {
    CsvParameters table;
    table.columns = {"device_id", "opcode", "offset", "length", "timestamp"};
    table.device_column = "device_id";
    table.time_unit = CsvTimeUnit::us;
    table.operations = {{"r"}, {"w"}, {}, {}, {}, {}};
    return table;
  }
};

}  // namespace

void register_alibaba(TraceFormatRegistry& formats) {
  formats.add<Alibaba>("alibaba", "Alibaba block traces of 2020: device, R or W, offset and length in bytes, us");
}

}  // namespace nandscape::host
