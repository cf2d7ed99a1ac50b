// SPDX-License-Identifier: Apache-2.0
// Empties blocks: moves their valid pages to other blocks of the plane and erases them. A block is emptied to make
// room, when its plane runs low on free blocks and the policy chooses it. Other classes also ask for blocks to be
// emptied, because of the age of their data or a failed operation. Each plane empties one block at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/migration/garbage_collection/victim_policy.h"
#include "controller/writing/block_supply.h"
#include "core/component.h"
#include "core/statistics.h"

namespace nandscape::controller {

enum class Reason : std::uint8_t { space, refresh, read_disturb, wear, errors, guarantee, failure };
inline constexpr std::size_t reasons = 7;

class BlockRenewal;

enum class MoveEnd : std::uint8_t {
  moved,
  overtaken,    // written in vain: the host overwrote the unit meanwhile
  not_written,  // the host overwrote the unit first, or no place was left
};

struct GarbageCollectionCounters {
  std::uint64_t victims = 0;
  std::uint64_t moved_units = 0;
  std::uint64_t overtaken_pages = 0;
  std::uint64_t skipped_pages = 0;
  std::uint64_t retired_blocks = 0;
  std::array<std::uint64_t, reasons> emptied{};
  // Valid data in the emptied blocks.
  std::array<std::uint64_t, reasons> emptied_pages{};
  std::array<std::uint64_t, reasons> emptied_units{};
};
void describe(const GarbageCollectionCounters& counters, StatisticsVisitor& visitor);

class GarbageCollector final : public Component, public BlockSupply, public BlockPins::Listener, public EraseListener {
 public:
  class Mover {
   public:
    // Reads the flash page that begins at `first_unit` and programs its valid units elsewhere; then calls page_moved()
    // once for each unit. Returns the number of units.
    virtual std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now) = 0;

   protected:
    ~Mover() = default;
  };

  class Eraser {
   public:
    // Erases the block; then calls block_erased().
    virtual void erase(Superblock block, Tick now) = 0;

   protected:
    ~Eraser() = default;
  };

  // Is notified when planes lose room.
  class RoomListener {
   public:
    virtual void block_retired(Superblock block, Tick now) = 0;
    // Blocks of the plane were emptied, but there is still too little room, and no new data could be written.
    virtual void nothing_gained(FtlPlane plane, Tick now) = 0;

   protected:
    ~RoomListener() = default;
  };

  // The engines that collection works with.
  struct Helpers {
    Mover& mover;
    Eraser& eraser;
    BlockSupply::Client& writing;
    RoomListener& room;
  };

  // A page of the flash holds `units_per_page` units. Without `moves_are_durable`, emptied blocks stay pinned until the
  // moved data are durable.
  GarbageCollector(const GarbageCollectionParameters& parameters, BlockTable& blocks, PlaneRoom& room,
                   std::uint64_t seed, std::uint32_t units_per_page = 1, bool moves_are_durable = true);

  // Call it before anything else.
  void connect(const Helpers& helpers) { helpers_.emplace(helpers); }

  // After this call, blocks may be renewed in place instead of being emptied.
  void set_renewal(BlockRenewal& renewal) { renewal_ = &renewal; }

  // Starts to empty a block of the plane if the plane needs room or a request can be met.
  void check(FtlPlane plane, Tick now) override;
  // Requests that a full block be emptied as soon as no command to it is pending.
  void empty(Superblock block, Reason reason, Tick now);

  // Erases a block that holds no valid data, or retires it if it has failed.
  void discard(Superblock block, Tick now);

  // The move of a unit out of the block has ended.
  void page_moved(Superblock source, MoveEnd end, Tick now);
  // Further steps of the block's renewal have begun, or one step has ended, even if the renewal was given up meanwhile.
  void steps_begun(Superblock block, std::uint32_t steps) {
    planes_[blocks_.geometry().plane_of(block)].in_flight += steps;
  }
  void step_ended(Superblock block, Tick now);
  // No command to the block is pending now. Emptying or erasing it may have waited for that.
  void unpinned(Superblock block, Tick now) override;
  // The erase has ended; a block that could not be erased is retired.
  void block_erased(Superblock block, bool erased, Tick now) override;

