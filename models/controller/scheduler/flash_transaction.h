// SPDX-License-Identifier: Apache-2.0
// One flash command on its way through the controller, from being asked for to its completion.
#pragma once

#include <cstdint>

#include "controller/page_buffers.h"
#include "core/ids.h"
#include "core/ticks.h"
#include "protocol/ecc_job.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape {

enum class Purpose : std::uint8_t {
  host_read,
  merge_read,  // the old page, for a write of a part of it
  host_write,
  gc_read,
  gc_write,
  gc_erase,
};

struct FlashTransaction {
  NandCommand command;
  EccJob ecc;
  Purpose purpose = Purpose::host_read;
  ChannelId channel;
  PlaneId plane;
  BlockId block;  // read: of the source; write: of the destination, once it has one
  Ppn ppn;        // likewise
  Ppn source;     // gc_write: where the page was
  Lpn lpn;
  bool lost = false;             // what it reads or moves are not the data of the page, which could not be read
  std::uint64_t sequence = 0;    // order of arrival at the scheduler
  PageBuffer* buffer = nullptr;  // that its command's data lie in
  PageAccess* access = nullptr;  // that it serves
  FlashTransaction* merge_into = nullptr;  // merge_read: the write that waits for the old page
  PageAccess* waiting = nullptr;           // host_write: later accesses to the same page
  PageAccess* waiting_last = nullptr;
  FlashTransaction* next = nullptr;            // in a queue, or in the pool
  FlashTransaction* next_in_flight = nullptr;  // host_write: in the table of writes in flight

  // Becomes as new, but for the payload.
  void reset() {
    tlm::tlm_generic_payload* const payload = command.payload;
    *this = FlashTransaction{};
    command.payload = payload;
  }

  // The access is to the page that this write is on its way to, and goes after it.
  void wait_behind(PageAccess& later) {
    later.next = nullptr;
    (waiting == nullptr ? waiting : waiting_last->next) = &later;
    waiting_last = &later;
  }
};

// First in, first out, linked through the transactions.
class TransactionQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  FlashTransaction* front() const { return first_; }

  void push(FlashTransaction& transaction) {
    transaction.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &transaction;
    last_ = &transaction;
  }

  FlashTransaction& pop() {
    FlashTransaction& transaction = *first_;
    first_ = transaction.next;
    return transaction;
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
