// SPDX-License-Identifier: Apache-2.0
// Any table with a header line: columns are found by name.
#include <array>
#include <optional>
#include <span>

#include "core/message_text.h"
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

enum class CsvTimeUnit { by_name, s, ms, us, ns, filetime };
enum class CsvAddressUnit { by_name, bytes, sectors };

struct CsvParameters {
  std::string time_column;
  CsvTimeUnit time_unit = CsvTimeUnit::by_name;
  std::string operation_column;
  std::string offset_column;
  CsvAddressUnit offset_unit = CsvAddressUnit::by_name;
  std::string size_column;
  CsvAddressUnit size_unit = CsvAddressUnit::by_name;
  std::string device_column;
};

void describe(CsvParameters& p, ParameterVisitor& v) {
  const std::vector<Choice> address_units{{"by_name", "sectors when the name says so, bytes otherwise"},
                                          {"bytes", "bytes"},
                                          {"sectors", "sectors of 512 bytes"}};
  v.text("time_column", p.time_column, "column of the time; empty: time_us, timestamp_ms, ...");
  v.choice("time_unit", p.time_unit,
           {{"by_name", "the name ends in _s, _ms, _us or _ns"},
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
  v.text("device_column", p.device_column, "column of the device; empty: device, disk, asu, ... when there is one");
}

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
// In the order of CsvTimeUnit, from `s` on.
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

class Csv final : public TraceFormat {
 public:
  using Parameters = CsvParameters;
  Csv(const Parameters& parameters, const std::string&) : parameters_(parameters) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    if (!header_read_) {
      read_header(line);
      header_read_ = true;
      return false;
    }
    std::array<std::string_view, most_columns> fields;
    const std::size_t count = split(line, fields);
    if (count != columns_) {
      throw MalformedLine("there are " + std::to_string(count) + " columns where the header has " +
                          std::to_string(columns_));
    }
    if (time_) record.time_ns = parse_time(fields[*time_], time_ns_, "time");
    if (device_) record.device = fields[*device_];
    record.kind = read_operation(fields[operation_]);
    if (record.kind == RequestKind::flush) return true;  // its address and size may be left empty
    record.offset_bytes = offset_in_sectors_ ? parse_sectors(fields[offset_], "sector number")
                                             : parse_unsigned(fields[offset_], "offset in bytes");
    record.size_bytes = size_in_sectors_ ? parse_sectors(fields[size_], "size in sectors")
                                         : parse_unsigned(fields[size_], "size in bytes");
    return true;
  }

  std::string_view expected() const override {
    if (header_.empty()) return "time_us,operation,offset_bytes,size_bytes";
    return header_;
  }
  bool has_times() const override { return time_.has_value(); }

 private:
  static constexpr std::size_t most_columns = 64;

  std::size_t split(std::string_view line, std::array<std::string_view, most_columns>& fields) const {
    std::size_t count = 1;
    for (const char c : line) count += c == separator_ ? 1 : 0;
    if (count > most_columns) throw MalformedLine("there are more than " + std::to_string(most_columns) + " columns");
    for (std::size_t k = 0; k < count; ++k) fields[k] = without_quotes(take_field(line, separator_));
    return count;
  }

  void read_header(std::string_view line) {
    for (const char candidate : {',', ';', '\t'}) {
      if (line.find(candidate) == std::string_view::npos) continue;
      separator_ = candidate;
      break;
    }
    std::array<std::string_view, most_columns> fields;
    columns_ = split(line, fields);
    const std::span names(fields.data(), columns_);
    operation_ = required(find(names, parameters_.operation_column, operation_names), "operation", "operation_column");
    find_address(names, parameters_.offset_column, parameters_.offset_unit, offset_byte_names, offset_sector_names,
                 "offset", offset_, offset_in_sectors_);
    find_address(names, parameters_.size_column, parameters_.size_unit, size_byte_names, size_sector_names, "size",
                 size_, size_in_sectors_);
    device_ = find(names, parameters_.device_column, device_names);
    find_time(names);
    header_ = line;
  }

  // The column with the name that the user gave, or else the first with one of the usual names.
  static std::optional<std::size_t> find(Names names, const std::string& given, Names usual) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (given.empty() ? is_one_of(names[k], usual) : names[k] == given) return k;
    }
    if (!given.empty()) throw MalformedLine("the header has no column " + quotation(given));
    return std::nullopt;
  }

  static std::size_t required(std::optional<std::size_t> column, std::string_view meaning, std::string_view key) {
    if (column) return *column;
    throw MalformedLine("the header has no column known as the " + std::string(meaning) + "; name it with '" +
                        std::string(key) + "', beside 'format: csv'");
  }

  static void find_address(Names names, const std::string& given, CsvAddressUnit unit, Names byte_names,
                           Names sector_names, std::string_view meaning, std::size_t& column, bool& in_sectors) {
    std::optional<std::size_t> found = find(names, given, byte_names);
    if (!found) found = find(names, given, sector_names);
    column = required(found, meaning, std::string(meaning) + "_column");
    in_sectors =
        unit == CsvAddressUnit::sectors || (unit == CsvAddressUnit::by_name && is_one_of(names[column], sector_names));
  }

  // "time_us", or "time" when the unit is given apart. A table without times can be replayed in a closed loop.
  void find_time(Names names) {
    for (std::size_t k = 0; k < names.size() && !time_; ++k) {
      if (!parameters_.time_column.empty() ? names[k] == parameters_.time_column : is_time_name(names[k])) time_ = k;
    }
    if (!time_ && !parameters_.time_column.empty()) {
      throw MalformedLine("the header has no column " + quotation(parameters_.time_column));
    }
    if (!time_) return;
    if (parameters_.time_unit != CsvTimeUnit::by_name) {
      time_ns_ = time_units[static_cast<std::size_t>(parameters_.time_unit) - 1].nanoseconds;
      return;
    }
    const Unit* unit = unit_of(names[*time_]);
    if (unit == nullptr) {
      throw MalformedLine("the name " + quotation(names[*time_]) +
                          " does not say the unit of the times; give 'time_unit', beside 'format: csv'");
    }
    time_ns_ = unit->nanoseconds;
  }

  static const Unit* unit_of(std::string_view name) {
    for (const Unit& unit : time_units) {
      if (name.size() < unit.suffix.size()) continue;
      if (equals_ignoring_case(name.substr(name.size() - unit.suffix.size()), unit.suffix)) return &unit;
    }
    return nullptr;
  }

  static bool is_time_name(std::string_view name) {
    if (const Unit* unit = unit_of(name)) name.remove_suffix(unit->suffix.size());
    return is_one_of(name, time_names);
  }

  static RequestKind read_operation(std::string_view text) {
    struct Spelling {
      RequestKind kind;
      std::array<std::string_view, 4> names;
    };
    static constexpr std::array spellings{
        Spelling{RequestKind::read, {"read", "r"}},
        Spelling{RequestKind::write, {"write", "w"}},
        Spelling{RequestKind::flush, {"flush", "f", "sync"}},
        Spelling{RequestKind::trim, {"trim", "t", "discard", "unmap"}},
        Spelling{RequestKind::write_zeroes, {"write_zeroes", "wz"}},
    };
    if (text.empty()) throw_missing("operation");
    for (const Spelling& spelling : spellings) {
      if (is_one_of(text, spelling.names)) return spelling.kind;
    }
    throw_unreadable(text, "operation (read, write, flush, trim, write_zeroes, r, w)");
  }

  CsvParameters parameters_;
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
};

}  // namespace

void register_csv(TraceFormatRegistry& formats) {
  formats.add<Csv>("csv", "a table with a header line; columns are found by their names");
}

}  // namespace nandscape::host
