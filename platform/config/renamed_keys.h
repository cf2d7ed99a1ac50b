// SPDX-License-Identifier: Apache-2.0
// Tables of keys that had another name in an earlier version, and of former values, each replaced by keys of its own.
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

// Returns the current full path of a key, given its old path. The result is empty if no key had this old path.
std::string new_name_of(std::string_view old_path);

// Returns the keys and values that replace a former value of `path`. The result is empty if the key never had this
// value.
std::string keys_for_value(std::string_view path, std::string_view value);

}  // namespace nandscape
