// SPDX-License-Identifier: Apache-2.0
// Detects the format of a trace from its first records. The detection opens the file a second time, so the file must
// not be a pipe.
#include <array>

#include "core/error.h"
#include "host/workloads/trace/binary_reader.h"
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/line_reader.h"
#include "host/workloads/trace/message_text.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

constexpr std::string_view own_name = "auto";
constexpr std::size_t records_looked_at = 16;

struct Fit {
  std::vector<std::string> formats;
  std::string objections;  // why the other formats do not fit, one line for each format
};

// Returns the reason why the first records of the file are not of the format, or an empty string if they are. The first
// record must be complete. An error in a later record does not exclude the format, because the replay will report it
// with its position.
std::string objection_to_bytes(const std::string& name, const std::string& path) {
  const std::unique_ptr<TraceFormat> format = trace_formats().make({name, nullptr}, path);
  BinaryReader reader(path, *format);
  std::vector<std::string> records;
  std::string fault;
  try {
    for (std::string_view record; records.size() < records_looked_at && reader.next(record);) {
      records.emplace_back(record);
    }
  } catch (const MalformedRecord& malformed) {
    fault = malformed.what();
  } catch (const InputError& truncated) {
    fault = truncated.what();
  }
  if (records.empty()) return fault;
  return trace_formats().make({name, nullptr}, path)->objection(records);
}

// Tests the file against all binary formats, or against all text formats. Returns the formats that fit, and the
// objections of the formats that do not fit.
template <class Objection>
Fit formats_of(const std::string& path, bool binary, Objection objection_of) {
  Fit fit;
  for (const Choice& format : trace_formats().variants()) {
    if (format.name == own_name) continue;
    const std::string name(format.name);
    if ((trace_formats().make({name, nullptr}, path)->head_bytes() != 0) != binary) continue;
    const std::string objection = objection_of(name);
    if (objection.empty()) {
      fit.formats.push_back(name);
    } else {
      fit.objections += "\n  " + name + ": " + objection;
    }
  }
  return fit;
}

Fit formats_of_lines(const std::string& path, const std::vector<std::string>& lines) {
  return formats_of(path, false, [&](const std::string& name) {
    return trace_formats().make({name, nullptr}, path)->objection(lines);
  });
}

// Text contains no zero bytes, whereas fixed-width binary integers contain many.
bool is_text(const std::string& path) {
  std::array<char, 4096> bytes;
  const std::unique_ptr<ByteStream> stream = open_byte_stream(path);
  std::size_t looked_at = 0;
  while (looked_at < bytes.size()) {
    const std::size_t count = stream->read(bytes.data() + looked_at, bytes.size() - looked_at);
    if (count == 0) break;
    looked_at += count;
  }
  return std::string_view(bytes.data(), looked_at).find('\0') == std::string_view::npos;
}

std::vector<std::string> first_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string_view line;
  while (lines.size() < records_looked_at && reader.next(line)) lines.emplace_back(line);
  if (lines.empty()) throw InputError({path}, "the trace has no usable record: it has no line of text");
  return lines;
}

std::string only_format(const Fit& fit, const std::string& path, const std::string& got) {
  if (fit.formats.size() == 1) return fit.formats.front();
  if (fit.formats.empty()) throw InputError({path}, "no known trace format fits" + got + "\nTried:" + fit.objections);
  std::string names = fit.formats.front();
  for (std::size_t k = 1; k < fit.formats.size(); ++k) names += ", " + fit.formats[k];
  throw InputError({path}, "several trace formats fit: " + names + "; name one of them with 'format'" + got);
}

// Finds the longest run of lines, from the first line onward, for which exactly one format fits. Returns this format,
// or an empty string if there is no such run. A malformed line does not exclude the format of the lines before it,
// because the replay will report the malformed line.
std::string format_of_start(const std::string& path, const std::vector<std::string>& lines) {
  for (std::size_t count = lines.size(); count != 0; --count) {
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(count);
    const Fit start = formats_of_lines(path, {lines.begin(), end});
    if (start.formats.size() == 1) return start.formats.front();
  }
  return {};
}

std::string detect_text_format(const std::string& path) {
  const std::vector<std::string> lines = first_lines(path);
  const Fit whole = formats_of_lines(path, lines);
  if (whole.formats.empty()) {
    if (std::string format = format_of_start(path, lines); !format.empty()) return format;
  }
  return only_format(whole, path, "; the first line is: " + quoted_line(lines.front()));
}

// Returns the binary format that fits. If no binary format fits, the file may be text with a malformed record, so the
// text formats are tried too.
std::string detect_binary_format(const std::string& path) {
  const Fit fit = formats_of(path, true, [&](const std::string& name) { return objection_to_bytes(name, path); });
  if (fit.formats.empty()) {
    try {
      if (std::string format = format_of_start(path, first_lines(path)); !format.empty()) return format;
    } catch (const InputError&) {
      // The file has no lines either.
    }
  }
  return only_format(fit, path, "; the file is not text");
}

class Automatic final : public TraceFormat {
 public:
  using Parameters = NoParameters;
  Automatic(const Parameters&, const std::string& path)
      : format_(trace_formats().make({is_text(path) ? detect_text_format(path) : detect_binary_format(path), nullptr},
                                     path)) {}

  bool decode(std::string_view bytes, TraceRecord& record) override { return format_->decode(bytes, record); }
  std::string_view expected() const override { return format_->expected(); }
  std::size_t head_bytes() const override { return format_->head_bytes(); }
  std::size_t record_bytes(std::string_view head) override { return format_->record_bytes(head); }
  bool has_times() const override { return format_->has_times(); }
  std::string substitute() const override { return format_->substitute(); }

 private:
  std::unique_ptr<TraceFormat> format_;
};

}  // namespace

void register_automatic(TraceFormatRegistry& formats) {
  formats.add<Automatic>(std::string(own_name),
                         "detected from the first records; formats with parameters use their defaults");
}

}  // namespace nandscape::host
