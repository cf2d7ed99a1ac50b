// SPDX-License-Identifier: Apache-2.0
// Tells the format of a trace by its first lines. It reads them from the file itself, so the file must not be a pipe.
#include "core/error.h"
#include "host/workloads/trace/line_reader.h"
#include "host/workloads/trace/message_text.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape {
namespace {

constexpr std::string_view own_name = "auto";
constexpr std::size_t lines_looked_at = 16;

std::vector<std::string> first_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string_view line;
  while (lines.size() < lines_looked_at && reader.next(line)) lines.emplace_back(line);
  if (lines.empty()) throw InputError({path}, "the trace has no usable record: there is no line of text in it");
  return lines;
}

std::string detect_format(const std::string& path) {
  const std::vector<std::string> lines = first_lines(path);
  std::vector<std::string> fitting;
  std::string objections;
  for (const Choice& format : trace_formats().variants()) {
    if (format.name == own_name) continue;
    const std::string name(format.name);
    const std::string objection = trace_formats().make({name, nullptr}, path)->objection(lines);
    if (objection.empty()) fitting.push_back(name);
    if (!objection.empty()) objections += "\n  " + name + ": " + objection;
  }
  if (fitting.size() == 1) return fitting.front();
  const std::string got = "; the first line is: " + quoted_line(lines.front());
  if (fitting.empty()) throw InputError({path}, "no known trace format fits" + got + "\nTried:" + objections);
  std::string names = fitting.front();
  for (std::size_t k = 1; k < fitting.size(); ++k) names += ", " + fitting[k];
  throw InputError({path}, "several trace formats fit: " + names + "; name one of them with 'format'" + got);
}

class Automatic final : public TraceFormat {
 public:
  using Parameters = NoParameters;
  Automatic(const Parameters&, const std::string& path)
      : format_(trace_formats().make({detect_format(path), nullptr}, path)) {}

  bool decode(std::string_view line, TraceRecord& record) override { return format_->decode(line, record); }
  std::string_view expected() const override { return format_->expected(); }
  bool has_times() const override { return format_->has_times(); }

 private:
  std::unique_ptr<TraceFormat> format_;
};

}  // namespace

void register_automatic(TraceFormatRegistry& formats) {
  formats.add<Automatic>(std::string(own_name), "told by the first lines; formats with parameters take their defaults");
}

}  // namespace nandscape