  // See BlockSupply.
  //
  // When the power fails, saved data may take all free blocks of the plane but one. After the next power-on, collection
  // continues with only that block, or with the rest of it if collection had already begun to write it. Moves to that
  // block can be undone (PowerOnRecovery) as long as it holds nothing but copies.
  bool host_may_take_block(FtlPlane plane) const override {
    return blocks_.free_blocks(plane) > (halted_ ? 1 : parameters_.reserved_blocks);
  }
  bool host_may_share_block(FtlPlane plane) const override {
    return blocks_.free_blocks(plane) > (halted_ ? 0 : parameters_.reserved_blocks);
  }
  bool host_may_write(FtlPlane plane) const override;
  // Units of the plane that are being moved.
  std::uint32_t in_flight(FtlPlane plane) const { return planes_[plane].in_flight; }
  // Whether the plane will soon have one more free block.
  bool frees_block(FtlPlane plane) const override { return planes_[plane].erasing != 0; }
  // From now on, moved pages are not durable at once.
  void wait_for_durable_moves() { moves_are_durable_ = false; }
  // From now on, nothing can be written: moves and erases in flight end, and no other block is emptied.
  void stop() { stopped_ = true; }
  bool stopped() const override { return stopped_; }
  // Suspends collection, since the remaining energy is needed for other work.
  void halt();
  // Resumes halted collection on that plane, where a page that must be written waits for a block.
  void go_on_for_a_block(FtlPlane plane, Tick now) override;
  void block_failed(Superblock block, Tick now) override;
  const GarbageCollectionCounters& counters() const { return counters_; }

  // Prints the state of each plane.
  void list_waiting(std::ostream& out) const override;

  // Whether no block is being emptied or erased.
  bool at_rest() const;
  // Requires at_rest().
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  struct Request {
    Superblock block;
    Reason reason;
    std::uint64_t number;  // equals requested_[block], unless the block was emptied meanwhile
  };

  struct PlaneState {
    Superblock victim;
    Reason reason = Reason::space;
    std::uint32_t next_page = 0;  // page of the victim that is moved next
    bool renewed = false;         // pages that stay in the victim are renewed in place
    bool unread = false;          // all pages are copied or moved, and no command to the victim is left
    std::uint32_t in_flight = 0;
    std::uint32_t erasing = 0;
    std::uint32_t gain = 0;             // invalid pages of the victim when it was chosen
    std::uint64_t new_units = 0;        // PlaneRoom::new_units() at that time
    std::optional<bool> urgent;         // last value passed to set_urgent()
    bool awaits_durable_moves = false;  // last value passed to await_durable_moves()
    bool goes_on = false;               // collects although halted_ is set
    std::uint64_t valid_in_vain = 0;    // valid units of the plane when the latest victim was chosen
    // Requests to empty blocks, in order of arrival. Index 1 holds those for failed blocks, index 0 all others.
    std::array<std::deque<Request>, 2> requests;
    // Blocks that are emptied, but pinned until their moved data are durable.
    std::vector<Superblock> held_back;
  };

  [[nodiscard]] bool may_start(Superblock block) const {
    return blocks_.state(block) == BlockTable::State::full && !blocks_.pinned(block);
  }
  // Whether the plane has room, and no block of it is to be emptied: the usual case when a read unpins a block.
  bool wants_nothing(FtlPlane plane) const {
    const PlaneState& state = planes_[plane];
    return !state.victim.valid() && state.requests[0].empty() && state.requests[1].empty() && state.held_back.empty() &&
           blocks_.free_blocks(plane) >= std::max(parameters_.start_free_blocks, parameters_.reserved_blocks + 1) &&
           !state.awaits_durable_moves && !halted_;
  }
  // The plane may wait for the block, which has no pending command now.
  void wanted_block_unpinned(FtlPlane plane, Superblock block, Tick now);
  bool halted(const PlaneState& state) const { return halted_ && !state.goes_on; }
  void add_request(Superblock block, Reason reason);
  bool start_requested(FtlPlane plane);
  // The oldest request that can be met, or end(). Drops older requests whose block was emptied meanwhile.
  std::deque<Request>::iterator find_startable(std::deque<Request>& requests);
  bool start_for_space(FtlPlane plane, Tick now);
  bool choose_victim(FtlPlane plane, Tick now);
  void update_urgency(FtlPlane plane);
  void move_on(FtlPlane plane, Tick now);
  void leave(Superblock victim, Tick now);
  std::uint32_t take_page(const PlaneState& state, Ppa first_unit, Tick now);
  std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now);
  bool renewal_goes_on(PlaneState& state, Tick now);

  const GarbageCollectionParameters parameters_;
  std::unique_ptr<VictimPolicy> policy_;
  BlockTable& blocks_;
  PlaneRoom& room_;
  std::optional<Helpers> helpers_;
  BlockRenewal* renewal_ = nullptr;
  const std::uint32_t units_per_page_;
  bool moves_are_durable_;
  bool stopped_ = false;
  bool halted_ = false;
  IdVector<FtlPlane, PlaneState> planes_;
  IdVector<Superblock, std::uint64_t> requested_;  // number of the request to empty the block; 0: none
  std::uint64_t requests_ = 0;                     // number of the latest request
  GarbageCollectionCounters counters_;
};

}  // namespace nandscape::controller
