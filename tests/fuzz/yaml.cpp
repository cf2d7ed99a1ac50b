// SPDX-License-Identifier: Apache-2.0
// Any text as YAML: a tree that is written and read back the same, or a ConfigError with a message that can be shown.
#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/message_text.h"
#include "platform/config/yaml_reader.h"
#include "platform/config/yaml_writer.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  try {
    const Value tree = read_yaml(std::string(reinterpret_cast<const char*>(data), size), {"drive.yaml", 1});
    const std::string written = write_yaml(tree);
    // As text: NaN is not equal to itself.
    require(write_yaml(read_yaml(written, {"written.yaml", 1})) == written, "what is written reads back to the same");
  } catch (const ConfigError& error) {
    const std::string told = error.what();
    require(told == message_text(told), "the message is printable");
    require(!told.starts_with("written.yaml"), "what is written can be read");
  }
  return 0;
}
