// SPDX-License-Identifier: Apache-2.0
// Which name a user most likely meant, for the "did you mean" of error messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace nandscape {

// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other. Letters differ by
// their case and '-' differs from '_' at no cost.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `candidates` (the first, where several are as near), or an empty string where none is so near that
// `name` can be a slip of it: at most one edit in three letters.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace nandscape
