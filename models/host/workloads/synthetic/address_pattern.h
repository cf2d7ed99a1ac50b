// SPDX-License-Identifier: Apache-2.0
// Where requests go. The footprint is cut into slots of the alignment; a pattern picks the slot a request starts in.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "core/registry.h"

namespace nandscape::host {

class AddressPattern {
 public:
  virtual ~AddressPattern() = default;

  // The slot, below the number of slots the pattern was made with, of a request that is `length` slots long.
  virtual std::uint64_t next(std::uint64_t length, RandomStream& random) = 0;
};

struct PatternContext {
  std::uint64_t slots = 0;  // > 0; the longest request still fits when it starts in the last one
  std::uint64_t seed = 0;   // for a pattern's fixed layout, as opposed to its choices
};

// Patterns are made as Pattern(const Pattern::Parameters&, const PatternContext&).
using PatternRegistry = Registry<AddressPattern, const PatternContext&>;

const PatternRegistry& address_patterns();

void register_uniform(PatternRegistry& patterns);
void register_sequential(PatternRegistry& patterns);
void register_zipf(PatternRegistry& patterns);
void register_hot_cold(PatternRegistry& patterns);

}  // namespace nandscape::host
