// SPDX-License-Identifier: Apache-2.0
// Paths of plug-ins (`ecc.plugin`, `ecc.background.plugin`, `controller.content.plugin`): which library a configuration
// names, and on whose word.
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

// Keys whose plug-in is named by a saved result or a checkpoint, each with that file. A plug-in is code: looking at
// such a file does not load it, and running what it holds takes a permission.
using ForeignPlugins = std::map<std::string, std::string>;

// Says of the plug-ins that a tree names at these keys that they come from these files.
void mark_foreign_plugins(Value& tree, const ForeignPlugins& foreign);
// The keys of a tree whose plug-in comes from one of the files.
ForeignPlugins foreign_plugins(const Value& tree, const std::set<std::string>& files);

// Makes each path absolute: from the folder of the file that gives it, or from the working directory where no file
// does. So a resolved configuration names the same library wherever it is loaded.
void make_plugin_paths_absolute(Value& tree);

}  // namespace nandscape
