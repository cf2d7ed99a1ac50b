// SPDX-License-Identifier: Apache-2.0
// The flash translation layer: logical pages in, flash commands out.
//
//   read   look the page up, read it, decode it
//   write  of a whole page: encode it, program it, map it
//          of a part of a page: read and decode the old page first, merge
//   trim   forget the page
//
// A write is done when its page is programmed and mapped. Until then reads return the old data.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "controller/data_path.h"
#include "controller/garbage_collection/garbage_collector.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/mapping_table.h"
#include "controller/mapping/place.h"
#include "controller/page_buffers.h"
#include "controller/parameters.h"
#include "controller/scheduler/flash_scheduler.h"
#include "controller/writes_in_flight.h"
#include "core/calendar.h"
#include "core/pool.h"
#include "core/statistics.h"
#include "protocol/geometry.h"
#include "protocol/storage.h"

namespace nandscape {

struct ReadRetryCounters {
  std::uint64_t reads = 0;
  std::uint64_t retried_reads = 0;
  std::uint64_t steps = 0;
  std::uint64_t failed_reads = 0;
};
void describe(const ReadRetryCounters& counters, StatisticsVisitor& visitor);

struct ControllerCounters {
  std::uint64_t host_sectors_written = 0;
  std::uint64_t unmapped_reads = 0;
  std::uint64_t merge_reads = 0;
  std::uint64_t programmed_pages = 0;
  std::uint32_t page_bytes = 0;
  ReadRetryCounters read_retry;
  GarbageCollectionCounters collection;

  double write_amplification() const;
};
void describe(const ControllerCounters& counters, StatisticsVisitor& visitor);

// Pages that the device exports. Throws ConfigError unless garbage collection can always make progress: what the host
// may write must leave every plane room for the blocks being written, the reserve, and enough invalid pages to gain
// from.
std::uint64_t exported_pages(const ControllerParameters& parameters, const Geometry& geometry);

class Controller final : public StorageDevice, private FlashScheduler::Client, private GarbageCollector::Mover {
 public:
  // The ECC engines of the channels.
  class EccPort {
   public:
    virtual void submit(ChannelId channel, EccJob& job) = 0;

   protected:
    ~EccPort() = default;
  };

  // Reads move whole codewords over the bus.
  Controller(const ControllerParameters& parameters, const Geometry& geometry, const DataPath& path, std::uint64_t seed,
             Calendar& calendar, FlashScheduler::Port& flash, EccPort& ecc);

  void set_client(StorageClient& client) override { client_ = &client; }
  void submit(PageAccess& access, Tick now) override;
  std::uint64_t logical_pages() const override { return logical_pages_; }
  std::uint32_t page_bytes() const override { return geometry_.page_bytes; }

  // Phases from the channels and answers from the ECC engines.
  FlashScheduler& scheduler() { return scheduler_; }
  void ecc_done(EccJob& job, Tick now);

  // How many pages of the block are programmed from the start, for the dies.
  const InitialFill& initial_fill() const { return initial_; }

  ControllerCounters counters() const;
  // Whether no access and no collection is under way: no transaction is in use, no block waits for a command.
  bool idle() const;

 private:
  void read(PageAccess& access, Tick now);
  void write(PageAccess& access, Tick now);
  void trim(PageAccess& access, Tick now);
  // Whether that could be done at once; else the trim waits behind a write.
  bool forget_pages(PageAccess& trim, Tick now);
  void encode(FlashTransaction& write, Tick now);
  void complete(PageAccess& access, Tick now);

  FlashTransaction& make_transaction(Purpose purpose, Lpn lpn);
  void start_read(FlashTransaction& read, Ppn source, Tick now);
  void free_transaction(FlashTransaction& transaction);
  void set_address(FlashTransaction& transaction, Ppn ppn) const;
  void set_plane(FlashTransaction& write, PlaneId plane) const;
  void submit_ecc(FlashTransaction& transaction, EccKind kind);

  // Whether the page is read once more.
  bool retry(FlashTransaction& read, Tick now);
  void read_decoded(FlashTransaction& read, Tick now);
  void host_read_decoded(FlashTransaction& read, Tick now);
  void old_page_decoded(FlashTransaction& read, Tick now);
  void moved_page_decoded(FlashTransaction& read, Tick now);
  void host_write_done(FlashTransaction& write, Tick now);
  // The write ends, mapped or failed, and what has waited behind it goes on.
  void end_write(FlashTransaction& write, Tick now);
  void moved_page_written(FlashTransaction& write, Tick now);
  void unpin(BlockId block, Tick now);

  bool place(FlashTransaction& write, Tick now) override;
  std::uint32_t next_page(const FlashTransaction& write) const override;
  void done(FlashTransaction& transaction, Tick now) override;

  void move_page(Ppn source, Lpn lpn, Tick now) override;
  void erase_block(BlockId block, Tick now) override;
  void set_urgent(PlaneId plane, bool urgent) override { scheduler_.set_collection_urgent(plane, urgent); }

  BlockId& open_block(const FlashTransaction& write);
  const BlockId& open_block(const FlashTransaction& write) const;

  const Geometry geometry_;
  const PlaceFinder places_;
  const std::uint64_t logical_pages_;
  const DataPath path_;
  const std::uint32_t retry_steps_;
  AllocationOrder order_;
  InitialFill initial_;
  MappingTable mapping_;
  BlockTable blocks_;
  GarbageCollector collector_;
  FlashScheduler scheduler_;
  EccPort& ecc_;
  StorageClient* client_ = nullptr;
  std::vector<BlockId> host_blocks_;  // open for writes of the host, by plane
  std::vector<BlockId> gc_blocks_;    // open for moved pages, by plane
  WritesInFlight writes_;
  // Pages whose data could not be read when they had to move. Until they are written or trimmed, reads of them fail.
  std::unordered_set<std::uint64_t> lost_;
  Pool<FlashTransaction> transactions_;
  PageBuffers buffers_;
  ControllerCounters counters_;
};

}  // namespace nandscape
