// SPDX-License-Identifier: Apache-2.0
// Tells the format of a trace by its first lines. It reads them from the file itself, so the file must not be a pipe.
#include "core/error.h"
#include "host/workloads/trace/line_reader.h"
#include "host/workloads/trace/message_text.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
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

struct Fit {
  std::vector<std::string> formats;
  std::string objections;  // of the others, a line each
};

Fit formats_of(const std::vector<std::string>& lines, const std::string& path) {
  Fit fit;
  for (const Choice& format : trace_formats().variants()) {
    if (format.name == own_name) continue;
    const std::string name(format.name);
    const std::string objection = trace_formats().make({name, nullptr}, path)->objection(lines);
    if (objection.empty()) {
      fit.formats.push_back(name);
    } else {
      fit.objections += "\n  " + name + ": " + objection;
    }
  }
  return fit;
}

std::string detect_format(const std::string& path) {
  const std::vector<std::string> lines = first_lines(path);
  const Fit whole = formats_of(lines, path);
  if (whole.formats.size() == 1) return whole.formats.front();
  const std::string got = "; the first line is: " + quoted_line(lines.front());
  if (whole.formats.empty()) {
    // A broken line does not hide the format of those before it; reading will come to it and tell where it is.
    for (std::size_t count = lines.size() - 1; count != 0; --count) {
      const auto end = lines.begin() + static_cast<std::ptrdiff_t>(count);
      const Fit start = formats_of({lines.begin(), end}, path);
      if (start.formats.size() == 1) return start.formats.front();
    }
    throw InputError({path}, "no known trace format fits" + got + "\nTried:" + whole.objections);
  }
  std::string names = whole.formats.front();
  for (std::size_t k = 1; k < whole.formats.size(); ++k) names += ", " + whole.formats[k];
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

}  // namespace nandscape::host
