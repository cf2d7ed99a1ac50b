// SPDX-License-Identifier: Apache-2.0
// How the bits of a cell are coded into its threshold-voltage states, as far as time depends on it: how many senses
// each page of a wordline takes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parameters.h"

namespace nandscape {

// The codings that can be selected, for the schema.
const std::vector<Choice>& codings();

// N_SENSE of each page of a wordline, lowest bit first; its length is the bits per cell.
std::vector<std::uint32_t> senses_of(std::string_view coding);

}  // namespace nandscape
