// SPDX-License-Identifier: Apache-2.0
// Objects in the place of variants (core/registry.h), as a program hands them over beside a tree of values: that holds
// the object's name at the key, and here the object stands under the key's dotted path.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/registry.h"

namespace nandscape {

using VariantObjects = std::map<std::string, std::shared_ptr<VariantObject>, std::less<>>;

}  // namespace nandscape
