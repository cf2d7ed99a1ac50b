// SPDX-License-Identifier: Apache-2.0
// Finds the name that a user most likely meant, for the "did you mean" of error messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace nandscape {

// The number of insertions, deletions, replacements and swaps of neighbours that turn one name into the other. Case is
// ignored, and '-' equals '_'.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the nearest of `candidates`, the first if several are equally near. Returns an empty string if the nearest
// differs by more than one edit for each three letters of `name`.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace nandscape
