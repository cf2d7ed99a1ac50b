// SPDX-License-Identifier: Apache-2.0
// The I/O log of fio. Version 2 has no times but may have `wait` lines; version 3 has a time on every line. The file
// name in a line is used as the name of the device.
#include <algorithm>

#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/operation_names.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

enum class FioTimeUnit { us, ms };
enum class FioWait { none, since_start_ms, since_last_us };

struct FioParameters {
  FioTimeUnit time_unit = FioTimeUnit::us;
  FioWait wait_time = FioWait::none;
  OperationWords operations;
};

void describe(FioParameters& p, ParameterVisitor& v) {
  v.choice("time_unit", p.time_unit,
           {{"us", "microseconds, as fio writes them"}, {"ms", "milliseconds, as some converters write them"}},
           "unit of the times of a version 3 log");
  v.choice("wait_time", p.wait_time,
           {{"none", "wait lines are skipped; the log then has no times and needs pacing: closed"},
            {"since_start_ms", "the log continues this many ms after the start, as fio does"},
            {"since_last_us", "the log continues this many us after the previous wait, as fio's manual says"}},
           "meaning of the wait lines of a version 2 log");
  v.group("operations", p.operations, "actions of the log for each operation");
}

class Fio final : public TraceFormat {
 public:
  using Parameters = FioParameters;
  Fio(const Parameters& parameters, const std::string&)
      : parameters_(parameters),
        operations_(parameters.operations,
                    {{"read"}, {"write"}, {"sync", "datasync", "sync_file_range"}, {"trim"}, {}, {}}) {}

  bool decode(std::string_view line, TraceRecord& record) override {
    if (version_ == 0) {
      version_ = read_version(line);
      return false;
    }
    if (version_ == 3) {
      time_ns_ = parse_time(take_word(line), parameters_.time_unit == FioTimeUnit::us ? 1'000 : 1'000'000, "time");
    }
    record.device = take_word(line);
    const std::string_view action = take_word(line);
    if (action == "add" || action == "open" || action == "close" || action == "unlink") return false;
    if (action == "wait") {
      if (version_ == 2) wait(take_word(line));
      return false;  // fio, too, ignores `wait` in version 3
    }
    record.time_ns = time_ns_;
    const std::optional<RequestKind> kind = operations_.find(action);
    if (!kind) return false;
    record.kind = *kind;
    if (record.kind == RequestKind::flush) return true;
    record.offset_bytes = parse_unsigned(take_word(line), "offset in bytes");
    record.size_bytes = parse_unsigned(take_word(line), "length in bytes");
    return true;
  }

  std::string_view expected() const override {
    if (version_ == 0) return "fio version 2|3 iolog";
    return version_ == 2 ? "filename action offset length" : "time filename action offset length";
  }

  bool has_times() const override { return version_ == 3 || parameters_.wait_time != FioWait::none; }

 private:
  static int read_version(std::string_view line) {
    line = trimmed(line);
    if (line == "fio version 2 iolog") return 2;
    if (line == "fio version 3 iolog") return 3;
    throw MalformedRecord("the first line is neither 'fio version 2 iolog' nor 'fio version 3 iolog'");
  }

  void wait(std::string_view text) {
    const std::uint64_t amount = parse_unsigned(text, "time to wait");
    // The limits are longer than any trace. They prevent the sum from overflowing, which would result in an earlier
    // time.
    constexpr std::uint64_t longest_ns = std::uint64_t{1} << 62;
    if (amount > longest_ns / 1'000'000 || time_ns_ > longest_ns) throw_unreadable(text, "time to wait");
    switch (parameters_.wait_time) {
      case FioWait::none: break;
      case FioWait::since_start_ms: time_ns_ = std::max(time_ns_, amount * 1'000'000); break;
      case FioWait::since_last_us: time_ns_ += amount * 1'000; break;
    }
  }

  const FioParameters parameters_;
  const OperationNames operations_;
  int version_ = 0;
  std::uint64_t time_ns_ = 0;
};

}  // namespace

void register_fio(TraceFormatRegistry& formats) { formats.add<Fio>("fio", "fio iolog, version 2 or 3"); }

}  // namespace nandscape::host
