// SPDX-License-Identifier: Apache-2.0
// Objects used in place of registered variants (core/registry.h), given beside a tree of values. The tree has the
// object's name as the value of the key; this map has the object under the key's dotted path.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/registry.h"

namespace nandscape {

using VariantObjects = std::map<std::string, std::shared_ptr<VariantObject>, std::less<>>;

}  // namespace nandscape
