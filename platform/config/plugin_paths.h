// SPDX-License-Identifier: Apache-2.0
// Paths of plug-ins (`ecc.plugin`, `ecc.background.plugin`, `controller.content.plugin`). Determines which libraries a
// configuration names, and which file names them.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/value.h"

namespace nandscape {

// Returns the keys whose values name a plug-in.
std::span<const std::string_view> plugin_keys();

// Keys whose plug-in is named by a saved result or a checkpoint, each with the path of that file. A plug-in is code. It
// is therefore not loaded when such a file is only inspected, and the user must permit it before the configuration is
// run.
using ForeignPlugins = std::map<std::string, std::string>;

// Sets the source location of each of these plug-in keys in `tree` to the file that names the plug-in.
void mark_foreign_plugins(Value& tree, const ForeignPlugins& foreign);
// Returns the keys of a tree whose plug-in is named in one of `files`, each with that file.
ForeignPlugins foreign_plugins(const Value& tree, const std::set<std::string>& files);

// Makes the path of each plug-in absolute. A path in a file is relative to the folder of the file, and any other path
// is relative to the working directory. A resolved configuration therefore names the same library wherever it is
// loaded.
void make_plugin_paths_absolute(Value& tree);

}  // namespace nandscape
