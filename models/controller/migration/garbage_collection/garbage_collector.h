// SPDX-License-Identifier: Apache-2.0
// Empties blocks: moves their valid pages to other blocks of the plane and erases them. A block is emptied to make
// room, when its plane runs low on free blocks and the policy chooses it, or because somebody asked for it: what it
// holds has become old, or an operation on it has failed. Each plane empties one block at a time.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "controller/mapping/block_pins.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/migration/garbage_collection/parameters.h"
#include "controller/migration/garbage_collection/victim_policy.h"
#include "controller/writing/block_supply.h"
#include "core/statistics.h"

namespace nandscape::controller {

enum class Reason : std::uint8_t { space, refresh, read_disturb, wear, errors, guarantee, failure };
inline constexpr std::size_t reasons = 7;

class BlockRenewal;

enum class MoveEnd : std::uint8_t {
  moved,
  overtaken,    // written in vain: the host overwrote the unit meanwhile
  not_written,  // the host had overwritten it before, or there was no place for it
};

struct GarbageCollectionCounters {
  std::uint64_t victims = 0;
  std::uint64_t moved_units = 0;
  std::uint64_t overtaken_pages = 0;
  std::uint64_t skipped_pages = 0;
  std::uint64_t retired_blocks = 0;
  std::array<std::uint64_t, reasons> emptied{};
  // Valid data that they had.
  std::array<std::uint64_t, reasons> emptied_pages{};
  std::array<std::uint64_t, reasons> emptied_units{};
};
void describe(const GarbageCollectionCounters& counters, StatisticsVisitor& visitor);

class GarbageCollector final : public BlockSupply, public BlockPins::Listener {
 public:
  // Who carries the work out.
  class Mover {
   public:
    // Reads the page of the flash whose first unit that is and programs what is valid of it elsewhere; then calls
    // page_moved(), once for each unit. Returns how many those are.
    virtual std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now) = 0;
    // Erases the block; then calls block_erased().
    virtual void erase_block(Superblock block, Tick now) = 0;
    virtual void block_retired(Superblock block, Tick now) = 0;
    // Collection of the plane goes before the host, since the host cannot write without it or by configuration.
    virtual void set_urgent(FtlPlane plane, bool urgent) = 0;
    // What host_may_write() says may have changed.
    virtual void host_may_go_on(FtlPlane plane, Tick now) = 0;
    // Blocks of the plane wait for what was moved, or written over, to become durable, and there is nothing else to
    // empty.
    virtual void make_moves_durable(FtlPlane plane, Tick now) = 0;
    // Blocks of the plane were emptied, and neither is there room enough nor could anything new be written.
    virtual void nothing_gained(FtlPlane plane, Tick now) = 0;

   protected:
    ~Mover() = default;
  };

  // A page of the flash holds so many of the table's pages. Moved pages are durable, or blocks that were emptied stay
  // pinned until they are.
  GarbageCollector(const GarbageCollectionParameters& parameters, BlockTable& blocks, PlaneRoom& room, Mover& mover,
                   std::uint64_t seed, std::uint32_t units_per_page = 1, bool moves_are_durable = true);

  // Who renews blocks in place that it would empty.
  void set_renewal(BlockRenewal& renewal) { renewal_ = &renewal; }

  // Starts to empty a block of the plane if there is reason to.
  void check(FtlPlane plane, Tick now) override;
  // Asks for a full block to be emptied, as soon as no command is on its way to it.
  void empty(Superblock block, Reason reason, Tick now);

  // Erases a block that holds nothing, or gives it up if it has failed.
  void discard(Superblock block, Tick now);

  // The move of a unit out of the block is over.
  void page_moved(Superblock source, MoveEnd end, Tick now);
  // Of a block that is renewed or was to be: steps besides those that the renewal was asked for, and the end of one.
  void steps_begun(Superblock block, std::uint32_t steps) {
    planes_[blocks_.geometry().plane_of(block)].in_flight += steps;
  }
  void step_ended(Superblock block, Tick now);
  // No command is on its way to the block any more; emptying or erasing it may have waited for that.
  void unpinned(Superblock block, Tick now) override;
  // The erase has ended; a block that could not be erased is retired.
  void block_erased(Superblock block, bool erased, Tick now);

