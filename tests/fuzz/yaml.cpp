// SPDX-License-Identifier: Apache-2.0
// Reads any text as YAML: the result must be a tree that reads back as written, or a ConfigError with a printable
// message.
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
    // Compared as text, since NaN is not equal to itself.
    require(write_yaml(read_yaml(written, {"written.yaml", 1})) == written, "a written tree reads back the same");
  } catch (const ConfigError& error) {
    const std::string told = error.what();
    require(told == message_text(told), "the message is printable");
    require(!told.starts_with("written.yaml"), "a written tree can be read");
  }
  return 0;
}
