// SPDX-License-Identifier: Apache-2.0
// The parts of the flash translation layer. Each struct constructs the objects of one source folder, and Ftl connects
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "controller/capacity.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_facts.h"
#include "controller/frontiers.h"
#include "controller/host_io/end_of_life.h"
#include "controller/host_io/host_accesses.h"
#include "controller/mapping/power_state.h"
#include "controller/migration/block_erases.h"
#include "controller/migration/block_renewal.h"
#include "controller/migration/media_care.h"
#include "controller/migration/migrator.h"
#include "controller/parameters.h"
#include "controller/parity/rebuild.h"
#include "controller/power/power_control.h"
#include "controller/power_loss/mapping_checkpoints.h"
#include "controller/power_loss/power_on_recovery.h"
#include "controller/state_maps/mapped_reads.h"
#include "controller/subpages/subpages.h"
#include "controller/writing/page_writer.h"
#include "core/calendar.h"
#include "core/component.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

// Everything that the constructors of the parts need.
struct FtlPlan {
  const ControllerParameters& parameters;
  const Geometry& geometry;
  const FlashFacts& facts;
  std::uint64_t seed;
  StartUp start_up;
  Calendar& calendar;

  bool keeps_checkpoints() const {
    return parameters.power_loss.mapping_checkpoints && !parameters.garbage_collection.copyback;
  }
};

// The policies chosen in the configuration.
struct ChosenPolicies {
  ChosenPolicies(const FtlPlan& plan, const DriveClock& clock);

  bool maps_states() const { return write_mode->maps_states() || (codes != nullptr && codes->maps_states()); }

  const std::unique_ptr<FullpageEngines> fullpages;  // null unless fullpages are spread over layers
  const Subpages subpages;
  const std::unique_ptr<StreamPolicy> streams;
  const WriteStreams stream_ids;
  const std::unique_ptr<WriteModePolicy> write_mode;
  const std::unique_ptr<CodeChooser> codes;  // null if all pages use one code
  PolicyState<StreamPolicy> stream_state;
};

// State of the mapping and of the blocks.
struct MappingParts {
  MappingParts(const FtlPlan& plan, const ChosenPolicies& chosen, const DriveClock& clock);

  const AgeFacts age_facts;
  const FlashLayout layout;
  const BlockShapes shapes;
  const CapacityPlan capacity;
  const AllocationOrder order;
  const std::unique_ptr<AllocationPolicy> allocation;
  const InitialFill initial;
  const InitialFill nothing;
  MappingTable table;
  BlockTable blocks;
  UnitMap map;
  TrimmedRanges trimmed;
  PlaneRoom room;
  BlockPins pins;
  BlockReads reads;
  BlockLives lives;
  BlockAges ages;
  MappingCache cache;
  PolicyState<AllocationPolicy> allocation_state;
};

// Everything between the flash and the decoded pages.
struct ReadingParts {
  // Commands are sent to `flash`, codewords to `ecc`.
  ReadingParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping, PowerControl& power,
               FlashScheduler::Port& flash, EccPort& ecc, FlashTimes* times);

  FlashScheduler scheduler;
  FlashIo io;
  PageReader reader;
  std::optional<Rebuild> rebuild;           // only if the drive has parity
  std::optional<MappedReads> mapped_reads;  // if wordlines may be written with permuted cell states
};

// Returns the SLC cache of the drive, or null if it has none.
std::unique_ptr<SlcCache> make_slc_cache(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping,
                                         GarbageCollector& collector);

struct WritingParts {
  WritingParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping, ReadingParts& reading,
               const PowerState& power, GarbageCollector& collector, SlcCache* cache, DurabilityListener& durability,
               ProgramListener& programs);

  UnitWrites units;
  PageWriter writer;
  PageAssembly assembly;
  PlaneChooser planes;
};

struct PowerLossParts {
  PowerLossParts(const FtlPlan& plan, MappingParts& mapping, ReadingParts& reading, PageWriter& writer,
                 const PowerState& power, PowerOnRecovery::Listener& listener);

  JournalWriter journal;
  MappingCheckpoints checkpoints;
  PowerOnRecovery recovery;
};

struct MigrationParts {
  MigrationParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping, ReadingParts& reading,
                 WritingParts& writing, JournalWriter& journal, GarbageCollector& collector, const PowerState& power,
                 const DriveClock& clock);

  Migrator migrator;
  BlockErases erases;
  MediaCare care;
  const std::unique_ptr<BlockRenewal> renewal;  // null if refresh empties blocks instead of renewing them
  PolicyState<BlockRenewal> renewal_state;
};

// Executes the host's reads, writes and trims.
struct HostParts {
  HostParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping, ReadingParts& reading,
            WritingParts& writing, JournalWriter& journal, GarbageCollector& collector, SlcCache* cache,
            EndOfLife& end_of_life, const PowerState& power, const HostPort& port, HostReads::Listener& listener);

  TranslationPages translation;
  HostReads reads;
  HostWrites writes;
  HostTrims trims;
};

}  // namespace nandscape::controller
