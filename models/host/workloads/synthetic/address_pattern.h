// SPDX-License-Identifier: Apache-2.0
// Interface of address patterns. The footprint is divided into slots of `alignment_bytes` bytes, and a pattern chooses
// the slot in which a request starts.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "core/registry.h"

namespace nandscape::host {

class AddressPattern {
 public:
  virtual ~AddressPattern() = default;

  // Returns the first slot of a request of `length` slots. The result is less than PatternContext::slots.
  virtual std::uint64_t next(std::uint64_t length, RandomStream& random) = 0;
};

struct PatternContext {
  // Number of slots in which a request may start, > 0. The longest request fits even if it starts in the last of them.
  std::uint64_t slots = 0;
  std::uint64_t seed = 0;  // seed for the fixed layout of a pattern; next() uses its RandomStream instead
};

// A pattern needs the constructor Pattern(const Pattern::Parameters&, const PatternContext&).
using PatternRegistry = Registry<AddressPattern, const PatternContext&>;

PatternRegistry& address_patterns();

void register_uniform(PatternRegistry& patterns);
void register_sequential(PatternRegistry& patterns);
void register_zipf(PatternRegistry& patterns);
void register_hot_cold(PatternRegistry& patterns);

}  // namespace nandscape::host
