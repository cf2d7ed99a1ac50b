// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/formats/csv.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/message_text.h"
#include "host/workloads/trace/columns.h"

namespace nandscape::host {
namespace {

using Names = std::span<const std::string_view>;
constexpr std::string_view time_names[] = {"time", "timestamp", "arrival", "start", "at"};
constexpr std::string_view operation_names[] = {"operation", "op", "type", "opcode", "io_type", "rw", "kind"};
constexpr std::string_view offset_byte_names[] = {"offset_bytes", "offset", "byte_offset", "address_bytes"};
constexpr std::string_view offset_sector_names[] = {"lba",          "sector",       "first_lba",
                                                    "first_sector", "start_sector", "offset_sectors"};
constexpr std::string_view size_byte_names[] = {"size_bytes", "size", "bytes", "length_bytes", "length"};
constexpr std::string_view size_sector_names[] = {"sectors", "size_sectors", "sector_count", "length_sectors"};
constexpr std::string_view device_names[] = {"device", "dev", "disk", "disk_number", "disknumber", "asu", "namespace"};

struct Unit {
  std::string_view suffix;
  std::uint64_t nanoseconds;
};
// The units in the order of CsvTimeUnit, which begins with `by_name`; element 0 is the unit of `s`.
constexpr std::array time_units{Unit{"_s", 1'000'000'000}, Unit{"_ms", 1'000'000}, Unit{"_us", 1'000}, Unit{"_ns", 1},
                                Unit{"_filetime", 100}};

bool is_one_of(std::string_view name, Names names) {
  for (const std::string_view candidate : names) {
    if (equals_ignoring_case(name, candidate)) return true;
  }
  return false;
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

// Possible separators. The first of them that occurs in a line separates its columns. If none occurs, blanks separate
// the columns.
constexpr std::string_view separators = ",;\t";

char separator_of(std::string_view line) {
  for (const char candidate : separators) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ' ';
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

void require_single_names(const std::vector<std::string>& columns, std::size_t most) {
  if (columns.size() > most) throw ConfigError({}, "columns", "has more than " + std::to_string(most) + " names");
  for (const std::string& name : columns) {
    if (name.find_first_of(separators) == std::string::npos) continue;
    throw ConfigError({}, "columns",
                      quotation(name) + " is more than one name; write a list of names, [time_us, op, lba, sectors]");
  }
}

// Splits a line into its fields and returns the number of fields. Throws MalformedRecord if the line has more fields
// than `fields` can hold.
std::size_t split(std::string_view line, char separator, std::span<std::string_view> fields) {
  std::size_t count = 0;
  const auto add = [&](std::string_view field) {
    if (count == fields.size()) {
      throw MalformedRecord("there are more than " + std::to_string(fields.size()) + " columns");
    }
    fields[count++] = without_quotes(field);
  };
  if (separator == ' ') {
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) add(word);
    return count;
  }
  for (;;) {
    const std::size_t end = end_of_field(line, separator);
    add(trimmed(line.substr(0, end)));
    if (end == line.size()) return count;
    line.remove_prefix(end + 1);
  }
}

const Unit* unit_of(std::string_view name) {
  for (const Unit& unit : time_units) {
    if (name.size() < unit.suffix.size()) continue;
    if (equals_ignoring_case(name.substr(name.size() - unit.suffix.size()), unit.suffix)) return &unit;
  }
  return nullptr;
}

bool is_time_name(std::string_view name) {
  if (const Unit* unit = unit_of(name)) name.remove_suffix(unit->suffix.size());
  return is_one_of(name, time_names);
}

const OperationWords& usual_operations() {
  static const OperationWords words{{"read", "r"},          {"write", "w"},
                                    {"flush", "f", "sync"}, {"trim", "t", "discard", "unmap"},
                                    {"write_zeroes", "wz"}, {}};
  return words;
}

// The names of a table's columns, with functions that find a column by its name.
class ColumnNames {
 public:
  // `place` is where the names come from, for messages: "the header", for example.
  ColumnNames(Names names, std::string_view place) : names_(names), place_(place) {}

  // Returns the column with the name `given`, which the user has configured. If `given` is empty, returns the first
  // column whose name is one of `usual`, or nullopt if there is none. Throws MalformedRecord if no column has the name
  // `given`.
  std::optional<std::size_t> find(const std::string& given, Names usual) const {
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (given.empty() ? is_one_of(names_[k], usual) : names_[k] == given) return k;
    }
    require_none(given);
    return std::nullopt;
  }

  std::optional<std::size_t> find_time(const std::string& given) const {
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (given.empty() ? is_time_name(names_[k]) : names_[k] == given) return k;
    }
    require_none(given);
    return std::nullopt;
  }

  std::size_t required(std::optional<std::size_t> column, std::string_view meaning) const {
    if (column) return *column;
    throw MalformedRecord(place_ + " has no column known as the " + std::string(meaning) + "; name it with '" +
                          std::string(meaning) + "_column', beside 'format: csv'");
  }

  // Finds the column that contains the offset or the size. Returns its index, and true if its unit is a sector or false
  // if its unit is a byte.
  std::pair<std::size_t, bool> find_address(const std::string& given, CsvAddressUnit unit, Names byte_names,
                                            Names sector_names, std::string_view meaning) const {
    std::optional<std::size_t> found = find(given, byte_names);
    if (!found) found = find(given, sector_names);
    const std::size_t column = required(found, meaning);
    return {column, unit == CsvAddressUnit::sectors ||
                        (unit == CsvAddressUnit::by_name && is_one_of(names_[column], sector_names))};
  }

 private:
  void require_none(const std::string& given) const {
    if (!given.empty()) throw MalformedRecord(place_ + " has no column " + quotation(given));
  }

