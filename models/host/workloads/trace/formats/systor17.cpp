// SPDX-License-Identifier: Apache-2.0
// Traces of the storage of a virtual desktop infrastructure with six LUNs, published at SYSTOR '17 [Lee et al. 2017].
#include "host/workloads/trace/formats/csv.h"

namespace nandscape::host {
namespace {

class Systor17 final : public Csv {
 public:
  using Parameters = NoParameters;
  Systor17(const Parameters&, const std::string& path) : Csv(table(), path) {}

 private:
  static CsvParameters table() {
    CsvParameters table;
    // Each published file has a header line with these names. If the file is cut into parts, only the first part has
    // the header, so the names are given here.
    table.columns = {"Timestamp", "Response", "IOType", "LUN", "Offset", "Size"};
    table.time_unit = CsvTimeUnit::s;
    table.operation_column = "IOType";
    table.device_column = "LUN";
    table.operations = {{"r", "read"}, {"w", "write"}, {}, {}, {}, {}};
    // The type is blank if the response of the request was not captured.
    table.blank_operation = CsvBlankOperation::ignored;
    return table;
  }
};

}  // namespace

void register_systor17(TraceFormatRegistry& formats) {
  formats.add<Systor17>("systor17", "SYSTOR '17: s, response, R or W, LUN, offset and size in bytes");
}

}  // namespace nandscape::host
