// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/cache/parameters.h"
#include "controller/dram/dram.h"
#include "controller/firmware/firmware_stage.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/parity/parameters.h"
#include "controller/refresh/parameters.h"
#include "controller/streams/parameters.h"
#include "controller/wear_levelling/parameters.h"
#include "core/parameters.h"

namespace nandscape {

enum class PlaneChoice { by_address, least_busy };

enum class FullpageAllocation { in_one_page, fpa };

struct MappingParameters {
  std::string allocation = "CWDP";
  PlaneChoice plane = PlaneChoice::by_address;
  double over_provisioning = 0.07;
  std::uint32_t unit_bytes = 0;
  double write_coalescing_us = 10;
  double trim_entry_ns = 5;
  FullpageAllocation fullpage_allocation = FullpageAllocation::in_one_page;
  std::vector<double> fullpage_layer_groups = {0, 2, 1, 3};
  double fullpage_wait_ms = 1;
  MappingCacheParameters cache;  // its keys are of this group
};
void describe(MappingParameters& p, ParameterVisitor& v);

enum class Suspend { none, program, erase, program_erase };

enum class SubpageReads { none, soml, srs };

struct SchedulerParameters {
  VariantChoice policy{"out_of_order", nullptr};
  Suspend suspend = Suspend::program_erase;
  std::uint32_t max_suspends = 0;
  double min_run_us = 0;
  bool multi_plane = true;
  SubpageReads subpage_reads = SubpageReads::none;
  bool cache_read = false;
  bool cache_program = false;
};
void describe(SchedulerParameters& p, ParameterVisitor& v);

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

enum class ReadRetry { none, regular, soft, pr2, ar2, pnar2 };

struct ReadRetryParameters {
  ReadRetry policy = ReadRetry::regular;
  std::uint32_t most_sensing_levels = 7;
  bool keep_senses = false;
  bool pso = false;
  std::string timing_table;

  bool pipelined() const { return policy == ReadRetry::pr2 || policy == ReadRetry::pnar2; }
  bool adapts_timing() const { return policy == ReadRetry::ar2 || policy == ReadRetry::pnar2; }
};
void describe(ReadRetryParameters& p, ParameterVisitor& v);

enum class PowerLossProtection { capacitor, none };

struct PowerLossParameters {
  PowerLossProtection protection = PowerLossProtection::capacitor;
  double hold_up_ms = 50;
  bool mapping_checkpoints = true;
};
void describe(PowerLossParameters& p, ParameterVisitor& v);

struct ControllerParameters {
  MappingParameters mapping;
  SchedulerParameters scheduler;
  GarbageCollectionParameters garbage_collection;
  ReadRetryParameters read_retry;
  PowerLossParameters power_loss;
  ParityParameters parity;
  StreamParameters streams;
  WearLevellingParameters wear_levelling;
  RefreshParameters refresh;
  ReadDisturbParameters read_disturb;
  ScrubParameters scrub;
  PreconditionParameters precondition;
  FirmwareParameters firmware;
  CacheParameters cache;
  DramParameters dram;
};
void describe(ControllerParameters& p, ParameterVisitor& v);

}  // namespace nandscape
