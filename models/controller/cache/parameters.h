// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.cache`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

enum class CachePolicy { none, read, write_back, read_write };
enum class CacheReplacement { lru, fifo, clock };
enum class CacheBackup { none, capacitor };

struct CacheParameters {
  CachePolicy policy = CachePolicy::none;
  std::uint64_t capacity_bytes = std::uint64_t{64} << 20;
  CacheReplacement replacement = CacheReplacement::lru;
  double dirty_high_percent = 50;
  double dirty_low_percent = 40;
  std::uint32_t writes_in_flight = 64;
  std::uint32_t prefetch_pages = 0;
  CacheBackup backup = CacheBackup::none;

  bool keeps_reads() const { return policy == CachePolicy::read || policy == CachePolicy::read_write; }
  bool keeps_writes() const { return policy == CachePolicy::write_back || policy == CachePolicy::read_write; }
  // How often each byte of a read miss, and each byte of a write, crosses the DRAM bus: 2 into DRAM and out again, 0
  // past it.
  std::uint32_t dram_passes_of_reads() const { return keeps_reads() ? 2 : 0; }
  std::uint32_t dram_passes_of_writes() const { return keeps_writes() ? 2 : 0; }
};
void describe(CacheParameters& p, ParameterVisitor& v);
// Throws ConfigError when a cache cannot hold units of `unit_bytes`.
void check(const CacheParameters& p, std::uint32_t unit_bytes);

}  // namespace nandscape::controller
