// SPDX-License-Identifier: Apache-2.0
// A cache for writes of the host in blocks that are written in SLC mode. Such a block holds one page per wordline, and
// is programmed faster than a block in the native mode. Data leave the cache when the host overwrites them, or when
// their block is folded: garbage collection moves the valid data of the block to ordinary blocks.
//
// The static part of the cache is a number of blocks on each plane that count neither as capacity nor as spare flash.
// The dynamic part takes a share of the other free blocks, so it shrinks as the drive fills. When a plane needs free
// blocks, blocks of the dynamic part are folded before any other block is collected.
//
// When the cache has no room, the host's data go directly to ordinary blocks, or they wait until a block has been
// folded. Blocks are also folded when the host has not written for some time, and while it writes if the cache has
// filled up to a mark.
//
// Folded data pass through the controller, which corrects their errors. In a direct fold, the die copies whole pages
// from their wordlines in SLC mode to a native wordline, with their errors (migration/copyback.h).
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/block_lives.h"
#include "controller/mapping/block_table.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/writing/cell_mode_supply.h"
#include "core/calendar.h"
#include "core/component.h"
#include "core/parameters.h"
#include "core/statistics.h"

namespace nandscape::controller {

// What the host's data do when the cache has no room.
enum class WhenFull : std::uint8_t { direct, fold };
// How the data of a folded block get to ordinary blocks.
enum class FoldBy : std::uint8_t { read_and_program, copyback };

// Configuration group `controller.slc_cache`.
struct SlcCacheParameters {
  double static_percent = 0;
  double dynamic_percent = 0;
  WhenFull when_full = WhenFull::direct;
  double fold_idle_ms = 1000;
  double fold_mark_percent = 100;
  double fold_rate_mb_s = 0;
  FoldBy fold_by = FoldBy::read_and_program;
  double copyback_hours = 24;

  bool used() const { return static_percent > 0 || dynamic_percent > 0; }
  // Whether pages are folded inside their die.
  bool copies_back() const { return used() && fold_by == FoldBy::copyback; }
  // Returns the number of blocks of a plane that are kept for the static part.
  std::uint32_t static_blocks(std::uint32_t blocks_per_plane) const;
};
void describe(SlcCacheParameters& p, ParameterVisitor& v);

struct SlcCacheCounters {
  std::uint64_t cached_units = 0;
  std::uint64_t direct_units = 0;
  std::uint64_t blocks = 0;
  std::uint64_t valid_units = 0;
};
void describe(const SlcCacheCounters& counters, StatisticsVisitor& visitor);

class SlcCache final : public Component, public CellModeSupply, public VictimSource, public EraseListener {
 public:
  // What the cache needs to know of its drive.
  struct Drive {
    std::uint32_t start_free_blocks;  // a plane with fewer free blocks is collected
    std::uint32_t unit_bytes;
    std::uint8_t stream;           // the write stream of the cache
    std::uint32_t planes_per_die;  // if blocks are folded directly; consecutive planes belong to one die
  };

  SlcCache(const SlcCacheParameters& parameters, const Drive& drive, BlockTable& blocks, BlockLives& lives,
           GarbageCollector& collector, Calendar& calendar);

  // The number of the write stream that fills the blocks of the cache.
  std::uint8_t stream() const { return stream_; }
  // Returns whether a unit that the host writes now goes to the cache. Called once for each unit.
  bool takes_unit(Tick now);

  // Implements CellModeSupply.
  bool may_open(FtlPlane plane) const override;
  std::uint8_t mode() const override { return slc_cache_mode; }
  void opened(Superblock block) override;
  bool waits_for_room(FtlPlane plane, Tick now) override;
  void left(std::uint32_t units) override {
    cached_units_ -= units;
    direct_units_ += units;
  }
  // Implements VictimSource. Returns a block of the dynamic part that can be folded.
  Superblock victim(FtlPlane plane) override;
  bool host_waits(FtlPlane plane) const override { return planes_[plane].host_waits; }
  void held_back(Superblock block, Tick now) override;
  // Implements EraseListener.
  void block_erased(Superblock block, bool erased, Tick now) override;

  SlcCacheCounters counters() const;

  // Called after power-on, when the blocks are known again. The blocks of the cache are found by their write mode.
  void come_up();

  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(cached_units_, direct_units_); }

 private:
  struct PlaneCache {
    std::vector<Superblock> blocks;  // open and full ones
    Superblock folding;              // the block whose folding has been requested
    bool host_waits = false;         // a page of the host waits until it has been erased
    bool looks = false;              // whether start_fold() is scheduled
    Tick next_fold = 0;              // the earliest time of the next fold that the host does not wait for
  };

  void find_blocks();
  std::uint32_t dynamic_blocks(const PlaneCache& cache) const {
    const auto count = static_cast<std::uint32_t>(cache.blocks.size());
    return count > static_blocks_ ? count - static_blocks_ : 0;
  }
  // Returns how many blocks the dynamic part of the plane may have now.
  double dynamic_limit(FtlPlane plane) const;
  void keep_blocks(FtlPlane plane);
  // Returns the block with the fewest valid units that can be folded now, or an invalid id.
  Superblock block_to_fold(const PlaneCache& cache) const;
  void fold_next(FtlPlane plane, Tick now);
  // Schedules a fold if the host is idle or the cache is full up to the mark, as early as the rate allows.
  void fold_in_background(FtlPlane plane, Tick now);
  // Called when the fold of the plane has ended.
  void go_on_folding(FtlPlane plane, Tick now);
  bool idle_at(Tick now) const { return fold_idle_ != 0 && now - last_write_ >= fold_idle_; }
  bool above_mark(FtlPlane plane) const;
  void wait_for_idle_time(Tick now);
  void look_for_idle_time(std::uint64_t);
  void start_fold(std::uint64_t plane);

  const std::uint32_t static_blocks_;  // on each plane
  const double dynamic_share_;
  const WhenFull when_full_;
  const Tick fold_idle_;
  const double fold_mark_;  // share of the cache
  const std::uint32_t start_free_blocks_;
  const std::uint8_t stream_;
  // Number of planes that begin their folds together, so that the die copies pages of all of them at a time; 1 unless
  // blocks are folded directly.
  const std::uint32_t planes_together_;
  const bool direct_;
  BlockTable& blocks_;
  BlockLives& lives_;
  GarbageCollector& collector_;
  Calendar& calendar_;
  const Tick fold_interval_;  // least time between two folds on a plane
  IdVector<FtlPlane, PlaneCache> planes_;
  bool has_room_ = true;  // false if the cache had no room for a page and no block has been erased since
  bool looks_ = false;    // whether look_for_idle_time() is scheduled
  Tick last_write_ = 0;
  std::uint64_t cached_units_ = 0;
  std::uint64_t direct_units_ = 0;
};

}  // namespace nandscape::controller
