// SPDX-License-Identifier: Apache-2.0
// Keys that had another name in an earlier version, and former values that are keys of their own now.
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

// The keys, with their values, that take the place of a former value of `path`; empty if it had no such value.
std::string keys_for_value(std::string_view path, std::string_view value);

}  // namespace nandscape
