// SPDX-License-Identifier: Apache-2.0
// Finds given keys that have no effect because of the values of other keys. The schema declares which keys these can
// be.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/value.h"
#include "platform/config/parameters.h"

namespace nandscape {

using KeyPaths = std::set<std::string>;

// Returns the full paths of all keys in a tree. If `file` is not empty, returns only the keys that were given in that
// file.
KeyPaths keys_of(const Value& tree, const std::string& file = {}, const std::string& path = {});

// Returns a line for each reason, such as "nand.condition.pe_cycles does nothing, since simulation.cells is ideal".
std::vector<std::string> ignored_keys(PlatformParameters parameters, const KeyPaths& given);

// Returns the keys that a description declares as sometimes unread, but that the schema does not have. If every
// declaration is right, the set is empty.
KeyPaths declared_in_vain();

}  // namespace nandscape
