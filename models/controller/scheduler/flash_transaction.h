// SPDX-License-Identifier: Apache-2.0
// One flash command on its way through the controller, from being asked for to its completion.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "controller/page_buffers.h"
#include "controller/reading/retry_order.h"
#include "controller/writing/unit_write.h"
#include "core/ids.h"
#include "core/ticks.h"
#include "protocol/ecc_job.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape {

enum class Purpose : std::uint8_t {
  host_read,
  merge_read,  // the old unit, for a write of a part of it
  host_write,
  scrub_read,     // a page that is only looked at
  recovery_read,  // a page's tag, to find out what the flash holds
  journal_write,
  gc_read,
  copy_read,  // a page whose copyback was lost, to be written from the controller
  gc_write,
  gc_erase,
  map_read,   // a translation page that an access of the host waits for
  map_fetch,  // a translation page that nobody waits for
  map_write,  // a translation page that has changed
  copyback,   // a page moves within its plane: its command is a copyback_read of the old place, then a copyback_program
};

// Writes that make room, so that they may use the room that is kept for that.
constexpr bool moves_data(Purpose purpose) { return purpose == Purpose::gc_write || purpose == Purpose::copyback; }

// Mapping units in a page of the flash.
inline constexpr std::uint32_t most_units_per_page = 4;

class RetryOperation;
class SubpageOperation;

struct FlashTransaction {
  NandCommand command;
  EccJob ecc;
  Purpose purpose = Purpose::host_read;
  ChannelId channel;
  PlaneId plane;                    // of the flash
  BlockId block;                    // read: of the source; write: of the destination, once it has one
  Ppn ppn;                          // read: of the unit; write: of the page's first unit, once it has a place
  Lpn lpn;                          // reads of one unit
  bool lasts = false;               // reads of units to move: they are there to stay
  bool opens_session = false;       // reads: the die is to be theirs alone until the session is ended; the first of one
  std::uint16_t retries = 0;        // reads: how often the page could not be decoded
  RetryOrder retry_order;           // reads: the steps that are left
  RetryOperation* retry = nullptr;  // that the command belongs to
  bool lost = false;                // reads: what flash holds are not the data of the unit, which could not be read
  std::uint8_t write_stream = 0;    // writes: which of the open blocks it goes to
  std::uint8_t priority = 0;        // of the access that it serves
  std::uint16_t stream = 0;         // likewise
  Tick arrival = 0;                 // at the scheduler
  std::uint64_t sequence = 0;       // order of arrival
  std::uint64_t rank = 0;           // of the fronts of several queues of a kind, the lowest goes first
  Tick started = 0;                 // noted for policies that keep account
  PageBuffer* buffer = nullptr;     // that its command's data lie in
  PageAccess* access = nullptr;     // that it serves; the first of several for reads of the host
  std::array<std::uint8_t, most_units_per_page> access_units{};  // host_read: which unit of the page each of them reads
  std::uint8_t access_count = 0;                                 // host_read: of them
  UnitWrite* merge_into = nullptr;                               // merge_read: the write that waits for the old unit
  UnitWrite* units = nullptr;                                    // writes: what the page holds, from its first unit on
  std::uint32_t unit_count = 0;                                  // writes: of them
  FlashTransaction* next = nullptr;                              // in a queue
  std::uint64_t acknowledged = 0;  // writes: their order of completion, once the page is programmed
  bool new_data = false;  // writes: of the host, so that no other place holds what it holds
  // Writes that are programmed and not yet durable, in that order.
  FlashTransaction* before = nullptr;
  FlashTransaction* behind = nullptr;
  FlashTransaction* next_in_wordline = nullptr;
  // Writes of fullpages: which of the pages that go to flash together it is, from 1 on; 0: none of them.
  std::uint16_t place_in_group = 0;
  bool takes_refuge = false;  // writes: the plane that it was for has no block left to write to
  // copyback: the first unit of the page that it was, and again until its data have come into the controller.
  Ppn copied_from;
  FlashTransaction* reads_back = nullptr;  // copy_read: the write that waits for it
  bool parity = false;                     // writes: of a row, and not of the host's data
  // Reads of subpages: the operation that holds the die until all of them are decoded, and at which read of its order
  // this one is likely to be.
  SubpageOperation* operation = nullptr;
  std::uint16_t expected_round = 1;
  // Reads of codewords that borrow parity: the read of the page that lends it, which goes with this one, until it has
  // come; that has this one in `lends_to`. What came first waits for the other.
  FlashTransaction* lender = nullptr;
  FlashTransaction* lends_to = nullptr;
  bool waits_for_lender = false;
  bool lent_at_once = false;  // another read of this instant brings that page; it is taken to come in time
  // Reads, when a page is made from the others of its row: the read of a page that is needed points to the one that
  // could not be corrected, which counts those that are still missing.
  FlashTransaction* rebuilds = nullptr;
  std::uint32_t rebuild_reads = 0;
  bool rebuild_failed = false;
  bool rebuilt = false;  // what the others give is decoded, or one of them has failed
  BlockId lost_block;    // where the page was before the failure for which it is written again
  // What goes into the page's spare area: of each unit its logical page and the version of its data.
  std::array<std::uint64_t, 2 * most_units_per_page> tag{};

  // Becomes as new, but for the payload.
  void reset() {
    tlm::tlm_generic_payload* const payload = command.payload;
    std::construct_at(this);  // an assignment would copy it all
    command.payload = payload;
  }

  void serve(PageAccess& served) {
    access = &served;
    stream = served.stream;
    priority = served.priority;
  }
};

// Linked through the transactions: first in, first out, but for those that are put elsewhere.
class TransactionQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  FlashTransaction* front() const { return first_; }
  FlashTransaction* back() const { return first_ == nullptr ? nullptr : last_; }

  void push(FlashTransaction& transaction) {
    transaction.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &transaction;
    last_ = &transaction;
  }

  void push_front(FlashTransaction& transaction) { insert_after(nullptr, transaction); }

  // Puts the transaction behind `before` (null: at the front).
  void insert_after(FlashTransaction* before, FlashTransaction& transaction) {
    FlashTransaction*& link = before == nullptr ? first_ : before->next;
    transaction.next = link;
    if (link == nullptr) last_ = &transaction;
    link = &transaction;
  }

  FlashTransaction& pop() {
    FlashTransaction& transaction = *first_;
    first_ = transaction.next;
    return transaction;
  }

  std::size_t size() const {
    std::size_t count = 0;
    for (const FlashTransaction* t = first_; t != nullptr; t = t->next) ++count;
    return count;
  }

  // Takes out the transaction that follows `before` (null: the first).
  void remove_after(FlashTransaction* before) {
    FlashTransaction*& link = before == nullptr ? first_ : before->next;
    if (link == last_) last_ = before;
    link = link->next;
  }

 private:
  FlashTransaction* first_ = nullptr;
  FlashTransaction* last_ = nullptr;
};

}  // namespace nandscape