  Names names_;
  std::string place_;
};

}  // namespace

void describe(CsvParameters& p, ParameterVisitor& v) {
  const std::vector<Choice> address_units{{"by_name", "sectors if the column's name says so, otherwise bytes"},
                                          {"bytes", "bytes"},
                                          {"sectors", "sectors of 512 bytes"}};
  v.texts("columns", p.columns, "names of the columns, in order; empty: the file has a header line with them");
  v.text("time_column", p.time_column, "column of the time; empty: time_us, timestamp_ms, ...");
  v.choice("time_unit", p.time_unit,
           {{"by_name", "by the end of the column's name: _s, _ms, _us, _ns or _filetime"},
            {"s", "seconds"},
            {"ms", "milliseconds"},
            {"us", "microseconds"},
            {"ns", "nanoseconds"},
            {"filetime", "units of 100 ns"}},
           "unit of the times");
  v.text("operation_column", p.operation_column, "column of the operation; empty: operation, op, type, ...");
  v.text("offset_column", p.offset_column, "column of the address; empty: offset_bytes, offset, lba, sector, ...");
  v.choice("offset_unit", p.offset_unit, address_units, "unit of the addresses");
  v.text("size_column", p.size_column, "column of the size; empty: size_bytes, size, bytes, sectors, ...");
  v.choice("size_unit", p.size_unit, address_units, "unit of the sizes");
  v.text("device_column", p.device_column, "column of the device; empty: device, disk, asu, ... if there is one");
  v.group("operations", p.operations, "words of the trace for each operation");
  v.choice("blank_operation", p.blank_operation,
           {{"error", "the line is malformed"}, {"ignored", "the line is skipped"}},
           "meaning of a line without an operation");
}

Csv::Csv(const Parameters& parameters, const std::string&)
    : parameters_(parameters),
      operations_(parameters.operations, usual_operations()),
      header_(joined(parameters.columns)) {
  require_single_names(parameters.columns, most_columns);
}

bool Csv::decode(std::string_view line, TraceRecord& record) {
  if (!header_read_) {
    header_read_ = true;
    if (read_header(line)) return false;
  }
  const std::size_t count = split(line, separator_, fields_);
  if (count != columns_) {
    throw MalformedRecord("there are " + std::to_string(count) + " columns where " + std::string(names_place()) +
                          " has " + std::to_string(columns_));
  }
  if (time_) record.time_ns = parse_time(fields_[*time_], time_ns_, "time");
  if (device_) record.device = fields_[*device_];
  const std::string_view operation = fields_[operation_];
  if (operation.empty() && parameters_.blank_operation == CsvBlankOperation::ignored) return false;
  const std::optional<RequestKind> kind = operations_.find(operation);
  if (!kind) return false;
  record.kind = *kind;
  if (record.kind == RequestKind::flush) return true;  // a flush may have no address and no size
  record.offset_bytes = offset_in_sectors_ ? parse_sectors(fields_[offset_], "sector number")
                                           : parse_unsigned(fields_[offset_], "offset in bytes");
  record.size_bytes = size_in_sectors_ ? parse_sectors(fields_[size_], "size in sectors")
                                       : parse_unsigned(fields_[size_], "size in bytes");
  return true;
}

std::string_view Csv::expected() const {
  if (header_.empty()) return "time_us,operation,offset_bytes,size_bytes";
  return header_;
}

// Finds the columns of the table and returns true if the first line of the file, `line`, is a header. If the
// configuration lists the column names, these names are used, and the line is a header only if it contains the same
// names.
bool Csv::read_header(std::string_view line) {
  separator_ = separator_of(line);
  const std::span in_line(fields_.data(), split(line, separator_, fields_));
  if (parameters_.columns.empty()) {
    find_columns(in_line);
    header_ = line;
    return true;
  }
  const std::vector<std::string_view> given(parameters_.columns.begin(), parameters_.columns.end());
  find_columns(given);
  return std::ranges::equal(in_line, given);
}

// Returns where the names of the columns come from, for messages.
std::string_view Csv::names_place() const { return parameters_.columns.empty() ? "the header" : "the list 'columns'"; }

void Csv::find_columns(std::span<const std::string_view> in_order) {
  columns_ = in_order.size();
  const ColumnNames names(in_order, names_place());
  const CsvParameters& p = parameters_;
  operation_ = names.required(names.find(p.operation_column, operation_names), "operation");
  std::tie(offset_, offset_in_sectors_) =
      names.find_address(p.offset_column, p.offset_unit, offset_byte_names, offset_sector_names, "offset");
  std::tie(size_, size_in_sectors_) =
      names.find_address(p.size_column, p.size_unit, size_byte_names, size_sector_names, "size");
  device_ = names.find(p.device_column, device_names);
  // The column of times is optional, because a trace without times can be replayed in a closed loop.
  time_ = names.find_time(p.time_column);
  if (time_) time_ns_ = nanoseconds_of_time(in_order[*time_]);
}

// Returns the unit of the times in nanoseconds. The unit is the configured `time_unit`, or else it follows from the
// suffix of the column's name, for example "time_us".
std::uint64_t Csv::nanoseconds_of_time(std::string_view name) const {
  if (parameters_.time_unit != CsvTimeUnit::by_name) {
    return time_units[static_cast<std::size_t>(parameters_.time_unit) - 1].nanoseconds;
  }
  if (const Unit* unit = unit_of(name)) return unit->nanoseconds;
  throw MalformedRecord("the name " + quotation(name) +
                        " does not say the unit of the times; give 'time_unit', beside 'format: csv'");
}

void register_csv(TraceFormatRegistry& formats) {
  formats.add<Csv>("csv", "a table whose columns are found by their names, in a header line or in `columns`");
}

}  // namespace nandscape::host
