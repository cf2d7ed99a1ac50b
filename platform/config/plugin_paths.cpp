// SPDX-License-Identifier: Apache-2.0
#include "platform/config/plugin_paths.h"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

namespace nandscape {

namespace {

namespace fs = std::filesystem;

void make_absolute(Value& tree, std::initializer_list<std::string_view> keys) {
  Value* value = &tree;
  for (const std::string_view key : keys) {
    value = value->find(key);
    if (value == nullptr) return;
  }
  const std::string* given = value->text();
  if (given == nullptr || given->empty()) return;
  // What comes from a file has a line there.
  const fs::path folder = value->source.line > 0 ? fs::path(value->source.file).parent_path() : fs::path();
  std::error_code error;
  const fs::path absolute = fs::absolute(folder / *given, error);
  if (error) return;  // without a working directory; opening it will tell
  const SourceLocation source = value->source;
  *value = Value(absolute.lexically_normal().string());
  value->source = source;
}

}  // namespace

void make_plugin_paths_absolute(Value& tree) {
  make_absolute(tree, {"ecc", "plugin"});
  make_absolute(tree, {"ecc", "background", "plugin"});
  make_absolute(tree, {"controller", "content", "plugin"});
}

}  // namespace nandscape
