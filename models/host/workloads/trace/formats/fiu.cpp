// SPDX-License-Identifier: Apache-2.0
// Traces of Florida International University (FIU), published with the papers on I/O deduplication [Koller, Rangaswami,
// FAST 2010] and on SRCMap [Verma et al., FAST 2010].
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/operation_names.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

struct FiuParameters {
  OperationWords operations;
};

void describe(FiuParameters& p, ParameterVisitor& v) {
  v.group("operations", p.operations, "words of the trace for each operation");
}

// Removes the last column from a line whose columns are separated by blanks, and returns it. Returns an empty string if
// no column is left.
std::string_view take_last_word(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t begin = rest.size();
  while (begin > 0 && rest[begin - 1] != ' ' && rest[begin - 1] != '\t') --begin;
  const std::string_view word = rest.substr(begin);
  rest.remove_suffix(rest.size() - begin);
  return word;
}

class Fiu final : public TraceFormat {
 public:
  using Parameters = FiuParameters;
  Fiu(const Parameters& parameters, const std::string&)
      : operations_(parameters.operations, {{"r", "read"}, {"w", "write"}, {}, {}, {}, {}}) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    record.time_ns = parse_unsigned(take_word(line), "time in whole ns");
    parse_unsigned(take_word(line), "process id");
    // The name of the process may contain blanks, so the columns after the name are taken from the end of the line.
    require_digest(take_last_word(line));
    record.device = take_device(line);
    const std::string_view operation = take_last_word(line);
    record.size_bytes = parse_sectors(take_last_word(line), "size in sectors of 512 bytes");
    record.offset_bytes = parse_sectors(take_last_word(line), "LBA in sectors of 512 bytes");
    if (trimmed(line).empty()) throw_missing("name of the process");
    const std::optional<RequestKind> kind = operations_.find(operation);
    if (!kind) return false;
    record.kind = *kind;
    return true;
  }

  std::string_view expected() const override { return "ns pid process LBA512 sectors R|W major minor MD5"; }

 private:
  static void require_digest(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    constexpr std::size_t shortest = 16;
    if (text.size() < shortest || text.find_first_not_of(digits) != std::string_view::npos) {
      throw_unreadable(text, "digest of the data");
    }
  }

  // Removes the device from the end of the line and returns it as "major minor", spelled as in the line.
  static std::string_view take_device(std::string_view& line) {
    const std::string_view whole = trimmed(line);
    parse_unsigned(take_last_word(line), "minor device number");
    parse_unsigned(take_last_word(line), "major device number");
    return whole.substr(line.size());
  }

  const OperationNames operations_;
};

}  // namespace

void register_fiu(TraceFormatRegistry& formats) {
  formats.add<Fiu>("fiu", "FIU: ns, pid, process, LBA and size in sectors of 512 bytes, R or W, device, MD5");
}

}  // namespace nandscape::host
