// SPDX-License-Identifier: Apache-2.0
// Keys that had another name in an earlier version.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nandscape {

struct RenamedKey {
  std::string_view old_path;
  std::string_view new_path;
};
std::span<const RenamedKey> renamed_keys();

// What the key is called now, as a path from the root; empty when it never had this name.
std::string new_name_of(std::string_view old_path);

}  // namespace nandscape
