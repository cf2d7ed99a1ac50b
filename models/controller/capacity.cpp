// SPDX-License-Identifier: Apache-2.0
#include "controller/capacity.h"

#include <algorithm>
#include <string>

#include "controller/flash_ops/flash_op.h"
#include "controller/hold_up.h"
#include "controller/power_loss/journal_writer.h"
#include "core/error.h"
#include "protocol/storage.h"

namespace nandscape::controller {

FlashLayout flash_layout(const ControllerParameters& p, const Geometry& g) {
  const std::uint32_t unit = p.mapping.unit_bytes == 0 ? g.page_bytes : p.mapping.unit_bytes;
  SuperblockMembers members = SuperblockMembers::stripe(p.parity.stripe_dies);
  members.over_layers = fullpage_pattern(p.fullpages, g).has_value();
  if (p.mapping.superpages()) {
    members.all_planes = true;
    if (!members.parity) members.dies = p.mapping.superblock_dies == 0 ? g.dies() : p.mapping.superblock_dies;
  }
  return FlashLayout(g, unit, members);
}

WriteStreams write_streams(const ControllerParameters& p, StreamPolicy& policy) {
  const bool superblocks = p.parity.stripe_dies != 0 || p.mapping.superpages();
  WriteStreams streams;
  streams.host = policy.write_streams();
  // In superblocks, moved data have their own streams, which follow the streams of the host.
  const int ordinary = superblocks ? policy.write_streams() + policy.move_streams() : policy.streams();
  streams.moved_shift = static_cast<std::uint8_t>(ordinary - policy.streams());
  streams.reserve = static_cast<std::uint8_t>(ordinary - 1);
  streams.lasting = static_cast<std::uint8_t>(ordinary);
  streams.mapping = static_cast<std::uint8_t>(streams.lasting + 1);
  streams.gathered = static_cast<std::uint8_t>(streams.mapping + 1);
  // Fullpages over layers and the SLC cache exclude each other, so both may use the same number.
  if (p.slc_cache.used()) streams.cached = streams.gathered;
  streams.count = static_cast<std::uint8_t>(streams.gathered + (p.fullpages.spread() || p.slc_cache.used() ? 1 : 0));
  return streams;
}

GarbageCollectionParameters collection_parameters(const ControllerParameters& p, const WriteStreams& streams) {
  GarbageCollectionParameters collection = p.garbage_collection;
  for (std::uint8_t stream = streams.host; stream < streams.lasting; ++stream) {
    if (stream == streams.reserve) continue;
    ++collection.reserved_blocks;
    collection.start_free_blocks = std::max(collection.start_free_blocks, collection.reserved_blocks + 1);
  }
  return collection;
}

std::uint32_t open_streams(const ControllerParameters& p, const WriteStreams& streams) {
  return streams.lasting + std::uint32_t{p.mapping.cache.cache_bytes != 0} + std::uint32_t{p.fullpages.spread()} +
         std::uint32_t{p.slc_cache.used()};
}

namespace {

bool keeps_lasting(const ControllerParameters& p) {
  return p.refresh.refreshes() || p.read_disturb.limit_reads != 0 || p.wear_levelling.static_threshold != 0 ||
         p.scrub.period_hours != 0;
}

WriteStreams write_streams(const ControllerParameters& p) {
  const auto policy = stream_registry().make(p.streams.policy);
  return write_streams(p, *policy);
}

}  // namespace

std::uint64_t open_streams(const ControllerParameters& p) {
  return std::uint64_t{open_streams(p, write_streams(p))} + std::uint64_t{keeps_lasting(p)};
}

CapacityPlan capacity_plan(const ControllerParameters& p, const Geometry& geometry, const PageTimes& times) {
  BlockDemands demands;
  const WriteStreams streams = write_streams(p);
  const GarbageCollectionParameters collection = collection_parameters(p, streams);
  demands.start_free_blocks = collection.start_free_blocks;
  demands.reserved_blocks = collection.reserved_blocks;
  demands.streams = open_streams(p, streams);
  demands.keeps_lasting = keeps_lasting(p);
  demands.cache_blocks = p.slc_cache.static_blocks(geometry.blocks_per_plane);
  const FlashLayout layout = flash_layout(p, geometry);
  if (!HoldUp(p, geometry, times).latches_last()) {
    demands.journal_blocks = journal_blocks;
    // A host that waits for room in the SLC cache makes the moved data of each emptied block durable.
    const bool host_waits = p.slc_cache.used() && p.slc_cache.when_full == WhenFull::fold;
    if (host_waits) {
      demands.padded_units = std::uint64_t{layout.units_per_row()} * times.pages_per_wordline * times.passes;
    }
  }
  return CapacityPlan(p.mapping, layout, demands);
}

}  // namespace nandscape::controller
