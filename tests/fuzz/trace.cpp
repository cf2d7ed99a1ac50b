// SPDX-License-Identifier: Apache-2.0
// Fuzz test: reads arbitrary lines or bytes as a trace of one format, with arbitrary parameters. Reading must produce
// records or throw a MalformedRecord.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "byte_source.h"
#include "core/error.h"
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
  void visit_texts(const ParameterInfo&, std::vector<std::string>& values) override {
    values.clear();
    for (auto count = bytes_.below(8); count > 0; --count) values.push_back(bytes_.text());
  }
  bool enter_group(const ParameterInfo&) override { return true; }
  void leave_group() override {}
  std::size_t enter_list(const ParameterInfo&, std::size_t size) override { return size; }
  bool enter_item(std::size_t) override { return false; }
  void leave_item() override {}
  void leave_list() override {}

 private:
  ByteSource& bytes_;
};

std::unique_ptr<host::TraceFormat> make_format(const VariantChoice& choice) {
  const std::string path = "trace";
  return host::trace_formats().make(choice, path);
}

// Splits a string into lines as the trace reader does. Empty lines and line ends are left out.
std::vector<std::string> lines_of(std::string_view rest) {
  std::vector<std::string> lines;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end != 0) lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

// Returns the complete records at the start of a binary trace. Stops at an incomplete or malformed record.
std::vector<std::string> structures_of(std::string_view rest, host::TraceFormat& format) {
  std::vector<std::string> records;
  const std::size_t head_bytes = format.head_bytes();
  try {
    while (rest.size() >= head_bytes) {
      const std::size_t size = format.record_bytes(rest.substr(0, head_bytes));
      require(size >= head_bytes, "a record includes the bytes that give its length");
      if (size > rest.size()) break;
      records.emplace_back(rest.substr(0, size));
      rest.remove_prefix(size);
    }
  } catch (const host::MalformedRecord&) {
    static_cast<void>(format.expected());
  }
  return records;
}

// Decodes the records up to the first malformed record. Returns the number of requests.
std::size_t decode(host::TraceFormat& format, const std::vector<std::string>& records) {
  const std::size_t head_bytes = format.head_bytes();
  std::size_t requests = 0;
  try {
    for (const std::string_view bytes : records) {
      if (head_bytes != 0) format.record_bytes(bytes.substr(0, head_bytes));
      host::TraceRecord record;
      if (!format.decode(bytes, record)) continue;
      ++requests;
      const char* device = record.device.data();
      require(record.device.empty() || head_bytes != 0 ||
                  (device >= bytes.data() && device + record.device.size() <= bytes.data() + bytes.size()),
              "the device's name is in the line");
      static_cast<void>(format.has_times());
    }
  } catch (const host::MalformedRecord&) {
    static_cast<void>(format.expected());
  }
  static_cast<void>(format.substitute());
  return requests;
}

}  // namespace
}  // namespace nandscape

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  ByteSource bytes(data, size);
  VariantChoice choice{NANDSCAPE_TRACE_FORMAT, host::trace_formats().make_parameters(NANDSCAPE_TRACE_FORMAT)};
  ParameterDraw draw(bytes);
  choice.parameters->visit(draw);
  try {
    const bool text = make_format(choice)->head_bytes() == 0;
    const std::vector<std::string> records =
        text ? lines_of(bytes.rest()) : structures_of(bytes.rest(), *make_format(choice));
    const std::size_t requests = decode(*make_format(choice), records);
    require(requests == decode(*make_format(choice), records), "decoding repeats");
    static_cast<void>(make_format(choice)->objection(records));
  } catch (const ConfigError&) {
    // The drawn parameters may be invalid: for example, two operations may have been given the same word.
  }
  return 0;
}
