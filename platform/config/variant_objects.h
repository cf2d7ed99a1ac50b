// SPDX-License-Identifier: Apache-2.0
// Objects that are used in place of registered variants (core/registry.h). They are given in addition to a tree of
// values. The tree contains only the name of the object, as the value of a key. This map contains the object itself,
// under the dotted path of the same key.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/registry.h"

namespace nandscape {

using VariantObjects = std::map<std::string, std::shared_ptr<VariantObject>, std::less<>>;

}  // namespace nandscape
