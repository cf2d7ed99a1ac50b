// SPDX-License-Identifier: Apache-2.0
// Finds the name that a user most likely meant, for the "did you mean" of error messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace nandscape {

// Returns the number of insertions, deletions, replacements and swaps of adjacent letters that turn one name into the
// other. Case is ignored, and '-' equals '_'.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the candidate that is most similar to `name`, or the first of them if several are equally similar. Returns an
// empty string if the nearest candidate needs more than one edit for every three letters of `name`.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace nandscape
