// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller`.
#pragma once

#include <cstdint>
#include <string>

#include "controller/mapping/initial_fill.h"
#include "core/parameters.h"

namespace nandscape {

struct MappingParameters {
  std::string allocation = "CWDP";
  double over_provisioning = 0.07;
};
void describe(MappingParameters& p, ParameterVisitor& v);

enum class Suspend { none, program, erase, program_erase };

struct SchedulerParameters {
  VariantChoice policy{"out_of_order", nullptr};
  Suspend suspend = Suspend::program_erase;
  bool multi_plane = true;
  bool cache_read = false;
};
void describe(SchedulerParameters& p, ParameterVisitor& v);

struct GarbageCollectionParameters {
  VariantChoice policy{"greedy", nullptr};
  std::uint32_t start_free_blocks = 4;
  std::uint32_t reserved_blocks = 1;
  std::uint32_t pages_in_flight = 8;
};
void describe(GarbageCollectionParameters& p, ParameterVisitor& v);

enum class ReadRetry { none, regular };

struct ReadRetryParameters {
  ReadRetry policy = ReadRetry::regular;
};
void describe(ReadRetryParameters& p, ParameterVisitor& v);

struct ControllerParameters {
  MappingParameters mapping;
  SchedulerParameters scheduler;
  GarbageCollectionParameters garbage_collection;
  ReadRetryParameters read_retry;
  PreconditionParameters precondition;
};
void describe(ControllerParameters& p, ParameterVisitor& v);

}  // namespace nandscape
