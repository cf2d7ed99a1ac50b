// SPDX-License-Identifier: Apache-2.0
#include "platform/config/plugin_paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace nandscape {

namespace {

namespace fs = std::filesystem;

// Returns the value at a dotted path if it is a string that is not empty, and otherwise null.
template <class Tree>
Tree* plugin_at(Tree& tree, std::string_view path) {
  Tree* value = &tree;
  for (std::size_t begin = 0; begin <= path.size() && value != nullptr;) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    value = value->find(path.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string* given = value != nullptr ? value->text() : nullptr;
  return given != nullptr && !given->empty() ? value : nullptr;
}

void make_absolute(Value& value) {
  // A value that was read from a file has a line number. Its path is relative to the folder of this file.
  const fs::path folder = value.source.line > 0 ? fs::path(value.source.file).parent_path() : fs::path();
  std::error_code error;
  const fs::path absolute = fs::absolute(folder / *value.text(), error);
  if (error) return;  // there is no working directory, so the path stays as it is and opening the plug-in will fail
  const SourceLocation source = value.source;
  value = Value(absolute.lexically_normal().string());
  value.source = source;
}

}  // namespace

std::span<const std::string_view> plugin_keys() {
  static constexpr std::array<std::string_view, 3> keys = {"ecc.plugin", "ecc.background.plugin",
                                                           "controller.content.plugin"};
  return keys;
}

void mark_foreign_plugins(Value& tree, const ForeignPlugins& foreign) {
  for (const auto& [key, file] : foreign) {
    if (Value* plugin = plugin_at(tree, key)) plugin->source = {file, 1};
  }
}

ForeignPlugins foreign_plugins(const Value& tree, const std::set<std::string>& files) {
  ForeignPlugins found;
  for (const std::string_view key : plugin_keys()) {
    const Value* plugin = plugin_at(tree, key);
    if (plugin != nullptr && files.contains(plugin->source.file)) found.emplace(key, plugin->source.file);
  }
  return found;
}

void make_plugin_paths_absolute(Value& tree) {
  for (const std::string_view key : plugin_keys()) {
    if (Value* plugin = plugin_at(tree, key)) make_absolute(*plugin);
  }
}

}  // namespace nandscape
