// SPDX-License-Identifier: Apache-2.0
// Keys that were given and that nobody reads under the present choices, as the schema declares it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/value.h"
#include "platform/config/parameters.h"

namespace nandscape {

using KeyPaths = std::set<std::string>;

// The full paths of the keys of a tree, those of `file` alone unless that is empty.
KeyPaths keys_of(const Value& tree, const std::string& file = {}, const std::string& path = {});

// A line for each reason: "nand.condition.pe_cycles does nothing, since simulation.cells is ideal".
std::vector<std::string> ignored_keys(PlatformParameters parameters, const KeyPaths& given);

// What the schema declares to be unread in some case and does not have: none, or a declaration is wrong.
KeyPaths declared_in_vain();

}  // namespace nandscape
