// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller`.
#pragma once

#include "controller/cache/cache_memory.h"
#include "controller/content/content_engine.h"
#include "controller/dram/dram.h"
#include "controller/firmware/firmware_stage.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "controller/fullpages/fullpages.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/parameters.h"
#include "controller/migration/garbage_collection/victim_policy.h"
#include "controller/migration/refresh_policy.h"
#include "controller/parity/parity.h"
#include "controller/power/power.h"
#include "controller/power_loss/power_loss.h"
#include "controller/reading/read_recovery.h"
#include "controller/slc_cache/slc_cache.h"
#include "controller/streams/stream_policy.h"
#include "controller/subpages/subpage_grouping.h"
#include "controller/writing/write_mode.h"
#include "core/parameters.h"

namespace nandscape::controller {

struct ControllerParameters {
  MappingParameters mapping;
  FullpageParameters fullpages;
  SchedulerParameters scheduler;
  SubpageParameters subpages;
  GarbageCollectionParameters garbage_collection;
  ReadRetryParameters read_retry;
  PowerLossParameters power_loss;
  ParityParameters parity;
  StreamParameters streams;
  WriteModeParameters write_mode;
  ContentParameters content;
  WearLevellingParameters wear_levelling;
  RefreshParameters refresh;
  ReadDisturbParameters read_disturb;
  ScrubParameters scrub;
  PreconditionParameters precondition;
  FirmwareParameters firmware;
  CacheParameters cache;
  DramParameters dram;
  PowerParameters power;
  SlcCacheParameters slc_cache;

  // Whether dies copy pages inside their planes, so that the controller does not have the data of all moved pages.
  bool copies_back() const { return garbage_collection.copyback || slc_cache.copies_back(); }
  // Whether the drive has DRAM: the cache of host data and the mapping use it.
  bool has_dram() const { return cache.policy != CachePolicy::none || mapping.memory == MappingPlace::dram; }
  // Whether the drive remembers the read levels of reads before the simulation began.
  bool remembers_reads() const { return read_retry.predicts_start() && precondition.last_read_share > 0; }
};
void describe(ControllerParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
