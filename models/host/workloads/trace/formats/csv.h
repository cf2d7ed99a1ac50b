// SPDX-License-Identifier: Apache-2.0
// Decodes any table whose columns are found by name. The names come from the header line of the file, or from a list
// that the configuration or a preset supplies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/workloads/trace/operation_names.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {

enum class CsvTimeUnit { by_name, s, ms, us, ns, filetime };
enum class CsvAddressUnit { by_name, bytes, sectors };
enum class CsvBlankOperation { error, ignored };

struct CsvParameters {
  std::vector<std::string> columns;
  std::string time_column;
  CsvTimeUnit time_unit = CsvTimeUnit::by_name;
  std::string operation_column;
  std::string offset_column;
  CsvAddressUnit offset_unit = CsvAddressUnit::by_name;
  std::string size_column;
  CsvAddressUnit size_unit = CsvAddressUnit::by_name;
  std::string device_column;
  OperationWords operations;
  CsvBlankOperation blank_operation = CsvBlankOperation::error;
};

void describe(CsvParameters& parameters, ParameterVisitor& visitor);

// Decodes a table. The formats of published traces with fixed columns derive from this class and pass their own
// parameters.
class Csv : public TraceFormat {
 public:
  using Parameters = CsvParameters;
  Csv(const Parameters& parameters, const std::string& path);

  bool decode(std::string_view line, TraceRecord& record) override;
  std::string_view expected() const override;
  bool has_times() const override { return time_.has_value(); }

 private:
  static constexpr std::size_t most_columns = 64;

  bool read_header(std::string_view line);
  void find_columns(std::span<const std::string_view> in_order);
  std::string_view names_place() const;
  std::uint64_t nanoseconds_of_time(std::string_view name) const;

  const CsvParameters parameters_;
  const OperationNames operations_;
  bool header_read_ = false;
  std::string header_;
  char separator_ = ',';
  std::size_t columns_ = 0;
  std::size_t operation_ = 0;
  std::size_t offset_ = 0;
  std::size_t size_ = 0;
  bool offset_in_sectors_ = false;
  bool size_in_sectors_ = false;
  std::optional<std::size_t> time_;
  std::optional<std::size_t> device_;
  std::uint64_t time_ns_ = 1;
  std::array<std::string_view, most_columns> fields_;  // of the line that is being decoded
};

}  // namespace nandscape::host
