// SPDX-License-Identifier: Apache-2.0
// Paths of plug-ins (`ecc.plugin`, `ecc.background.plugin`, `controller.content.plugin`): which library a configuration
// names, and where the name comes from.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/value.h"

namespace nandscape {

// The keys that name a plug-in.
std::span<const std::string_view> plugin_keys();

// Keys whose plug-in is named by a saved result or a checkpoint, each with that file. A plug-in is code: inspecting
// such a file does not load it, and running its configuration needs permission.
using ForeignPlugins = std::map<std::string, std::string>;

// Sets the source of each of these plug-in keys in `tree` to the file that names the plug-in.
void mark_foreign_plugins(Value& tree, const ForeignPlugins& foreign);
// The keys of a tree whose plug-in was named in one of the files.
ForeignPlugins foreign_plugins(const Value& tree, const std::set<std::string>& files);

// Makes each path absolute: relative to the folder of the file that gives it, or to the working directory if no file
// does. So a resolved configuration names the same library wherever it is loaded.
void make_plugin_paths_absolute(Value& tree);

}  // namespace nandscape
