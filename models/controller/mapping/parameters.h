// SPDX-License-Identifier: Apache-2.0
// Configuration groups `controller.mapping` and `controller.wear_levelling`.
#pragma once

#include <cstdint>
#include <string>

#include "controller/mapping/mapping_cache.h"
#include "core/parameters.h"

namespace nandscape::controller {

// Where the controller keeps translation pages, and thus what a look-up costs.
enum class MappingPlace : std::uint8_t { ideal, dram, host };

// What a block of the mapping is: a block of one plane, or a superblock over all planes of several dies.
enum class BlockLayout : std::uint8_t { plane, superpage };

struct MappingParameters {
  BlockLayout layout = BlockLayout::plane;
  std::uint32_t superblock_dies = 0;
  double superpage_wait_us = 1000;
  std::string allocation = "CWDP";
  VariantChoice plane{"by_address", nullptr};
  double over_provisioning = 0.07;
  std::uint32_t unit_bytes = 0;
  double write_coalescing_us = 10;
  double wordline_wait_us = 10;
  double trim_entry_ns = 5;
  MappingCacheParameters cache;  // its keys are in this group
  MappingPlace memory = MappingPlace::ideal;
  std::uint64_t host_buffer_bytes = std::uint64_t{64} << 20;

  bool superpages() const { return layout == BlockLayout::superpage; }
};
void describe(MappingParameters& p, ParameterVisitor& v);

// The order in which the free blocks of a plane are used. most_worn is used for long-lived data and cannot be
// configured.
enum class FreeBlockOrder { fifo, least_worn, most_worn };

struct WearLevellingParameters {
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  std::uint32_t static_threshold = 0;
  std::uint32_t check_erases = 16;
};
void describe(WearLevellingParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
