// SPDX-License-Identifier: Apache-2.0
// Fuzz test: sets arbitrary keys to arbitrary values, as Python code can. The result must be a ConfigError, or a
// configuration that is the same after it is written and read again. Cell sets and profiles are not tested, since they
// are files.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "byte_source.h"
#include "core/error.h"
#include "core/message_text.h"
#include "platform/config/configuration_checks.h"
#include "platform/config/parameter_reader.h"
#include "platform/config/parameter_writer.h"
#include "platform/config/parameters.h"
#include "platform/config/tree_merge.h"
#include "require.h"

namespace nandscape {
namespace {

const SchemaNode& schema() {
  static const SchemaNode schema = schema_of<PlatformParameters>();
  return schema;
}

const SchemaNode& node_at(std::size_t number) {
  static const std::vector<const SchemaNode*> nodes = [] {
    std::vector<const SchemaNode*> all;
    for_each_node(schema(), [&](const SchemaNode& node) { all.push_back(&node); });
    return all;
  }();
  return *nodes[number % nodes.size()];
}

// Returns a value that the node accepts, if the node has a list of choices or a range.
Value fitting_value(ByteSource& bytes, const SchemaNode& node) {
  if (!node.choices.empty()) return Value(node.choices[bytes.below(node.choices.size())].name);
  if (node.low.is_null() || node.high.is_null()) return Value(1);
  const double number = std::lerp(node.low.number(), node.high.number(), bytes.take<std::uint8_t>() / 256.0);
  if (node.kind == SchemaNode::Kind::integer) return Value(static_cast<std::int64_t>(number));
  return Value(number);
}

Value drawn_value(ByteSource& bytes, const SchemaNode& node, int depth) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (bytes.take<std::uint8_t>() % 16) {
    case 0: return Value();
    case 1: return Value(true);
    case 2: return Value(false);
    case 3: return Value(bytes.take<std::int64_t>());
    case 4: return Value(std::int64_t{bytes.take<std::int8_t>()});
    case 5: return Value(bytes.take<double>());
    case 6: return Value(std::array{0.0, -0.0, infinity, -infinity, std::nan(""), 1e-300, 1e300, 0.5}[bytes.below(8)]);
    case 7: return Value(bytes.text());
    case 8: return node.low;
    case 9: return node.high;
    case 10: return node.standard;
    case 11:
    case 12: return fitting_value(bytes, node);
    case 13: {
      Value::List items;
      for (std::size_t k = bytes.below(9); k > 0 && depth < 3; --k)
        items.push_back(drawn_value(bytes, node, depth + 1));
      return Value(std::move(items));
    }
    default: {
      Value::Map map;
      for (std::size_t k = bytes.below(5); k > 0 && depth < 3 && !node.children.empty(); --k) {
        const SchemaNode& child = node.children[bytes.below(node.children.size())];
        const std::string key = bytes.take<std::uint8_t>() % 16 == 0 ? bytes.text() : child.key;
        map.emplace_back(key, drawn_value(bytes, child, depth + 1));
      }
      return Value(std::move(map));
    }
  }
}

Value read_and_write(const Value& tree) {
  PlatformParameters parameters;
  const auto description = [&](ParameterVisitor& visitor) { describe(parameters, visitor); };
  read_parameters(tree, description, schema());
  check_configuration(parameters, tree);
  return write_parameters(description);
}

void try_one(ByteSource& bytes) {
  Value tree = Value::map();
  std::vector<std::pair<std::string, Value>> overrides;
  while (!bytes.empty()) {
    const SchemaNode& node = node_at(bytes.take<std::uint16_t>());
    std::string path = node.path;
    // A key of a variant has an effect only if this variant is selected, so the variant is usually selected first.
    if (!node.variant.empty() && bytes.take<std::uint8_t>() % 8 != 0) {
      overrides.emplace_back(path.substr(0, path.rfind('.') + 1) + node.selector, Value(node.variant));
    }
    if (bytes.take<std::uint8_t>() % 32 == 0) path += bytes.text();
    overrides.emplace_back(std::move(path), drawn_value(bytes, node, 0));
  }
  check_overrides(overrides);
  apply_overrides(tree, overrides, schema());
  const Value resolved = read_and_write(tree);
  require(read_and_write(resolved).to_json() == resolved.to_json(), "a resolved configuration resolves to itself");
}

}  // namespace
}  // namespace nandscape

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  ByteSource bytes(data, size);
  try {
    try_one(bytes);
  } catch (const ConfigError& error) {
    const std::string told = error.what();
    require(told == message_text(told), "the message is printable");
  }
  return 0;
}
