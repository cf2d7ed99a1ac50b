// SPDX-License-Identifier: Apache-2.0
// Interface of address patterns. The footprint is divided into slots of `alignment_bytes`; a pattern picks the slot in
// which a request starts.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "core/registry.h"

namespace nandscape::host {

class AddressPattern {
 public:
  virtual ~AddressPattern() = default;

  // Returns the first slot of a request of `length` slots; it is below PatternContext::slots.
  virtual std::uint64_t next(std::uint64_t length, RandomStream& random) = 0;
};

struct PatternContext {
  std::uint64_t slots = 0;  // > 0; the longest request still fits if it starts in the last slot
  std::uint64_t seed = 0;   // for a pattern's fixed layout; its choices use the RandomStream
};

// Patterns are made as Pattern(const Pattern::Parameters&, const PatternContext&).
using PatternRegistry = Registry<AddressPattern, const PatternContext&>;

PatternRegistry& address_patterns();

void register_uniform(PatternRegistry& patterns);
void register_sequential(PatternRegistry& patterns);
void register_zipf(PatternRegistry& patterns);
void register_hot_cold(PatternRegistry& patterns);

}  // namespace nandscape::host
