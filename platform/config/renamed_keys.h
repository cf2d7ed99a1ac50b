// SPDX-License-Identifier: Apache-2.0
// Keys with another name in an earlier version.
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

// The current path of the key, from the root; empty if no key had this old path.
std::string new_name_of(std::string_view old_path);

}  // namespace nandscape
