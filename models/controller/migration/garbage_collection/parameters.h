// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.garbage_collection`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

enum class CollectionPace { free, balanced };

struct GarbageCollectionParameters {
  VariantChoice policy{"greedy", nullptr};
  std::uint32_t start_free_blocks = 4;
  std::uint32_t reserved_blocks = 1;
  std::uint32_t pages_in_flight = 8;
  bool preemptible = true;
  CollectionPace pace = CollectionPace::free;
  bool copyback = false;
  std::uint32_t copyback_limit = 4;
};
void describe(GarbageCollectionParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
