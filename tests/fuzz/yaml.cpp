// SPDX-License-Identifier: Apache-2.0
// Fuzz test: reads arbitrary text as YAML. The result must be a tree that is the same after it is written and read
// again, or a ConfigError whose message is printable.
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
    // The trees are compared as text, because they may contain NaN, which is not equal to itself.
    require(write_yaml(read_yaml(written, {"written.yaml", 1})) == written, "a written tree reads back the same");
  } catch (const ConfigError& error) {
    const std::string told = error.what();
    require(told == message_text(told), "the message is printable");
    require(!told.starts_with("written.yaml"), "a written tree can be read");
  }
  return 0;
}
