// SPDX-License-Identifier: Apache-2.0
// Any lines as a trace of one format, with any of its parameters: records, or a MalformedLine.
#include <cstdint>
#include <string>
#include <vector>

#include "byte_source.h"
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/trace_format.h"
#include "require.h"

namespace nandscape {
namespace {

// Draws the parameters of a format.
class ParameterDraw final : public ParameterVisitor {
 public:
  explicit ParameterDraw(ByteSource& bytes) : bytes_(bytes) {}

 protected:
  void visit_boolean(const ParameterInfo&, bool& value) override { value = bytes_.below(2) != 0; }
  void visit_integer(const ParameterInfo&, std::int64_t& value, IntegerRange range) override {
    const auto count = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    value = range.low + static_cast<std::int64_t>(bytes_.take<std::uint16_t>() % (count == ~0ull ? count : count + 1));
  }
  void visit_real(const ParameterInfo&, double&, RealRange) override {}
  void visit_text(const ParameterInfo&, std::string& value) override {
    if (bytes_.below(2) != 0) value = bytes_.text();
  }
  void visit_choice(const ParameterInfo&, std::string& value, const std::vector<Choice>& choices) override {
    value = choices[bytes_.below(choices.size())].name;
  }
  void visit_variant(const ParameterInfo&, VariantChoice&, const VariantFamily&) override {}
  void visit_reals(const ParameterInfo&, std::vector<double>&, RealRange) override {}
  bool enter_group(const ParameterInfo&) override { return false; }
  void leave_group() override {}
  std::size_t enter_list(const ParameterInfo&, std::size_t size) override { return size; }
  bool enter_item(std::size_t) override { return false; }
  void leave_item() override {}
  void leave_list() override {}

 private:
  ByteSource& bytes_;
};

// Decodes the lines up to the first that is malformed; how many records there were.
std::size_t decode(host::TraceFormat& format, const std::vector<std::string>& lines) {
  std::size_t records = 0;
  try {
    for (const std::string& line : lines) {
      host::TraceRecord record;
      if (!format.decode(line, record)) continue;
      ++records;
      const char* device = record.device.data();
      require(record.device.empty() ||
                  (device >= line.data() && device + record.device.size() <= line.data() + line.size()),
              "the device stands in the line");
      static_cast<void>(format.has_times());
    }
  } catch (const host::MalformedLine&) {
    static_cast<void>(format.expected());
  }
  return records;
}

}  // namespace
}  // namespace nandscape

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  ByteSource bytes(data, size);
  VariantChoice choice{NANDSCAPE_TRACE_FORMAT, host::trace_formats().make_parameters(NANDSCAPE_TRACE_FORMAT)};
  ParameterDraw draw(bytes);
  choice.parameters->visit(draw);
  // As the reader of lines gives them: not empty, without their ends.
  std::vector<std::string> lines;
  for (std::string_view rest = bytes.rest(); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end != 0) lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::string path = "trace";
  const std::size_t records = decode(*host::trace_formats().make(choice, path), lines);
  require(records == decode(*host::trace_formats().make(choice, path), lines), "decoding repeats");
  static_cast<void>(host::trace_formats().make(choice, path)->objection(lines));
  return 0;
}
