// SPDX-License-Identifier: Apache-2.0
// Traces of Tencent's cloud block storage (CBS) [Zhang et al., ATC 2020]. They record the virtual volumes of one
// warehouse.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/formats/csv.h"

namespace nandscape::host {
namespace {

class Tencent final : public Csv {
 public:
  using Parameters = NoParameters;
  Tencent(const Parameters&, const std::string& path) : Csv(table(), path) {}

  // Other formats with five integer columns may also have 0 or 1 in the fourth column, but their lines do not begin
  // with a Unix time.
  std::string objection(const std::vector<std::string>& lines) override {
    constexpr std::size_t unix_time_digits = 10;
    for (std::string_view line : lines) {
      if (take_field(line).size() != unix_time_digits) return "a line does not begin with a Unix time in seconds";
    }
    return Csv::objection(lines);
  }

 private:
  static CsvParameters table() {
    CsvParameters table;
    table.columns = {"Timestamp", "Offset", "Size", "IOType", "VolumeID"};
    table.time_unit = CsvTimeUnit::s;
    table.operation_column = "IOType";
    table.offset_unit = CsvAddressUnit::sectors;
    table.size_unit = CsvAddressUnit::sectors;
    table.device_column = "VolumeID";
    table.operations = {{"0"}, {"1"}, {}, {}, {}, {}};
    return table;
  }
};

}  // namespace

void register_tencent(TraceFormatRegistry& formats) {
  formats.add<Tencent>("tencent", "Tencent CBS: s, offset and size in sectors of 512 bytes, 0 (read) or 1, volume");
}

}  // namespace nandscape::host
