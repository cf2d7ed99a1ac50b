// SPDX-License-Identifier: Apache-2.0
// Finds given keys that have no effect with the configured choices. The schema declares which keys these are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/value.h"
#include "platform/config/parameters.h"

namespace nandscape {

using KeyPaths = std::set<std::string>;

// The full paths of the keys of a tree; if `file` is not empty, only of keys given in that file.
KeyPaths keys_of(const Value& tree, const std::string& file = {}, const std::string& path = {});

// A line for each reason: "nand.condition.pe_cycles does nothing, since simulation.cells is ideal".
std::vector<std::string> ignored_keys(PlatformParameters parameters, const KeyPaths& given);

// Keys declared as sometimes unread that the schema does not have. Empty unless a declaration is wrong.
KeyPaths declared_in_vain();

}  // namespace nandscape
