// SPDX-License-Identifier: Apache-2.0
// Objects used in place of registered variants (core/registry.h), given beside a tree of values. In the tree, the
// object's name is the value of a key; in this map, the object is found under the dotted path of that key.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/registry.h"

namespace nandscape {

using VariantObjects = std::map<std::string, std::shared_ptr<VariantObject>, std::less<>>;

}  // namespace nandscape