  // Whether the host may take a free block of the plane, or write on in one that collection writes to, too.
  //
  // When the power fails, all but one block of the plane may go to what is saved. Collection goes on after the next
  // power-on with that one alone, or, if it has begun it, with what there is left of it: what it holds can be undone
  // (PowerOnRecovery) as long as it holds nothing but copies.
  bool host_may_take_block(FtlPlane plane) const override {
    return blocks_.free_blocks(plane) > (halted_ ? 1 : parameters_.reserved_blocks);
  }
  bool host_may_share_block(FtlPlane plane) const override {
    return blocks_.free_blocks(plane) > (halted_ ? 0 : parameters_.reserved_blocks);
  }
  // Whether the host may write a page to the plane now, and that it does.
  bool host_may_write(FtlPlane plane) const override;
  void host_writes(FtlPlane plane) override {
    planes_[plane].host_pages += units_per_page_;
    room_.gained(plane);
  }
  // Units of the plane that are on their way from one place to another.
  std::uint32_t in_flight(FtlPlane plane) const { return planes_[plane].in_flight; }
  // Whether the plane will soon have one more free block.
  bool frees_block(FtlPlane plane) const override { return planes_[plane].erasing != 0; }
  // Whether it was asked to make moves durable, and that has not helped yet.
  bool waits_for_durable_moves(FtlPlane plane) const override { return planes_[plane].waits_for_durable_moves; }
  bool waits_for_durable_moves() const override { return waiting_planes_ != 0; }
  // From now on moved pages are not durable at once.
  void wait_for_durable_moves() { moves_are_durable_ = false; }
  // Nothing can be written any more: what was begun ends, and nothing else is emptied.
  void stop() { stopped_ = true; }
  bool stopped() const override { return stopped_; }
  // What is being emptied stays as it is: the little energy that is left is for other things.
  void halt();
  // But on that plane: what has to be written waits for a block.
  void go_on_for_a_block(FtlPlane plane, Tick now) override;
  void block_failed(Superblock block, Tick now) override;
  const GarbageCollectionCounters& counters() const { return counters_; }

  // Says what each plane is at.
  void list_waiting(std::ostream& out) const;

  // Nothing is being emptied or erased.
  bool at_rest() const;
  // At rest.
  void persist(Archive& archive);
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  struct Request {
    Superblock block;
    Reason reason;
    std::uint64_t number;  // as requested_ has it, unless the block was emptied meanwhile
  };

  struct PlaneState {
    Superblock victim;
    Reason reason = Reason::space;
    std::uint32_t next_page = 0;  // of the victim, to be looked at
    bool renewed = false;         // what stays of the victim is renewed in place
    bool unread = false;          // all is copied or moved, and no command was on its way to the victim since then
    std::uint32_t in_flight = 0;
    std::uint32_t erasing = 0;
    std::uint32_t gain = 0;        // invalid pages of the victim when it was chosen
    std::uint32_t host_pages = 0;  // written since then
    std::optional<bool> urgent;    // what the mover was told last
    bool waits_for_durable_moves = false;
    bool goes_on = false;             // though collection is halted
    std::uint64_t valid_in_vain = 0;  // units of the plane when the last of them was chosen
    // Those of blocks that have failed, and the others, each in the order in which they came.
    std::array<std::deque<Request>, 2> requests;
    // Emptied, and still pinned by moves that are not durable.
    std::vector<Superblock> held_back;
  };

  bool may_start(Superblock block) const {
    return blocks_.state(block) == BlockTable::State::full && !blocks_.pinned(block);
  }
  bool halted(const PlaneState& state) const { return halted_ && !state.goes_on; }
  void add_request(Superblock block, Reason reason);
  bool start_requested(FtlPlane plane);
  // The oldest of them that can be met, or its end. Drops those before it whose block was emptied meanwhile.
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
  Mover& mover_;
  BlockRenewal* renewal_ = nullptr;
  const std::uint32_t units_per_page_;
  bool moves_are_durable_;
  std::uint32_t waiting_planes_ = 0;  // for durable moves
  bool stopped_ = false;
  bool halted_ = false;
  IdVector<FtlPlane, PlaneState> planes_;
  IdVector<Superblock, std::uint64_t> requested_;  // the number of the request to empty the block; 0: there is none
  std::uint64_t requests_ = 0;                     // that have come
  GarbageCollectionCounters counters_;
};

}  // namespace nandscape::controller
